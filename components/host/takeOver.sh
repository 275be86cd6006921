#!/bin/sh
# Makes room for a group on one node, over stdin (`sh -s -- ID GRACE NAME`): stops the running ranks of other groups (the
# label spark-vllm.id is there and not ID), and removes the one that has our rank's NAME. Prints a line for each.
set -eu
id=$1 grace=$2 name=$3
form='{{.ID}} {{.Label "spark-vllm.id"}} {{.Names}} {{.Label "spark-vllm.owner"}}'
# Each list is read first: before a pipe, a Docker that does not answer would read as "there are none".
running=$(docker ps --no-trunc --filter label=spark-vllm.rank --format "$form")
[ -z "$running" ] || printf '%s\n' "$running" | while read -r container other its owner; do
    [ "$other" != "$id" ] || continue
    docker stop -t "$grace" "$container" >/dev/null
    echo "stopped $its of $owner"
done
all=$(docker ps -a --no-trunc --filter label=spark-vllm.rank --format "$form")
[ -z "$all" ] || printf '%s\n' "$all" | while read -r container other its owner; do
    if [ "$other" = "$id" ] || [ "$its" != "$name" ]; then continue; fi
    docker rm -f "$container" >/dev/null
    echo "removed $its of $owner, whose name was in the way"
done
