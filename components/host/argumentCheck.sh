#!/bin/sh
# Runs a throw-away container of an image that is on this node, over stdin (`sh -s -- ID IMAGE PLATFORM NAME SECONDS
# WORDS…`); WORDS follow the options of `docker run`, the program for it is the script's stdin.
# Exit codes of its own: 3 no such image, 4 built for another platform, 124 past its time. Nothing is pulled, and no
# container outlives the script; one that a killed run left is found by its label.
set -u
id=$1 image=$2 platform=$3 name=$4 seconds=$5
shift 5
exec 4<&0

# shellcheck disable=SC2046 # one word an id
left() { docker rm -f $(docker ps -aq --filter "label=spark-vllm.argument-check=$id") >/dev/null 2>&1; }
# In a session of its own: the guard ends this one. Tried again, because the container may be just coming into being.
# shellcheck disable=SC2016,SC2317 # expanded by the inner shell; called by the trap
remove() {
    setsid sh -c 'for s in 0 1 3; do sleep "$s"; docker rm -f "$1"; done' sh "$name" >/dev/null 2>&1 </dev/null &
}

left
built=$(docker image inspect -f '{{.Os}}/{{.Architecture}}' "$image" 2>&1) || {
    printf '%s\n' "$built" >&2
    case $built in *"No such image"*) exit 3 ;; esac
    exit 1
}
case $built in
"$platform" | "$platform"/*) ;;
*)
    printf '%s\n' "$built" >&2
    exit 4
    ;;
esac

trap 'remove; exit 143' HUP INT TERM
# The first that the kernel ends when memory is short: a group may be serving beside it.
timeout "$seconds" docker run --rm -i --pull never --network none --user 0 --log-driver none \
    --oom-score-adj 1000 --env NVIDIA_VISIBLE_DEVICES=void \
    --name "$name" --label "spark-vllm.argument-check=$id" "$@" <&4 &
wait $!
code=$?
[ "$code" != 124 ] || docker rm -f "$name" >/dev/null 2>&1
exit "$code"
