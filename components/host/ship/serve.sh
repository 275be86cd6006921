#!/bin/sh
# Runs serve.py in a one-shot container of the image that it serves, by the image's own Python, over stdin
# (`sh -s -- OWNER IMAGE`); the script's own stdin is one line of JSON with the program and what it is told, so neither
# the program nor a token is ever an argument. Code 77: the image has no Python.
set -eu
owner=$1 image=$2
# What a killed run left.
for c in $(docker ps -aq --filter label=spark-vllm.step=image-ship --filter "label=spark-vllm.owner=$owner"); do
    docker rm -f "$c" >/dev/null 2>&1 || :
done
root=$(docker info -f '{{.DockerRootDir}}')
set --
[ ! -d /var/lib/containerd ] || set -- --mount type=bind,source=/var/lib/containerd,target=/containerd,readonly

name=spark-vllm-image-ship-$$-$(date +%s)
trap 'docker rm -f "$name" >/dev/null 2>&1 || :' EXIT
trap 'exit 143' HUP INT TERM
# In the background, so that the traps act at once; stdin is named, because a background command would have none.
exec 3<&0
# Root without its powers but one: to read files of any owner. No GPU: where nvidia is the default runtime, it would
# mount drivers.
docker run --rm --interactive --name "$name" --pull never --network host --log-driver none --read-only --user 0:0 \
    --cap-drop ALL --cap-add DAC_READ_SEARCH --security-opt no-new-privileges --workdir / \
    --env NVIDIA_VISIBLE_DEVICES=void --env PYTHONDONTWRITEBYTECODE=1 \
    --label spark-vllm.step=image-ship --label "spark-vllm.owner=$owner" \
    --mount "type=bind,source=$root,target=/docker,readonly" "$@" --entrypoint sh "$image" \
    -c 'p=$(command -v python3 || command -v python) || exit 77; exec "$p" -uc "$1"' sh \
    'import json, sys; order = json.loads(sys.stdin.readline()); exec(compile(order["program"], "image-ship", "exec"), {"order": order})' <&3 &
code=0
wait $! || code=$?
# 127: not even a shell.
[ "$code" != 127 ] || code=77
exit "$code"
