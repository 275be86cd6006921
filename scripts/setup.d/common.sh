# shellcheck shell=sh
# Messages of the set-up: one line a step, with its time.

# say STEP WHAT: one line of progress. On stderr, so that `--env` output stays clean.
say() { printf 'setup: %-22s %s\n' "$1" "$2" >&2; }

# fail MESSAGE [CODE]: a user's problem, said once, without a trace.
fail() {
    printf 'setup: %s\n' "$1" >&2
    exit "${2:-1}"
}

# step NAME COMMAND ...: runs the command, then names the step and its time. Output is shown when it fails.
step() {
    step_name=$1 step_start=$(date +%s)
    shift
    step_log=$(mktemp)
    if ! "$@" >"$step_log" 2>&1 </dev/null; then
        say "$step_name" "failed after $(($(date +%s) - step_start)) s: $*"
        tail -n 20 "$step_log" >&2
        rm -f "$step_log"
        return 1
    fi
    rm -f "$step_log"
    say "$step_name" "done in $(($(date +%s) - step_start)) s"
}

have() { command -v "$1" >/dev/null 2>&1; }

# A person can be asked only when both ends are a terminal.
on_terminal() { [ -t 0 ] && [ -t 2 ]; }
