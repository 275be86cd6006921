# shellcheck shell=bash
# Interfaces, name service, control groups of a node.

# name_link ADDRESS NAME: Docker numbers interfaces anew at every start; a Spark's have fixed names. The name that
# Docker knows is kept in /run/fabric-name: `docker network disconnect` looks for it.
name_link() {
    local now
    now=$(ip -o -4 addr show | awk -v a="$1" 'index($4, a "/") == 1 { print $2 }')
    [ -n "$now" ] && [ "$now" != "$2" ] || return 0
    ip link set "$now" down
    ip link set "$now" name "$2"
    ip link set "$2" up
    log "$now is $2"
    if [ "$2" = eth0 ]; then ip route replace default via "$LAB_GATEWAY"; else echo "$now" >/run/fabric-name; fi
}

# 127.0.0.11 (Docker's resolver) means nothing to the node's own containers and builds: forward from the node's address.
dns() {
    dnsmasq --no-hosts --no-resolv --server=127.0.0.11 --listen-address="$LAB_MGMT_IP" --bind-interfaces \
        --pid-file=/run/dnsmasq.pid
    echo "nameserver $LAB_MGMT_IP" >/etc/resolv.conf
}

# cgroup v2: processes leave the root group, so that controllers can be given on to the node's containers.
delegate_cgroups() {
    local controllers
    [ -f /sys/fs/cgroup/cgroup.controllers ] || return 0
    mkdir -p /sys/fs/cgroup/init
    xargs -rn1 </sys/fs/cgroup/cgroup.procs >/sys/fs/cgroup/init/cgroup.procs 2>/dev/null
    read -r controllers </sys/fs/cgroup/cgroup.controllers
    for controllers in $controllers; do echo "+$controllers" >/sys/fs/cgroup/cgroup.subtree_control; done
}
