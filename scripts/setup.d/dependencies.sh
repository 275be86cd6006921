# shellcheck shell=sh
# Node, the dependencies from the lock file, the compiled program.
# shellcheck disable=SC2154 # root: set by scripts/setup

check_node() {
    have node || fail "Node.js is not on PATH: install Node 20 or newer"
    have npm || fail "npm is not on PATH: it comes with Node 20 and newer"
    major=$(node -p 'process.versions.node.split(".")[0]')
    [ "$major" -ge 20 ] || fail "Node $major is too old: install Node 20 or newer"
}

# A copy of the lock file that node_modules was made from is kept in it (by npm's prepare script too): times say nothing,
# since a checkout sets them anew.
install_dependencies() {
    [ ! -L "$root/node_modules" ] || fail "node_modules is a link: remove it, so that this folder gets its own"
    installed=$root/node_modules/.installed-lock.json
    if cmp -s "$root/package-lock.json" "$installed"; then
        say dependencies "there"
    else
        step dependencies npm ci --prefix "$root" --no-audit --no-fund ||
            fail "the dependencies could not be installed; npm says why above. Nothing else was done."
        cp "$root/package-lock.json" "$installed"
    fi
}

# The program also compiles itself when a source is newer; here it is done so that a mistake shows early.
compile() {
    if node "$root/scripts/build.mjs" --is-fresh; then
        say "compiled program" "there"
    else
        step "compiled program" node "$root/scripts/build.mjs"
    fi
}

# Checks Dockerfiles. Without it lint fails and says so; the other suites need none.
install_hadolint() {
    if "$root/scripts/hadolint" --is-there; then
        say "Dockerfile check" "there"
    else
        step "Dockerfile check" "$root/scripts/hadolint" --install || :
    fi
}
