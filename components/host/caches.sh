#!/bin/sh
# Makes the JIT cache directories of one node, as the login user, over stdin (`sh -s -- DIRECTORY …`).
# A cache on a network file system breaks (facts.md), and a file in its place is never replaced.
set -eu
for d in "$@"; do
    if [ -e "$d" ] && [ ! -d "$d" ]; then
        echo "$d exists and is not a directory" >&2
        exit 1
    fi
    if [ ! -d "$d" ]; then
        mkdir -p -- "$d"
        echo "made $d"
    fi
done
