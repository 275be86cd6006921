#!/bin/sh
# Pulls an image unless the node has it, and gives it a name: `sh -s -- IMAGE PLATFORM TAG|-`; stdin: a client
# configuration with a login, or nothing. The login is in a folder of its own, in memory where the node has such a
# place, and gone when this ends; no argument and no other file ever has it. Prints `pulls` before it does.
set -eu
image=$1 platform=$2 tag=$3
login=$(cat)

name() { [ "$tag" = - ] || docker tag "$image" "$tag"; }
case $image in
*@sha256:*) ! docker image inspect "$image" >/dev/null 2>&1 || { name && exit; } ;;
esac

if [ -n "$login" ]; then
    # The client's own folder also says which daemon it talks to.
    DOCKER_HOST=${DOCKER_HOST:-$(docker context inspect -f '{{.Endpoints.docker.Host}}')}
    for place in /dev/shm "${XDG_RUNTIME_DIR:-/tmp}" /tmp; do
        [ -d "$place" ] && [ -w "$place" ] && break
    done
    # What a run left that lost its power; no pull lasts this long.
    find "$place" -maxdepth 1 -name 'spark-vllm-login.*' -user "$(id -un)" -mmin +720 -exec rm -rf {} + 2>/dev/null || :
    DOCKER_CONFIG=$(mktemp -d "$place/spark-vllm-login.XXXXXX")
    # guard.sh repeats its signal to the whole session: a second one must not end the removal.
    trap 'trap "" HUP INT TERM; rm -rf "$DOCKER_CONFIG"' EXIT
    trap 'exit 143' HUP INT TERM
    (umask 077 && printf '%s' "$login" >"$DOCKER_CONFIG/config.json")
    export DOCKER_HOST DOCKER_CONFIG
fi
echo pulls
# In the background, so that the traps act at once.
docker pull --platform "$platform" "$image" &
wait $!
name
