#!/bin/sh
# Runs one of our Python programs in a one-shot container of the recipe's image, over stdin
# (`sh -s -- JOB STACK IMAGE HUB_HERE HUB_THERE ro|rw [NAME=VALUE…]`); the script's own stdin is one line of JSON with the
# program and what it is told, so neither a token nor the program is ever an argument. Exit codes: 64 no such image, 65
# no directory to write to, else the program's own.
set -eu
job=$1 stack=$2 image=$3 here=$4 there=$5 mode=$6
shift 6

docker image inspect "$image" >/dev/null 2>&1 || exit 64
# What a killed run left.
for c in $(docker ps -aq --filter "label=spark-vllm.job=$job" --filter "label=spark-vllm.stack=$stack"); do
    docker rm -f "$c" >/dev/null 2>&1 || :
done

if [ "$mode" = rw ]; then
    mkdir -p "$here" || exit 65
    access=
else
    access=,readonly
fi
# As the login user where he may write: an NFS export may refuse root, and what is there keeps its owner.
set -- "$@" "HF_HOME=$there" HOME=/tmp
for variable in "$@"; do
    shift
    set -- "$@" --env "$variable"
done
if [ "$(id -u)" != 0 ] && [ -w "$here" ]; then
    set -- "$@" --user "$(id -u):$(id -g)"
    for group in $(id -G); do set -- "$@" --group-add "$group"; done
else
    set -- "$@" --user 0:0
fi

name=spark-vllm-$job-$$-$(date +%s)
trap 'docker rm -f "$name" >/dev/null 2>&1 || :' EXIT
trap 'exit 143' HUP INT TERM
# In the background, so that the traps act at once; stdin is named, because a background command would have none.
exec 3<&0
docker run --rm --interactive --name "$name" --pull never --network host --log-driver none \
    --label "spark-vllm.job=$job" --label "spark-vllm.stack=$stack" \
    --mount "type=bind,source=$here,target=$there$access" "$@" --entrypoint python3 "$image" \
    -uc 'import json, sys; order = json.loads(sys.stdin.readline()); exec(compile(order["program"], order["name"], "exec"), {"order": order})' <&3 &
wait $!
