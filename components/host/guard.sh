# Runs $spark_script on a node so that nothing of it outlives the client or its time limit. Sent over stdin, after
# assignments of spark_script, spark_start, spark_end, spark_limit and perhaps spark_input, and `set -- ARGUMENTS`.
# What is left of stdin are the client's heartbeats: its end, or two minutes of silence, mean that the client is gone.
# shellcheck shell=sh disable=SC2154
export LC_ALL=C
exec 3<&0 </dev/null

# Whatever a login shell printed ends here.
printf '%s\n' "$spark_start"
printf '%s\n' "$spark_start" >&2

# Sends $guard_signal to every other process of this session (sshd makes one for each command); false if there is none.
guard_kill() {
    guard_none=1
    for guard_stat in /proc/[0-9]*/stat; do
        { read -r guard_line <"$guard_stat"; } 2>/dev/null || continue
        guard_pid=${guard_line%% *}
        # After `PID (COMMAND) `: state, parent, group, session.
        # shellcheck disable=SC2086
        set -- ${guard_line##*) }
        if [ "$guard_pid" = $$ ] || [ "$1" = Z ]; then continue; fi
        if [ "$4" != $$ ] && [ "$guard_pid" != "$guard_child" ]; then continue; fi
        kill -s "$guard_signal" "$guard_pid" 2>/dev/null && guard_none=0
    done
    return $guard_none
}

guard_finish() {
    trap '' HUP INT TERM USR1 PIPE
    guard_signal=TERM
    for guard_pause in 0.02 0.1 0.4 1.5 0.1 0.4 1; do
        guard_kill || return
        sleep $guard_pause
        [ $guard_pause != 1.5 ] || guard_signal=KILL
    done
}

# Repeated, because a signal that comes just before `wait` would not end it.
guard_tell() { while kill -s "$1" $$ 2>/dev/null; do sleep 1; done; }

guard_watch() {
    while [ -n "$(timeout 120 head -c 1 <&3)" ]; do :; done
    guard_tell HUP
}

guard_script() {
    if [ -n "${spark_input+set}" ]; then
        printf '%s' "$spark_input" | (eval "$spark_script")
    else
        eval "$spark_script"
    fi
}

guard_code=
trap 'guard_code=gone' HUP INT TERM
trap 'guard_code=limit' USR1
(guard_script "$@") 3<&- </dev/null &
guard_child=$!
guard_watch >/dev/null 2>&1 &
[ -z "$spark_limit" ] || { sleep "$spark_limit" && guard_tell USR1; } 3<&- >/dev/null 2>&1 &
wait "$guard_child"
guard_result=${guard_code:-$?}
guard_finish
printf '%s %s\n' "$spark_end" "$guard_result" >&2
exit 0
