#!/bin/sh
# Runs a program (stdin) in a throw-away container of an image, by the Python that its `vllm` command names (a base may
# keep vLLM in an environment of its own), else by the one on its path; code 77: it has none.
# `sh -s -- IMAGE OWNER SECONDS`. What a killed run left behind is found by its labels and removed first.
set -eu
image=$1 owner=$2 seconds=$3
left=$(docker ps -aq --filter label=spark-vllm.step=image-check --filter "label=spark-vllm.owner=$owner")
# shellcheck disable=SC2086 # one word an id
[ -z "$left" ] || docker rm -f $left >/dev/null
# Not `set -e`: the container's code is the result. No GPU: where nvidia is the default runtime, it would mount drivers.
code=0
docker run --rm -i --pull never --network none --read-only --cap-drop ALL --user 0 --workdir / \
    --env NVIDIA_VISIBLE_DEVICES=void --env PYTHONDONTWRITEBYTECODE=1 \
    --label spark-vllm.step=image-check --label "spark-vllm.owner=$owner" --entrypoint sh "$image" \
    -c 'p=$(read -r line 2>/dev/null <"$(command -v vllm)" && line=${line#"#!"} && line=${line# } && command -v "${line%% *}") || :
        case ${p##*/} in *python*) ;; *) p=$(command -v python3 || command -v python) || exit 77 ;; esac
        exec "$p" - "$1"' sh "$seconds" || code=$?
# 127: not even a shell.
[ "$code" != 127 ] || code=77
exit "$code"
