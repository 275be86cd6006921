# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the other parts
# What the lab says, with times; how it stops on a problem.

now_ms() {
    # EPOCHREALTIME is bash 5; the bash of macOS counts whole seconds.
    if [ -n "${EPOCHREALTIME:-}" ]; then echo $((${EPOCHREALTIME/[.,]/} / 1000)); else echo $(($(date +%s) * 1000)); fi
}
lab_t0=$(now_ms)

# seconds SINCE_MS: time passed, as 1.2
seconds() {
    local ms=$(($(now_ms) - $1))
    echo "$((ms / 1000)).$((ms % 1000 / 100))"
}

say() { echo "lab: $*" >&2; }

# problem WHAT [FIX]: nothing more is done.
problem() {
    echo "lab: $1" >&2
    [ $# -lt 2 ] || echo "    $2" >&2
    exit 1
}

# step WHAT COMMAND…: runs it, then prints what took how long; its output only when it fails.
step() {
    local what=$1 start log status
    shift
    start=$(now_ms)
    log=$(mktemp)
    # a subshell of its own: after `||` the shell would not stop at a failing line
    set +e
    (
        set -e
        "$@"
    ) >"$log" 2>&1
    status=$?
    set -e
    if [ $status -ne 0 ]; then
        tail -n 25 "$log" >&2
        rm -f "$log"
        problem "$what: failed after $(seconds "$start") s"
    fi
    rm -f "$log"
    printf 'lab: %6s s  %s\n' "$(seconds "$start")" "$what" >&2
}

# each COMMAND…: runs it for every node of the lab at once; fails when one failed.
each() {
    local i pids="" status=0 pid
    for i in $(node_numbers); do
        "$@" "$i" &
        pids="$pids $!"
    done
    for pid in $pids; do wait "$pid" || status=1; done
    return $status
}

digest() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-12
}

# limit SECONDS COMMAND…: where `timeout` is not there (macOS) without a limit.
limit() {
    if command -v timeout >/dev/null; then timeout "$@"; else
        shift
        "$@"
    fi
}
