#!/bin/sh
# Prints as JSON what is at hand for an image on one node: the image itself, the room for another, how it is stored.
# `sh -s -- IMAGE layers|-`; with `layers`, those of all other images too.
set -eu
image=$1
# `.ID`, not `.Id`: an unknown field makes docker fall back to a map, where an image without labels is an error.
form='{"id":{{json .ID}},"arch":{{json .Architecture}},"os":{{json .Os}},"context":{{json (index .Config.Labels "spark-vllm.context")}},"layers":{{json .RootFS.Layers}},"digests":{{json .RepoDigests}},"bytes":{{json .Size}},"settings":{"env":{{json .Config.Env}},"entrypoint":{{json .Config.Entrypoint}},"user":{{json .Config.User}},"folder":{{json .Config.WorkingDir}}}}'
found=$(docker image inspect -f "$form" "$image" 2>/dev/null) || found=null
root=$(docker info -f '{{.DockerRootDir}}')
free=$(df -Pk "$root" 2>/dev/null | awk 'NR == 2 { print $4 }')
snapshotter=false
case $(docker info -f '{{json .DriverStatus}}') in *snapshotter*) snapshotter=true ;; esac
printf '{"image":%s,"root":"%s","freeKib":%s,"containerd":%s,"others":[' "$found" "$root" "${free:-null}" "$snapshotter"
if [ "$2" = layers ]; then
    ids=$(docker image ls -q --no-trunc | sort -u)
    # shellcheck disable=SC2086 # one word an id
    [ -z "$ids" ] || docker image inspect -f '{{json .RootFS.Layers}}' $ids | paste -sd, -
fi
printf ']}\n'
