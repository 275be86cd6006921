#!/bin/sh
# In the image's throw-away container: gives stdin, a program, to the interpreter of the image's own `vllm`.
set -u
python=python3
if vllm=$(command -v vllm); then
    IFS= read -r first <"$vllm"
    case $first in '#!'*python*) python=${first#'#!'} ;; esac
fi
# shellcheck disable=SC2086 # the line may be `/usr/bin/env python3`
exec $python - "$@"
