# shellcheck shell=sh disable=SC2154
# Every RDMA device of sysfs with port 1: state, rate, GIDs that are set, interfaces. Where sysfs shows none, what the
# tools tell, without GIDs.
rdma_devices() {
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
    [ -z "$first" ] || rdma_of_tools
    printf ']'
}

# `link rocep1s0f1/1 state ACTIVE physical_state LINK_UP netdev enp1s0f1np1`, or else
# `rocep1s0f1 port 1 ==> enp1s0f1np1 (Up)`.
rdma_of_tools() {
    if command -v rdma >/dev/null && links=$(within 5 rdma link) && [ -n "$links" ]; then tool='rdma link'
    elif command -v ibdev2netdev >/dev/null; then tool=ibdev2netdev links=$(within 5 ibdev2netdev); else return; fi
    printf '%s\n' "$links" | awk -v tool="$tool" '
        function word(after,    i) { for (i = 1; i < NF; i++) if ($i == after) return $(i + 1); return "" }
        tool == "rdma link" { name = $2; if (name !~ /\/1$/) next; sub(/\/.*/, "", name)
            state = word("state"); physical = word("physical_state"); interface = word("netdev") }
        tool == "ibdev2netdev" { if ($2 != "port" || $3 != 1) next; name = $1; interface = $5; physical = ""
            state = ($6 == "(Up)" ? "ACTIVE" : "DOWN") }
        name ~ /^[A-Za-z0-9_.-]+$/ && interface ~ /^[A-Za-z0-9_.-]*$/ {
            printf "%s{\"name\":\"%s\",\"state\":\"%s\",\"phys_state\":\"%s\",\"rate\":\"\",\"link_layer\":\"\",\"interfaces\":[%s],\"gids\":[],\"tool\":\"%s\"}",
                (n++ ? "," : ""), name, state, physical, (interface == "" ? "" : "\"" interface "\""), tool }'
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

# Mbit/s that the fabric's interface could do, as its driver says; {} when nobody tells.
capable() {
    via=$(given via "$@")
    most=
    if [ -n "$via" ] && command -v ethtool >/dev/null; then
        most=$(within 5 ethtool "$via" | awk '
            /Supported link modes/ { on = 1 } /Supported pause/ { on = 0 }
            on { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+base/ && $i + 0 > most) most = $i + 0 }
            END { print most }')
    fi
    [ -z "$most" ] && printf '{}' || printf '{%s:%s}' "$(str "$via")" "$(num "$most")"
}

# Which of the other nodes' fabric addresses answer on the fabric's own interface (`via`); all asked at once.
peers() {
    command -v ping >/dev/null || {
        printf null
        return
    }
    via=$(given via "$@")
    answers=$(
        given peer "$@" | while read -r peer; do
            if holds 4 ping -n -q -c 1 -W 2 ${via:+-I "$via"} "$peer"; then echo "\"$peer\":true"; else echo "\"$peer\":false"; fi &
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
