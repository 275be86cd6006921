#!/bin/sh
# Follows one rank on its node, over stdin (`sh -s -- CONTAINER STARTED-AT`), until the container ends or starts anew.
# Lines: `L<log line>`, `M<KiB of memory available>` each second, `O` when the kernel killed a process of the
# container for memory, and at the end `X<state as JSON>`. The caller ends what runs beside.
set -u
memory() {
    while :; do
        while read -r key value _; do
            case $key in MemAvailable:)
                printf 'M%s\n' "$value"
                break
                ;;
            esac
        done </proc/meminfo
        sleep 1
    done
}
memory &
docker events --since "$2" --filter "container=$1" --filter event=oom --format O 2>/dev/null &
state() {
    docker inspect -f '{"running":{{json .State.Running}},"exitCode":{{json .State.ExitCode}},"oomKilled":{{json .State.OOMKilled}},"startedAt":{{json .State.StartedAt}}}' "$1" 2>&1
}
# A log ends with its container. One that someone started anew before it was followed goes on, as if nothing had been.
anew() {
    for pause in 1 4 15; do
        sleep $pause
        said=$(state "$1")
        case $said in
        '{"running":true,'*"\"startedAt\":\"$2\"}") ;;
        '{"running":true,'*)
            printf 'X%s\n' "$said"
            return
            ;;
        esac
    done
}
anew "$1" "$2" &
since=$2 silent=0 ended=
while :; do
    docker logs -f --since "$since" "$1" 2>&1 | sed -u 's/^/L/'
    said=$(state "$1")
    case $said in
    '{"running":true,'*"\"startedAt\":\"$2\"}")
        # A log that ends while its container runs was only cut off.
        since=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
        ;;
    '{"running":false,'*)
        # Whoever ended it may be about to start or to remove it.
        if [ -n "$ended" ]; then
            printf 'X%s\n' "$said"
            exit
        fi
        ended=1 since=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
        sleep 0.4
        continue
        ;;
    '{'*)
        printf 'X%s\n' "$said"
        exit
        ;;
    *"No such"*)
        echo 'X{"removed":true}'
        exit
        ;;
    *)
        # A daemon that restarts comes back in seconds.
        silent=$((silent + 1))
        if [ $silent -eq 4 ]; then
            echo 'X{"silent":true}'
            exit
        fi
        ;;
    esac
    sleep 1
done
