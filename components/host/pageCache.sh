#!/bin/sh
# Drops the page cache of one node when the share of memory that an engine wants is not free beside it, over stdin
# (`sh -s -- SHARE IMAGE`). A privileged one-shot container of an image that is there: the docker group is enough.
# Prints what it did, in KiB: `free FREE` (nothing to do), `short AVAILABLE` (would not help), `dropped FREE FREE`.
set -eu
of() { awk -v key="$1:" '$1 == key { print $2 }' /proc/meminfo; }
total=$(of MemTotal) free=$(of MemFree) available=$(of MemAvailable)
needed=$(awk -v share="$1" -v total="$total" 'BEGIN { printf "%d", share * total }')
if [ "$free" -ge "$needed" ]; then
    echo "free $free"
elif [ "$available" -lt "$needed" ]; then
    echo "short $available"
else
    docker run --rm --pull never --privileged --network none --label spark-vllm.job=drop-caches --entrypoint sh "$2" \
        -c 'sync; echo 3 >/proc/sys/vm/drop_caches' >&2
    echo "dropped $free $(of MemFree)"
fi
