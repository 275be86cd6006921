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

# load_image IMAGE NODE: skipped when the node has it from this very image.
load_image() {
    local image=$1 node=$lab_name-$2 id note
    id=$(docker image inspect -f '{{.Id}}' "$image") || return 1
    note=/var/lib/docker/lab-loaded-$(echo "$image" | tr '/:' '__')
    docker exec "$node" sh -c '[ "$(cat "$0" 2>/dev/null)" = "$1" ] && docker image inspect "$2" >/dev/null 2>&1' \
        "$note" "$id" "$image" && return 0
    docker save "$image" | docker exec -i "$node" docker load -q &&
        docker exec "$node" sh -c 'echo "$1" >"$0"' "$note" "$id"
}

lab_load() {
    [ $# -gt 0 ] || usage
    need_lab
    local image
    for image in "$@"; do
        have_image "$image" || problem "this Docker has no image $image" "docker -H ${DOCKER_HOST:-default} image ls"
        step "$image loaded into every node" each load_image "$image"
    done
}
