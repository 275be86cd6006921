# shellcheck shell=sh
# Node, the dependencies from the lock file, the compiled program.
# shellcheck disable=SC2154 # root: set by scripts/setup

check_node() {
    have node || fail "Node.js is not on PATH: install Node 20 or newer"
    have npm || fail "npm is not on PATH: it comes with Node 20 and newer"
    major=$(node -p 'process.versions.node.split(".")[0]')
    [ "$major" -ge 20 ] || fail "Node $major is too old: install Node 20 or newer"
}

# npm writes node_modules/.package-lock.json at each install; a lock file newer than that is another one.
install_dependencies() {
    installed=$root/node_modules/.package-lock.json
    if [ -f "$installed" ] && [ -z "$(find "$root/package-lock.json" -newer "$installed")" ]; then
        say dependencies "there"
    else
        step dependencies npm ci --prefix "$root" --no-audit --no-fund
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
