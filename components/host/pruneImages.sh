#!/bin/sh
# Takes tags from images of this node, over stdin (`sh -s -- TAG …`); an image goes with its last tag. Never by force:
# Docker refuses the last tag of an image that a container uses.
set -u
code=0
for tag in "$@"; do
    docker rmi "$tag" >/dev/null || code=1
done
exit $code
