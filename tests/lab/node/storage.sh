# shellcheck shell=bash
# shellcheck disable=SC2154 # $state is set by `node`
# A node's disk and its NAS mount.

# A bounded ext4 of its own (a full disk is then this node's alone); else a folder of the volume.
disk() {
    local l
    mkdir -p /var/lib/docker
    [ -f "$state/disk.img" ] || {
        truncate -s "$LAB_DISK" "$state/disk.new" && mkfs.ext4 -q -F -m 0 -E nodiscard "$state/disk.new" &&
            mv "$state/disk.new" "$state/disk.img"
    }
    # A container's /dev holds the loop nodes of the moment it was made; which one is free is a race between nodes.
    for l in {0..63}; do [ -b "/dev/loop$l" ] || mknod "/dev/loop$l" b 7 "$l"; done
    for _ in {1..50}; do
        # noinit_itable: the sparse file would be filled with zeros in the background; discard: what is removed there is
        # given back here
        mount -o loop,noinit_itable,discard "$state/disk.img" /var/lib/docker 2>/dev/null && return
        sleep 0.$((RANDOM % 20 + 5))
    done
    log "no loop device: the node's disk is the volume itself"
    mkdir -p "$state/docker" && mount --bind "$state/docker" /var/lib/docker
}

# Over ssh from the NAS container: a network file system that can hang, as a NAS can. That one starts beside the nodes,
# and on a loaded machine answers long after them: refusals are quick, so the tries end by time, not by number.
nas() {
    local at=/mnt/nas/ai/huggingface links="" end=$((SECONDS + 60))
    findmnt -n $at >/dev/null && return
    mkdir -p $at
    # A hub's snapshots are links with `..`, which newer sshfs refuses unless told.
    sshfs --help 2>&1 | grep -q no_contain_symlinks && links=,no_contain_symlinks
    while [ $SECONDS -lt $end ]; do
        timeout 10 sshfs -o IdentityFile=/run/nas_key,StrictHostKeyChecking=accept-new,UserKnownHostsFile="$state/nas_hosts" \
            -o allow_other,reconnect,ServerAliveInterval=15,cache=yes,ConnectTimeout=3$links \
            "root@$LAB_NAS:/export/ai/huggingface" $at && return
        sleep 1
    done
    return 1
}
