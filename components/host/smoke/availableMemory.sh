#!/bin/sh
# Prints the memory that this node has available, in KiB, every SECONDS, over stdin (`sh -s -- SECONDS`).
set -eu
while :; do
    while read -r name kib unit; do
        [ "$name" != MemAvailable: ] || printf '%s %s\n' "$kib" "$unit"
    done </proc/meminfo
    sleep "$1"
done
