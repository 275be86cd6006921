# shellcheck shell=bash
# shellcheck disable=SC2154 # names set by ../lab and settings.sh
# A node's image and the base that engine images are built on. They stay in Docker until `lab purge`.

have_image() { docker image inspect "$1" >/dev/null 2>&1; }

# build NAME DIR DIGEST
build_image() {
    local variable arguments=()
    for variable in http_proxy https_proxy no_proxy; do
        [ -z "${!variable:-}" ] || arguments+=(--build-arg "$variable=${!variable}")
    done
    docker build --build-arg "BASE=$base" --build-arg "APT_OPTIONS=$(apt_options)" \
        ${arguments[@]+"${arguments[@]}"} --label "spark-lab.digest=$3" -t "$1" "$2"
}

# ensure_image NAME DIR: built when it is absent or its folder changed.
ensure_image() {
    local wanted
    wanted=$( (docker image inspect -f '{{.Id}}' "$base"; apt_options; cd "$2" && cat ./*) | digest)
    [ "$(docker image inspect -f '{{index .Config.Labels "spark-lab.digest"}}' "$1" 2>/dev/null)" = "$wanted" ] ||
        step "image $1" build_image "$1" "$2" "$wanted"
}

build_images() {
    local engine_job
    ensure_image "$engine_base" "$here/engine-base" &
    engine_job=$!
    ensure_image "$node_image" "$here/node"
    wait "$engine_job" || exit 1
}

# Where a node notes from which image of this Docker its own comes: ids differ between kinds of image store.
loaded_note() { echo "/var/lib/docker/lab-loaded-$(echo "$1" | tr '/:' '__')"; }

# lacks_image IMAGE ID NODE: prints NODE when it has not IMAGE in this very state.
lacks_image() {
    # shellcheck disable=SC2016 # expanded in the node
    docker exec "$lab_name-$3" sh -c '[ "$(cat "$0" 2>/dev/null)" = "$1" ] && docker image inspect "$2" >/dev/null 2>&1' \
        "$(loaded_note "$1")" "$2" "$1" || echo "$3"
}

# load_tar IMAGE ID TAR NODE
load_tar() {
    docker exec -i "$lab_name-$4" docker load -q <"$3"
    # shellcheck disable=SC2016 # expanded in the node
    docker exec "$lab_name-$4" sh -c 'echo "$1" >"$0"' "$(loaded_note "$1")" "$2"
}

# load_image IMAGE [MOST]: into every node (the first MOST) that lacks it; saved once for all, and to no file.
load_image() {
    local id missing pipes node pids="" pid status=0
    id=$(docker image inspect -f '{{.Id}}' "$1")
    missing=$(each lacks_image "$1" "$id" | awk -v most="${2:-$lab_most}" '$1 <= most')
    [ -n "$missing" ] || return 0
    pipes=$(mktemp -d)
    for node in $missing; do
        mkfifo "$pipes/$node"
        load_tar "$1" "$id" "$pipes/$node" "$node" &
        pids="$pids $!"
    done
    # One that fails ends them all.
    docker save "$1" | tee "$pipes"/* >/dev/null || status=1
    for pid in $pids; do wait "$pid" || status=1; done
    rm -rf "$pipes"
    return $status
}

lab_load() {
    [ $# -gt 0 ] || usage
    need_lab
    local image
    for image in "$@"; do
        have_image "$image" || problem "this Docker has no image $image" "docker -H ${DOCKER_HOST:-default} image ls"
        step "$image loaded into every node" load_image "$image"
    done
}
