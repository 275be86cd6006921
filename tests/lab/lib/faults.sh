# shellcheck shell=bash
# shellcheck disable=SC2016,SC2154 # expanded in the node; names set by ../lab and settings.sh
# Faults of nodes, of the network and of the NAS, and orders for the stand-in engine.

in_node() {
    local node=$1
    shift
    docker exec "$lab_name-$node" "$@"
}

# lab_orders NODE WORD…: into /run/spark-lab/fault, which the engine on that node reads; `+` begins another line.
lab_orders() {
    [ $# -ge 2 ] || problem "fault: a node and an order wanted" "for example: lab fault 2 exit 1 at load + slow-boot 20; lab fault 2 clear"
    need_node "$1"
    local node=$1 text
    shift
    text="$*"
    text=${text// + /$'\n'}
    [ "$text" != clear ] || text=""
    in_node "$node" sh -c 'printf "%s" "${0:+$0
}" >/run/spark-lab/fault' "$text"
}

lab_fault() {
    local fault=$1
    shift
    case $fault in
        nas-hang | nas-resume) need_lab ;;
        *) need_node "${1:-}" ;;
    esac
    "fault_${fault/-/_}" "$@"
}

# Power lost, and back.
fault_kill() { docker kill "$lab_name-$1" >/dev/null; }
fault_start() {
    docker start "$lab_name-$1" >/dev/null
    wait_ready "$lab_name-$1"
}
fault_reboot() {
    docker restart "$lab_name-$1" >/dev/null
    wait_ready "$lab_name-$1"
}
# Every process stopped, sockets stay open.
fault_hang() { docker pause "$lab_name-$1" >/dev/null; }
fault_resume() { docker unpause "$lab_name-$1" >/dev/null; }
# The fabric's cable out: the interface stays, its link is down.
fault_unplug() { in_node "$1" ip link set enp1s0f1np1 down; }
fault_plug() { in_node "$1" ip link set enp1s0f1np1 up; }
# The fabric's interface gone. It gets its old name back first: Docker looks for that one, and otherwise leaves the
# interface in place and working, without an error.
fault_cut() {
    in_node "$1" sh -c 'touch /run/cut; ip link set enp1s0f1np1 down; ip link set enp1s0f1np1 name "$(cat /run/fabric-name)"'
    docker network disconnect "$lab_name-fabric" "$lab_name-$1"
}
fault_heal() {
    join_fabric "$1"
    in_node "$1" rm -f /run/cut
}
# ssh does not reach the node; the fabric stays.
fault_isolate() { in_node "$1" ip link set eth0 down; }
fault_rejoin() {
    in_node "$1" sh -c 'ip link set eth0 up; ip route replace default via "$0"' "$(mgmt_net "$slot").1"
}
# fill NODE [LEFT_BYTES]: the disk is the node's own, the machine's is not touched.
fault_fill() {
    in_node "$1" sh -c 'f=/var/lib/docker
        fallocate -l $(($(df --output=avail -B1 $f | tail -1) - $0)) $f/fill 2>/dev/null
        df -h $f' "${2:-0}"
}
fault_empty() { in_node "$1" rm -f /var/lib/docker/fill; }
# memory NODE GIB: what the node's /proc/meminfo shows as available (102 after a start).
fault_memory() {
    [[ ${2:-} =~ ^[0-9]+$ ]] || problem "memory: GiB wanted" "for example: lab memory 1 40"
    in_node "$1" bash -c '. /usr/local/lib/spark/memory.sh; memory "$0"' "$2"
}
# The NAS share is not mounted, and is again.
fault_umount() { in_node "$1" umount -l /mnt/nas/ai/huggingface; }
fault_mount() { in_node "$1" bash -c 'state=/var/lib/spark; . /usr/local/lib/spark/storage.sh; nas'; }
# The NAS stops answering: reads hang, then go on.
fault_nas_hang() { docker pause "$lab_name-nas" >/dev/null; }
fault_nas_resume() { docker unpause "$lab_name-nas" >/dev/null; }
