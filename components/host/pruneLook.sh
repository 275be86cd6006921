#!/bin/sh
# What a node keeps of this program's images and JIT caches, as the login user, over stdin (`sh -s -- VERB …`).
#   look             lines `release<tab>JSON`, `image<tab>JSON`, `container<tab>JSON`
#   caches DIR …     a line for each cache at or beside DIR: `PATH<tab>DIR<tab>in-place|aside<tab>STAMP<tab>CHANGED<tab>KIB`,
#                    CHANGED in seconds since 1970; STAMP is empty where a cache has none
#   note ID JSON     writes a release's note: an image that served, with its caches
#   drop ID …        removes notes
set -eu
verb=$1
shift
mark=.spark-vllm-stamp
releases="${XDG_CACHE_HOME:-$HOME/.cache}/spark-vllm/releases"

one_cache() {
    stamp=
    [ ! -f "$1/$mark" ] || stamp=$(head -n 1 "$1/$mark")
    kib=$(du -sk "$1" 2>/dev/null | cut -f 1) || :
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$stamp" "$(stat -c %Y "$1")" "${kib:-0}"
}

# A line of JSON for each; they fail unless that is all.
images() {
    ids=$(docker images -q --no-trunc --filter label=spark-vllm.context) || return
    # shellcheck disable=SC2046 # one word an id
    [ -z "$ids" ] || docker image inspect -f '{"id":{{json .Id}},"tags":{{json .RepoTags}},"digests":{{json .RepoDigests}},"context":{{json (index .Config.Labels "spark-vllm.context")}},"created":{{json .Created}},"bytes":{{json .Size}}}' $(printf '%s\n' "$ids" | sort -u)
}
containers() {
    ids=$(docker ps -aq --no-trunc) || return
    # shellcheck disable=SC2086 # one word an id
    [ -z "$ids" ] || docker inspect -f '{"name":{{json .Name}},"image":{{json .Image}},"mounts":{{json .Mounts}}}' $ids
}

case $verb in
look)
    for file in "$releases"/*.json; do
        [ ! -f "$file" ] || printf 'release\t%s\n' "$(cat "$file")"
    done
    # Twice, for what goes between its two looks: an image or a container that is not told would count as not there.
    found=$(images) || found=$(images)
    [ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/image	/'
    found=$(containers) || found=$(containers)
    [ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/container	/'
    ;;
caches)
    for directory in "$@"; do
        path=$directory
        [ ! -L "$path" ] || path=$(readlink -m -- "$path")
        [ ! -d "$path" ] || one_cache "$path" "$directory" in-place
        for aside in "$path".*; do
            # Only names that cachesPlace.sh gives.
            printf '%s\n' "${aside##*.}" | grep -qxE '([0-9a-f]{12}|unstamped)(-[0-9]+)?' || continue
            [ ! -d "$aside" ] || [ -L "$aside" ] || one_cache "$aside" "$directory" aside
        done
    done
    ;;
note)
    mkdir -p "$releases"
    printf '%s\n' "$2" >"$releases/$1.new" && mv "$releases/$1.new" "$releases/$1.json"
    ;;
drop)
    for id in "$@"; do rm -f "$releases/$id.json"; done
    # Nothing is left behind of what is empty.
    rmdir "$releases" "$(dirname "$releases")" 2>/dev/null || :
    ;;
*)
    echo "pruneLook.sh: unknown verb $verb" >&2
    exit 2
    ;;
esac
