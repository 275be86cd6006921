# shellcheck shell=sh disable=SC2154
# Every RDMA device of sysfs with port 1: state, rate, GIDs that are set, interfaces.
rdma() {
    printf '['
    first=1
    for device in /sys/class/infiniband/*; do
        [ -d "$device/ports" ] || continue
        [ -n "$first" ] || printf ,
        first=
        printf '{"name":%s' "$(str "${device##*/}")"
        for fact in state phys_state rate link_layer; do
            line_of "$device/ports/1/$fact"
            printf ',"%s":%s' "$fact" "$(str "$line")"
        done
        printf ',"interfaces":['
        separator=
        for interface in "$device"/device/net/*; do
            [ -e "$interface" ] || continue
            printf '%s%s' "$separator" "$(str "${interface##*/}")"
            separator=,
        done
        printf '],"gids":['
        gids "$device/ports/1"
        printf ']}'
    done
    printf ']'
}

gids() {
    separator=
    for gid in "$1"/gids/*; do
        line_of "$gid"
        case $line in '' | 0000:0000:0000:0000:0000:0000:0000:0000) continue ;; esac
        printf '%s{"index":%s,"gid":"%s"' "$separator" "${gid##*/}" "$line"
        line_of "$1/gid_attrs/types/${gid##*/}"
        printf ',"type":%s' "$(str "$line")"
        line_of "$1/gid_attrs/ndevs/${gid##*/}"
        printf ',"interface":%s}' "$(str "$line")"
        separator=,
    done
}

# Interfaces with their IPv4 addresses as iproute2 tells them; null without it.
interfaces() {
    command -v ip >/dev/null && found=$(within 5 ip -j -4 addr show) || found=
    case $found in \[*) printf '%s' "$found" ;; *) printf null ;; esac
}

# Mbit/s of each interface that says so.
speeds() {
    printf '{'
    separator=
    for interface in /sys/class/net/*; do
        line_of "$interface/speed"
        case $line in '' | -* | 0) continue ;; esac
        printf '%s%s:%s' "$separator" "$(str "${interface##*/}")" "$(num "$line")"
        separator=,
    done
    printf '}'
}

# Which of the other nodes' fabric addresses answer; all asked at once.
peers() {
    command -v ping >/dev/null || {
        printf null
        return
    }
    answers=$(
        given peer "$@" | while read -r peer; do
            if holds 4 ping -n -q -c 1 -W 2 "$peer"; then echo "\"$peer\":true"; else echo "\"$peer\":false"; fi &
        done
        wait
    )
    printf '{%s}' "$(printf '%s' "$answers" | paste -sd, -)"
}

# The character devices that a container is given; without them NCCL falls back to TCP.
devices() {
    printf '['
    separator=
    for device in /dev/infiniband/*; do
        [ -e "$device" ] || continue
        printf '%s%s' "$separator" "$(str "${device##*/}")"
        separator=,
    done
    printf ']'
}
