# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names set by ../lab and settings.sh
# The Debian that all images are built on: the official image, or, where no registry answers, one made from packages.

lab_debian=debian:13-slim
lab_debian_made=spark-lab-debian:13
lab_suite=trixie

# Sets $base. The image that is made here holds python3 already: one run of the package manager less.
base_image() {
    local image
    for image in $lab_debian $lab_debian_made; do
        if have_image "$image"; then base=$image && return; fi
    done
    base=$lab_debian
    ! limit 120 docker pull -q $lab_debian >/dev/null 2>&1 || return 0
    base=$lab_debian_made
    [ "$(uname -s)/$(id -u)" = Linux/0 ] ||
        problem "$lab_debian cannot be pulled, and making it needs root on Linux" "docker pull $lab_debian must work"
    if command -v mmdebstrap >/dev/null; then
        step "$lab_debian cannot be pulled: made with mmdebstrap" make_debian mmdebstrap_root
    elif command -v debootstrap >/dev/null; then
        step "$lab_debian cannot be pulled: made with debootstrap" make_debian debootstrap_root
    else
        problem "$lab_debian cannot be pulled, and neither mmdebstrap nor debootstrap is installed" \
            "run \`npm run setup\`, or apt-get install mmdebstrap"
    fi
}

# The machine's own Debian mirror, if it has one; else the tools' default.
apt_mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        grep -E '^(deb |URIs:)' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || :
}

# What the machine's apt is told about proxies and dates holds inside image builds too.
apt_options() {
    ! command -v apt-config >/dev/null ||
        apt-config dump 2>/dev/null | grep -E '^Acquire::(Check-|https?::Proxy)' |
        grep -v -e '""' -e '//127\.' -e '//localhost' || :
}

# As in the official image: no waiting for the disk after each file, no documentation, no translations.
dpkg_options() {
    echo force-unsafe-io
    printf 'path-exclude=/usr/share/%s/*\n' doc man locale info
}

# make_debian HOW: HOW DIR leaves DIR/root.tar. In memory where there is room for it.
make_debian() {
    local dir
    dir=$(df -k /dev/shm 2>/dev/null | awk 'NR == 2 && $4 > 2000000 { print $6 }')
    dir=$(mktemp -d ${dir:+-p "$dir"})
    # shellcheck disable=SC2064 # this dir
    trap "rm -rf '$dir'" EXIT
    dpkg_options >"$dir/dpkg.cfg"
    { apt_options && echo 'Acquire::Languages "none";'; } >"$dir/apt.conf"
    "$1" "$dir"
    docker import -c 'CMD ["bash"]' "$dir/root.tar" $lab_debian_made
}

mmdebstrap_root() {
    TMPDIR=$1 mmdebstrap --variant=minbase --include=python3,ca-certificates --dpkgopt="$1/dpkg.cfg" \
        --aptopt="$1/apt.conf" $lab_suite "$1/root.tar" "$(apt_mirror)"
}

debootstrap_root() {
    local mirror root=$1/root
    mirror=$(apt_mirror)
    mkdir -p "$root/etc/dpkg/dpkg.cfg.d" "$root/etc/apt/apt.conf.d"
    cp "$1/dpkg.cfg" "$root/etc/dpkg/dpkg.cfg.d/90lab"
    cp "$1/apt.conf" "$root/etc/apt/apt.conf.d/90lab"
    debootstrap --variant=minbase --include=python3,ca-certificates $lab_suite "$root" ${mirror:+"$mirror"}
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    tar -C "$root" -cf "$1/root.tar" .
}
