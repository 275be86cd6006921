# shellcheck shell=bash
# shellcheck disable=SC2154 # $link is set by `node`
# RDMA stand-ins. /run/spark-lab is what the stand-in engine is given: infiniband/ (also seen as /sys/class/infiniband
# on the node) and `fault`, the orders it obeys.
rdma() {
    local class i
    mkdir -p /run/spark-lab/infiniband
    [ -f /run/spark-lab/fault ] || : >/run/spark-lab/fault
    # Nothing can be made in sysfs: a tmpfs over /sys/class that links to the real classes. The bind of /sys must be
    # private first, or it would show the tmpfs too.
    mkdir -p /run/sysfs
    mount --bind /sys /run/sysfs && mount --make-private /run/sysfs
    mount -t tmpfs -o mode=755 class /sys/class
    for class in /run/sysfs/class/*; do
        [ "${class##*/}" = infiniband ] || ln -s "$class" /sys/class/
    done
    hca rocep1s0f0 enp1s0f0np0 "1: DOWN" "3: Disabled" ""
    hca rocep1s0f1 enp1s0f1np1 "4: ACTIVE" "5: LinkUp" "$LAB_FABRIC_IP"
    mkdir -p /sys/class/infiniband && mount --bind /run/spark-lab/infiniband /sys/class/infiniband
    mkdir -p /dev/infiniband
    for i in 0 1; do
        [ -c /dev/infiniband/uverbs$i ] || mknod -m 666 /dev/infiniband/uverbs$i c 231 $((192 + i))
    done
    [ -c /dev/infiniband/rdma_cm ] || mknod -m 666 /dev/infiniband/rdma_cm c 10 58
}

# hca DEVICE NETDEV STATE PHYSICAL ADDRESS: GIDs 0 and 1 are link-local, 2 and 3 hold the IPv4 address; odd ones RoCE v2.
hca() {
    local device=/run/spark-lab/infiniband/$1 port=/run/spark-lab/infiniband/$1/ports/1 i type gid
    mkdir -p "$device/device/net/$2" "$port/gids" "$port/gid_attrs/types" "$port/gid_attrs/ndevs"
    echo MT4129 >"$device/hca_type"
    echo 28.45.4028 >"$device/fw_ver"
    echo "$3" >"$port/state"
    echo "$4" >"$port/phys_state"
    echo "200 Gb/sec (4X HDR)" >"$port/rate"
    echo Ethernet >"$port/link_layer"
    for i in 0 1 2 3; do
        gid=0000:0000:0000:0000:0000:0000:0000:0000
        if [ -n "$5" ]; then
            type="IB/RoCE v1"
            [ $((i % 2)) = 0 ] || type="RoCE v2"
            echo "$type" >"$port/gid_attrs/types/$i"
            echo "$2" >"$port/gid_attrs/ndevs/$i"
            # shellcheck disable=SC2086,SC2183
            if [ $i -ge 2 ]; then gid=$(printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x' ${5//./ })
            else gid=$(link_local "$2"); fi
        fi
        echo "$gid" >"$port/gids/$i"
    done
}

# The link-local GID that a NIC derives from its MAC address.
link_local() {
    local mac
    read -r mac <"/run/sysfs/class/net/$1/address" || mac=02:00:00:00:00:01
    # shellcheck disable=SC2086
    set -- ${mac//:/ }
    printf 'fe80:0000:0000:0000:%02x%s:%sff:fe%s:%s%s' $((0x$1 ^ 2)) "$2" "$3" "$4" "$5" "$6"
}

# The HCA's port follows the link.
link_state() {
    local now="1: DOWN" up=
    read -r up 2>/dev/null </sys/class/net/enp1s0f1np1/operstate
    [ "$up" = up ] && now="4: ACTIVE"
    [ "$now" = "$link" ] && return
    echo "$now" >/run/spark-lab/infiniband/rocep1s0f1/ports/1/state
    log "rocep1s0f1 $now"
    link=$now
}
