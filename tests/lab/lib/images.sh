# shellcheck shell=bash
# The images: Debian, a node, the base that engine images are built on. All stay in Docker until `lab purge`.

lab_debian=debian:13-slim
lab_debian_made=spark-lab-debian:13

have_image() { docker image inspect "$1" >/dev/null 2>&1; }

# Sets $base: the official image, or, where no registry answers, one made from Debian's packages.
base_image() {
    if have_image "$lab_debian"; then base=$lab_debian; return; fi
    if have_image "$lab_debian_made"; then base=$lab_debian_made; return; fi
    if limit 120 docker pull -q "$lab_debian" >/dev/null 2>&1; then base=$lab_debian; return; fi
    if [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
        problem "$lab_debian cannot be pulled, and making it needs Linux, root and debootstrap" \
            "docker pull $lab_debian must work, or run \`npm run setup\` as root"
    fi
    step "$lab_debian cannot be pulled: $lab_debian_made made with debootstrap" debootstrap_image
    base=$lab_debian_made
}

# The machine's own Debian mirror, if it has one; else debootstrap's default.
apt_mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        grep -E '^(deb |URIs:)' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || :
}

# What the machine's apt is told about proxies and dates holds inside image builds too.
apt_options() {
    ! command -v apt-config >/dev/null ||
        apt-config dump 2>/dev/null | grep -E '^Acquire::(Check-|https?::Proxy)' | grep -v -e '""' -e '//127\.' -e '//localhost' || :
}

debootstrap_image() {
    local dir root mirror
    # in memory where there is room for it: dpkg waits for the disk after each file
    dir=$(df -k /dev/shm 2>/dev/null | awk 'NR == 2 && $4 > 2000000 { print $6 }')
    dir=$(mktemp -d ${dir:+-p "$dir"}) root=$dir/root mirror=$(apt_mirror)
    mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/image"
    debootstrap --variant=minbase trixie "$root" ${mirror:+"$mirror"} || { rm -rf "$dir"; return 1; }
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/doc/* \
        "$root"/usr/share/man/* "$root"/usr/share/locale/*
    tar -C "$root" -c . | docker import -c 'CMD ["bash"]' - "$lab_debian_made"
    rm -rf "$dir"
}

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
