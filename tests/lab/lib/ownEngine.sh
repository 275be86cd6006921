# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # read by the other parts; names set by ../lab and settings.sh
# A dockerd of the lab's own, for a Linux machine without a running or usable Docker: in a network namespace of its own,
# so its iptables rules touch nothing else; reached by published ports at 10.199.S.2. It ends with the last lab.

own_slot=${LAB_OWN_SLOT:-0}
own_run=/run/spark-vllm-lab-$own_slot
own_data=$lab_cache/engine-$own_slot
own_netns=spark-lab-$own_slot
own_link=sparklab$own_slot
own_net=10.199.$own_slot
registered=before

# A killed dockerd that nobody has reaped yet still has its process id.
own_running() {
    [ -f "$own_run/pid" ] && grep -q '^State:.[^ZX]' "/proc/$(cat "$own_run/pid")/status" 2>/dev/null
}
use_own() {
    export DOCKER_HOST=unix://$own_run/docker.sock
    unset DOCKER_CONTEXT DOCKER_TLS_VERIFY
}

own_needs() {
    local tool missing=""
    [ "$(uname -s)" = Linux ] || problem "Docker does not answer" "start Docker Desktop"
    [ "$(id -u)" = 0 ] || problem "Docker does not answer, and a dockerd of the lab's own needs root" \
        "start Docker, or run as root"
    for tool in dockerd:docker.io ip:iproute2 iptables:iptables jq:jq nsenter:util-linux flock:util-linux; do
        command -v "${tool%:*}" >/dev/null || missing="$missing ${tool#*:}"
    done
    [ -z "$missing" ] || problem "missing packages:$missing" "run \`npm run setup\`, or apt-get install$missing"
}

own_lock() {
    mkdir -p "$lab_cache"
    exec 9>"$lab_cache/lock-$own_slot"
    flock 9
}
own_unlock() { exec 9>&-; }
# One file a lab; it holds the lab's project folder. Sets $registered: here, unless it was so before.
own_register() {
    mkdir -p "$own_run/labs"
    [ ! -f "$own_run/labs/$lab_name" ] || return 0
    echo "$project" >"$own_run/labs/$lab_name"
    registered=here
}

# rule TABLE CHAIN SPEC…: adds it and notes how it is taken away again.
own_rule() {
    local table=$1 chain=$2
    shift 2
    iptables -w -t "$table" -I "$chain" "$@" -m comment --comment "$own_netns"
    echo "-t $table -D $chain $* -m comment --comment $own_netns" >>"$own_run/rules"
}

own_network() {
    local out
    out=$(ip route show default | awk '{ for (i = 1; i < NF; i++) if ($i == "dev") { print $(i + 1); exit } }')
    [ -n "$out" ] || { echo "no default route"; return 1; }
    ip netns add "$own_netns"
    ip link add "$own_link" type veth peer name eth0 netns "$own_netns"
    ip addr add "$own_net.1/30" dev "$own_link"
    ip link set "$own_link" mtu "$(cat "/sys/class/net/$out/mtu")" up
    ip -n "$own_netns" addr add "$own_net.2/30" dev eth0
    ip -n "$own_netns" link set eth0 mtu "$(cat "/sys/class/net/$out/mtu")" up
    ip -n "$own_netns" link set lo up
    ip -n "$own_netns" route add default via "$own_net.1"
    own_forwarding
    own_rule nat POSTROUTING -s "$own_net.0/30" -o "$out" -j MASQUERADE
    own_rule filter FORWARD -i "$own_link" -j ACCEPT
    own_rule filter FORWARD -o "$own_link" -j ACCEPT
}

# The machine's own setting is put back when the last such engine ends.
own_forwarding() {
    local other
    for other in /run/spark-vllm-lab-*/ip_forward; do
        [ -f "$other" ] && cp "$other" "$own_run/ip_forward.new" && break
    done
    [ -f "$own_run/ip_forward.new" ] || cat /proc/sys/net/ipv4/ip_forward >"$own_run/ip_forward.new"
    mv "$own_run/ip_forward.new" "$own_run/ip_forward"
    echo 1 >/proc/sys/net/ipv4/ip_forward
}

own_start() {
    local flags="" tries=0
    own_stop # what a crash left
    mkdir -p "$own_run/exec" "$own_data"
    own_network
    if ! limits_can_rise; then
        install -m 755 "$here/node/lab-runc" "$own_run/lab-runc"
        flags="--add-runtime lab=$own_run/lab-runc --default-runtime lab"
    fi
    # nsenter, not `ip netns exec`, which hides the cgroup mounts. The lock must not stay with the daemon.
    # shellcheck disable=SC2086
    nsenter --net="/run/netns/$own_netns" setsid dockerd $flags --cgroup-parent "/$own_netns" \
        --data-root "$own_data" --exec-root "$own_run/exec" -p "$own_run/pid" \
        -H "unix://$own_run/docker.sock" >"$own_run/log" 2>&1 </dev/null 9>&- &
    until docker -H "unix://$own_run/docker.sock" version >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 150 ] || { tail -n 20 "$own_run/log"; own_stop; return 1; }
        sleep 0.1
    done
}

# Ends the daemon and takes away all that own_start made, but not the cached images in $own_data.
own_stop() {
    local rule pid="" dir
    if own_running; then
        pid=$(cat "$own_run/pid")
        kill "$pid"
        while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    elif [ -d "$own_run" ]; then
        own_orphans
    fi
    ! [ -f "$own_run/rules" ] || while read -r rule; do
        # shellcheck disable=SC2086
        iptables -w $rule 2>/dev/null || :
    done <"$own_run/rules"
    ip link del "$own_link" 2>/dev/null || :
    ip netns del "$own_netns" 2>/dev/null || :
    for dir in /sys/fs/cgroup/"$own_netns" /sys/fs/cgroup/*/"$own_netns"; do
        ! [ -d "$dir" ] || find "$dir" -depth -type d -exec rmdir {} \; 2>/dev/null || :
    done
    own_forwarding_back
    rm -rf "$own_run"
}

# A dockerd that was killed leaves its containers running: processes by control group or by our folder in their
# arguments, then what is mounted there.
own_orphans() {
    local file pid mount
    for file in $(find /sys/fs/cgroup -path "*/$own_netns/*" -name cgroup.procs) \
        $(grep -l -s -F "$own_run/exec" /proc/[0-9]*/cmdline); do
        case $file in
            /proc/*)
                pid=${file#/proc/}
                kill -9 "${pid%/cmdline}" 2>/dev/null || :
                ;;
            *) while read -r pid; do kill -9 "$pid" 2>/dev/null || :; done <"$file" ;;
        esac
    done
    sleep 0.5
    awk -v run="$own_run/" -v data="$own_data" 'index($2, run) == 1 || index($2, data) == 1 { print $2 }' \
        /proc/mounts | sort -r | while read -r mount; do umount -l "$mount" || :; done
}

own_forwarding_back() {
    local before
    [ -f "$own_run/ip_forward" ] || return 0
    before=$(cat "$own_run/ip_forward")
    rm "$own_run/ip_forward"
    ls /run/spark-vllm-lab-*/ip_forward >/dev/null 2>&1 || echo "$before" >/proc/sys/net/ipv4/ip_forward
}

# After `down`: without any lab left the daemon ends too.
own_release() {
    own_lock
    rm -f "$own_run/labs/$lab_name"
    rmdir "$own_run/labs" 2>/dev/null && step "own dockerd stopped" own_stop
    own_unlock
}
