#!/bin/sh
# What a node does while its rank says nothing: `total KIB`, `available KIB` of memory, and where an NVIDIA GPU tells it,
# `gpu WATT, PERCENT`.
set -u
sed -n -e 's/^MemTotal: *\([0-9]*\).*/total \1/p' -e 's/^MemAvailable: *\([0-9]*\).*/available \1/p' /proc/meminfo
if command -v nvidia-smi >/dev/null; then
    timeout 10 nvidia-smi --query-gpu=power.draw,utilization.gpu --format=csv,noheader,nounits 2>/dev/null | sed -n '1s/^/gpu /p'
fi
:
