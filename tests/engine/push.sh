#!/bin/sh
# Pushes a local image to the registry and forgets that name: `sh -s -- LOCAL NAME REGISTRY`; stdin: a client
# configuration with the login. Prints the digest.
set -eu
DOCKER_CONFIG=$(mktemp -d)
export DOCKER_CONFIG
trap 'rm -r "$DOCKER_CONFIG"' EXIT
cat >"$DOCKER_CONFIG/config.json"
docker tag "$1" "$3/$2"
docker push -q "$3/$2" >&2
docker image inspect -f '{{join .RepoDigests "\n"}}' "$3/$2" | grep "^$3/${2%:*}@" | cut -d @ -f 2
docker image rm "$3/$2" >/dev/null
