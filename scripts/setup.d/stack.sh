# shellcheck shell=sh
# The local state: a folder of the project, a passphrase file beside it, the example stack.
# shellcheck disable=SC2154 # root, state, yes: set by scripts/setup

stack=spark

make_state() {
    if [ -d "$state" ]; then
        say "local state" "there"
    else
        mkdir -p "$state"
        chmod 700 "$state"
        say "local state" "made: .state (no account needed)"
    fi
    hide_salt
    choose_passphrase
    use_environment
}

# Pulumi writes a salt into a stack file at its first command. It stays there, and git leaves it out, so the tracked
# file is unchanged for git, unless it holds a secret: only that salt opens it (scripts/setup.d/cleanStackFile).
in_git() { have git && git -C "$root" rev-parse --git-dir >/dev/null 2>&1; }

hide_salt() {
    in_git || return 0
    git -C "$root" config filter.spark-stack-file.clean scripts/setup.d/cleanStackFile
}

# Git takes another size for a change without looking further: the index learns the size that the salt gives.
settle_stack_files() {
    in_git || return 0
    git -C "$root" ls-files 'Pulumi.*.yaml' | while IFS= read -r file; do
        [ -f "$root/$file" ] || continue
        tracked=$(git -C "$root" rev-parse --verify --quiet ":$file") || continue
        [ "$(cd "$root" && git hash-object "$file")" != "$tracked" ] || git -C "$root" update-index "$file" || :
    done
}

# Asked once. A passphrase that was left empty without asking is asked for before the stack is made.
choose_passphrase() {
    [ ! -s "$state/passphrase" ] || [ "$(cat "$state/passphrase")" = "" ] || return 0
    if [ -f "$state/passphrase" ]; then
        ! has_stack && [ "$purpose" = use ] && [ -z "$yes" ] && on_terminal || return 0
    fi
    [ -z "${PULUMI_CONFIG_PASSPHRASE+set}" ] && [ -z "${PULUMI_CONFIG_PASSPHRASE_FILE:-}" ] || return 0
    phrase=
    if [ "$purpose" = use ] && [ -z "$yes" ] && on_terminal; then
        ask_passphrase "Passphrase for secrets in the local state (empty: none yet)"
    fi
    (umask 077 && printf '%s\n' "$phrase" >"$state/passphrase")
    [ -n "$phrase" ] || say passphrase "empty: choose one before the first secret (npm run setup -- --passphrase)"
}

# ask_passphrase PROMPT: sets `phrase`, not echoed.
ask_passphrase() {
    printf '%s: ' "$1" >&2
    stty -echo
    trap 'stty echo' EXIT INT TERM
    IFS= read -r phrase || phrase=
    stty echo
    trap - EXIT INT TERM
    echo >&2
}

has_stack() { [ -f "$state/.pulumi/stacks/spark-vllm/$stack.json" ]; }

# A salt of an earlier state would fit its passphrase alone. One that a secret needs stays.
drop_old_salt() {
    [ -f "$1" ] || return 0
    cleaned=$("$root/scripts/setup.d/cleanStackFile" <"$1")
    printf '%s\n' "$cleaned" | cmp -s - "$1" || printf '%s\n' "$cleaned" >"$1"
}

make_stack() {
    if ! backend_is_local || [ "${PULUMI_BACKEND_URL:-}" != "file://$state" ]; then
        say "stack $stack" "left to you: the state is kept elsewhere"
    elif has_stack; then
        say "stack $stack" "there"
    else
        drop_old_salt "$root/Pulumi.$stack.yaml"
        step "stack $stack" pulumi --cwd "$root" stack init "$stack"
    fi
    settle_stack_files
}

change_passphrase() {
    if [ -t 0 ]; then
        ask_passphrase "New passphrase"
    else
        IFS= read -r phrase || :
    fi
    [ -n "$phrase" ] || fail "the new passphrase is empty: nothing was changed"
    if has_stack; then
        step "stack $stack" change_stack_passphrase
    fi
    (umask 077 && printf '%s\n' "$phrase" >"$state/passphrase")
    say passphrase "changed: kept in .state/passphrase, which only you can read"
}

# Without a terminal Pulumi reads the new passphrase from stdin; the old one from the environment.
change_stack_passphrase() {
    printf '%s\n' "$phrase" |
        pulumi --cwd "$root" --non-interactive stack change-secrets-provider passphrase --stack "$stack"
}
