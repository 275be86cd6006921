#!/bin/sh
# What launch and stop do on one node, over stdin (`sh -s -- VERB ID …`). Everything is found by the label
# spark-vllm.id, so a stranger's container is never touched. The record says which launch the ranks belong to.
#   observe ID                 one line of JSON: the record and this group's containers
#   mark    ID RECORD GRACE    stops (head) or kills (workers) the group's ranks here, then writes RECORD,
#                              `@now@` in it replaced by this node's time after the stop
#   stop    ID GRACE           stops every rank of the group here
#   start   ID                 starts the ranks here that do not run
#   record  ID RECORD          writes RECORD
#   sweep   ID                 removes the group's containers here: what an interrupted run left
#   forget  ID                 removes the record and the note on JIT caches
set -eu
verb=$1 id=$2
dir="${XDG_STATE_HOME:-$HOME/.local/state}/spark-vllm"
file="$dir/$id.json"

now() { date -u +%Y-%m-%dT%H:%M:%S.%NZ; }
# Read into a variable before it is used: in the words of a `for` or before a pipe, a Docker that does not answer would
# read as "there are none".
ours() { docker ps --no-trunc -q --filter "label=spark-vllm.id=$id" "$@"; }
# A line of JSON for each container of the group; fails unless that is all of them.
told() {
    ids=$(ours -a) || return
    # shellcheck disable=SC2086 # one word an id
    [ -z "$ids" ] || docker inspect -f '{"id":{{json .Id}},"name":{{json .Name}},"rank":{{json (index .Config.Labels "spark-vllm.rank")}},"group":{{json (index .Config.Labels "spark-vllm.group")}},"image":{{json .Image}},"running":{{json .State.Running}},"exitCode":{{json .State.ExitCode}},"oomKilled":{{json .State.OOMKilled}},"startedAt":{{json .State.StartedAt}},"finishedAt":{{json .State.FinishedAt}}}' $ids
}
write() {
    mkdir -p "$dir"
    printf '%s\n' "$1" >"$file.new" && mv "$file.new" "$file"
}

case $verb in
observe)
    record=null
    [ ! -s "$file" ] || record=$(cat "$file")
    # What cachesPlace.sh noted before the ranks were started.
    jit=null
    [ ! -s "$dir/$id.jit.json" ] || jit=$(cat "$dir/$id.jit.json")
    printf '{"now":"%s","record":%s,"jit":%s,"containers":[' "$(now)" "$record" "$jit"
    # A container that is removed between the two looks is no reason to know nothing.
    found=$(told) || found=$(told)
    printf '%s]}\n' "$(printf '%s' "$found" | paste -sd, -)"
    ;;
mark)
    # A head stops within 2 s and hands over nothing; a worker without its head only waits (facts.md), so it is killed.
    ids=$(ours)
    for c in $ids; do
        if [ "$(docker inspect -f '{{index .Config.Labels "spark-vllm.rank"}}' "$c")" = 0 ]; then
            docker stop -t "$4" "$c" >/dev/null
        else
            docker kill "$c" >/dev/null 2>&1 || docker stop -t "$4" "$c" >/dev/null
        fi
    done
    write "$(printf '%s' "$3" | sed "s/@now@/$(now)/")"
    ;;
stop)
    ids=$(ours) jobs=
    for c in $ids; do
        docker stop -t "$3" "$c" >/dev/null &
        jobs="$jobs $!"
    done
    for job in $jobs; do wait "$job"; done
    ;;
start)
    ids=$(ours -a --filter status=exited --filter status=created)
    for c in $ids; do docker start "$c" >/dev/null; done
    ;;
record) write "$3" ;;
sweep)
    ids=$(ours -a)
    for c in $ids; do
        docker inspect -f '{{.Name}}' "$c"
        docker rm -f "$c" >/dev/null
    done
    ;;
forget) rm -f "$file" "$dir/$id.jit.json" ;;
*)
    echo "group.sh: unknown verb $verb" >&2
    exit 2
    ;;
esac
