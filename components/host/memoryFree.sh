#!/bin/sh
# Waits until the share of memory that an engine wants is available on this node, over stdin
# (`sh -s -- SHARE SECONDS`): what a stopped rank held comes back within seconds. Prints KiB: `AVAILABLE TOTAL NEEDED`.
set -eu
of() { awk -v key="$1:" '$1 == key { print $2 }' /proc/meminfo; }
total=$(of MemTotal) looks=0
needed=$(awk -v share="$1" -v total="$total" 'BEGIN { printf "%d", share * total }')
while :; do
    available=$(of MemAvailable)
    looks=$((looks + 1))
    if [ "$available" -ge "$needed" ] || [ $looks -gt $(($2 * 2)) ]; then break; fi
    sleep 0.5
done
echo "$available $total $needed"
