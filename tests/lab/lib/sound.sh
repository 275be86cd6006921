# shellcheck shell=bash
# shellcheck disable=SC2016,SC2154 # expanded in the node; names set by ../lab and settings.sh
# Whether every node is as `up` leaves it: what a test, or a user who broke something, has left behind.

# What is run in a node; prints a line for each thing left.
sound_here='
at=/mnt/nas/ai/huggingface
docker ps --filter label=spark-vllm.rank --format "a rank runs: {{.Names}} ({{.Label \"spark-vllm.owner\"}})" ||
    echo "dockerd does not answer"
docker image inspect "$1" >/dev/null 2>&1 || echo "there is no image $1"
[ ! -s /run/spark-lab/fault ] || echo "orders for the engine: $(tr "\n" "+" </run/spark-lab/fault)"
[ ! -e /var/lib/docker/fill ] || echo "the disk is filled"
if ! grep -q " $at fuse.sshfs " /proc/mounts; then
    echo "the NAS is not mounted at $at"
elif ! said=$(timeout 5 ls "$at/hub" 2>&1 >/dev/null); then
    # Whether sshfs itself has ended, and what it was about.
    echo "the NAS at $at does not answer: ${said:-nothing within 5 s}; sshfs: $(pgrep -x sshfs | tr "\n" " ")"
fi
awk "/^MemAvailable:/ { gib = \$2 / 1048576; if (gib != 102) print gib \" GiB of memory available, not 102\" }" /proc/meminfo
[ ! -e /run/cut ] || echo "/run/cut is there"
for link in eth0 enp1s0f1np1; do
    ip -o link show up dev "$link" 2>/dev/null | grep -q . || echo "$link is not there or down"
done
grep -q ACTIVE /run/spark-lab/infiniband/rocep1s0f1/ports/1/state || echo "rocep1s0f1 is not active"
'

sound_on() { in_node "$1" bash -c "$sound_here" bash "$engine_base" 2>&1 | sed "s/^/spark-$1: /"; }

lab_sound() {
    local left
    need_lab
    left=$(each sound_on)
    # A port's state follows its link within a second.
    [ -z "$left" ] || { sleep 2; left=$(each sound_on); }
    [ -z "$left" ] || { echo "$left"; return 1; }
}
