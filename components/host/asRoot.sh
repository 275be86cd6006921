#!/bin/sh
# Removes what ranks left as root, without root on the node: in a container of an image that is there. Over stdin
# (`sh -s -- VERB IMAGE PATH …`), as the login user, who may use Docker.
#   locks  IMAGE DIRECTORY …   lock files in caches that no running container uses
#   remove IMAGE DIRECTORY …   the directories, with all that is in them
set -eu
verb=$1 image=$2
shift 2

# Any image of ours will do: all it takes is rm and find.
if ! docker image inspect "$image" >/dev/null 2>&1; then
    image=$(docker images -q --filter label=spark-vllm.context | head -n 1)
    [ -n "$image" ] || {
        echo "no image is there in which $* could be removed; as root: rm -rf $*" >&2
        exit 1
    }
fi

# inside DIRECTORY PROGRAM ARGUMENT …: DIRECTORY is /cache there.
inside() {
    directory=$1 program=$2
    shift 2
    docker run --rm --pull never --network none --user 0:0 --label spark-vllm.helper=caches \
        --mount "type=bind,source=$directory,target=/cache" --entrypoint "$program" "$image" "$@"
}

# What running containers were given, a line each; fails unless that is all.
sources() {
    ids=$(docker ps -q) || return
    # shellcheck disable=SC2086 # one word an id
    [ -z "$ids" ] || docker inspect -f '{{range .Mounts}}{{println .Source}}{{end}}' $ids
}

used() {
    # Twice, for the container that ends between its two looks. Where Docker does not tell, nobody knows: the end.
    given=$(sources) || given=$(sources) || exit
    printf '%s\n' "$given" | grep -qxF -e "$1"
}

for path in "$@"; do
    [ -d "$path" ] || continue
    case $verb in
    locks) used "$path" || inside "$path" find /cache -type f '(' -name '*.lock' -o -name lock ')' -delete ;;
    remove)
        # The user's own part needs no container.
        rm -rf -- "$path" 2>/dev/null || inside "$(dirname "$path")" rm -rf -- "/cache/$(basename "$path")"
        ;;
    *) exit 2 ;;
    esac
done
