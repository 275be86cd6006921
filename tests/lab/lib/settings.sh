# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # read by the other parts; $here is set by ../lab
# Names, folders and limits of one lab. LAB names it; labs of different names stand side by side.

project=$(cd "$here/../.." && pwd)
LAB=${LAB:-}
if ! [[ $LAB =~ ^[a-z0-9]{0,12}$ ]]; then
    problem "LAB=$LAB: 1 to 12 lower-case letters and digits wanted" "for example LAB=two"
fi
lab_name=spark-lab${LAB:+-$LAB}
lab_stack=lab${LAB:+-$LAB}
lab_dir=$project/.lab${LAB:+/$LAB}
lab_label=spark-lab=$lab_name
lab_cache=${XDG_CACHE_HOME:-$HOME/.cache}/spark-vllm-lab

# Sparse: what a node really writes is what it takes on this machine's disk.
LAB_DISK=${LAB_DISK:-100G}
LAB_BIND=${LAB_BIND:-}
# The process that will take this lab down again (abandoned.sh).
LAB_FOR=${LAB_FOR:-}
LAB_ENGINE=${LAB_ENGINE:-}
lab_most=8

engine_base=spark-lab-engine-base:13

# Slot S: management 172.30.(100+S).0/24, fabric 10.100.(100+S).0/24, ssh ports 22000+20*S+I.
lab_slots=40
mgmt_net() { echo "172.30.$((100 + $1))"; }
fabric_net() { echo "10.100.$((100 + $1))"; }
ssh_port() { echo $((22000 + 20 * $1 + $2)); }
