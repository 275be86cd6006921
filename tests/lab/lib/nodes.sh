# shellcheck shell=bash
# shellcheck disable=SC2154 # names set by ../lab and settings.sh
# The nodes and the NAS: networks, containers, waiting for them.

node_names() {
    docker ps -a --filter "label=$lab_label" --filter label=spark-lab.role=node --format '{{.Names}}'
}
node_numbers() { node_names | sed "s/^$lab_name-//" | sort -n; }

need_lab() {
    if ! find_engine || [ -z "$(node_numbers)" ]; then problem "lab $lab_name is not up" "npm run lab -- up"; fi
    slot=$(lab_slot)
}
need_node() {
    [[ ${1:-} =~ ^[1-9][0-9]*$ ]] || problem "node number wanted, got \"${1:-}\"" "for example: lab ssh 1"
    need_lab
    node_numbers | grep -qx "$1" || problem "lab $lab_name has no node $1" "nodes: $(node_numbers | tr '\n' ' ')"
}

lab_slot() { docker network inspect -f '{{index .Labels "spark-lab.slot"}}' "$lab_name-mgmt" 2>/dev/null; }
lab_home() { docker network inspect -f '{{index .Labels "spark-lab.project"}}' "$lab_name-mgmt" 2>/dev/null; }

# ports_are_free SLOT: nobody answers on any port that its nodes would have.
ports_are_free() {
    local i
    for ((i = 1; i <= lab_most; i++)); do
        ! (exec 3<>"/dev/tcp/$bind/$(ssh_port "$1" "$i")") 2>/dev/null || return 1
    done
}

# Sets $slot: the lab's, or the first whose subnets and ports nobody has. Docker refuses a subnet that overlaps.
networks() {
    slot=$(lab_slot) || slot=0
    until have_networks || make_networks; do
        slot=$((slot + 1))
        [ "$slot" -lt "$lab_slots" ] ||
            problem "no free subnet 172.30.x.0/24 with 10.100.x.0/24" "docker network ls; take other labs down"
    done
}
have_networks() {
    docker network inspect "$lab_name-mgmt" "$lab_name-fabric" >/dev/null 2>&1
}
make_networks() {
    local common=(--label "$lab_label" --label "spark-lab.slot=$slot" --label "spark-lab.project=$project")
    [ -z "$LAB_FOR" ] || common+=(--label "spark-lab.for=$(process_mark "$LAB_FOR")")
    ports_are_free "$slot" || return 1
    docker network create "${common[@]}" --subnet "$(mgmt_net "$slot").0/24" "$lab_name-mgmt" >/dev/null 2>&1 &&
        docker network create "${common[@]}" --internal --subnet "$(fabric_net "$slot").0/24" \
            --gateway "$(fabric_net "$slot").254" --opt com.docker.network.driver.mtu=9000 \
            "$lab_name-fabric" >/dev/null 2>&1 && return 0
    docker network rm "$lab_name-mgmt" >/dev/null 2>&1 || :
    return 1
}

# container NAME ROLE ARGUMENT…: made anew when the image changed; the volume stays.
container() {
    local name=$1 role=$2
    shift 2
    if [ "$(docker inspect -f '{{.Image}}' "$name" 2>/dev/null)" != "$node_image_id" ]; then
        docker rm -f "$name" >/dev/null 2>&1 || :
        docker create --name "$name" --label "$lab_label" --label "spark-lab.role=$role" \
            --tmpfs /run:exec --tmpfs /tmp:exec -e "LAB_PUBKEY=$(cat "$lab_dir/id_ed25519.pub")" \
            -v "$name:/var/lib/spark" "$@" "$node_image" "$role" >/dev/null
        [ "$role" != node ] || join_fabric "${name##*-}"
    fi
    docker unpause "$name" >/dev/null 2>&1 || :
    docker start "$name" >/dev/null
}
join_fabric() { docker network connect --ip "$(fabric_net "$slot").$1" "$lab_name-fabric" "$lab_name-$1"; }

start_nas() {
    container "$lab_name-nas" nas --hostname nas --network "$lab_name-mgmt" --ip "$(mgmt_net "$slot").250"
}
start_node() {
    local address
    address=$(mgmt_net "$slot").$((10 + $1))
    container "$lab_name-$1" node --hostname "spark-$1" --privileged --shm-size 4g --stop-timeout 30 \
        --network "$lab_name-mgmt" --ip "$address" -p "$bind:$(ssh_port "$slot" "$1"):22" \
        -e "LAB_DISK=$LAB_DISK" -e "LAB_MGMT_IP=$address" -e "LAB_GATEWAY=$(mgmt_net "$slot").1" \
        -e "LAB_FABRIC_IP=$(fabric_net "$slot").$1" -e "LAB_NAS=$(mgmt_net "$slot").250" \
        -e "LAB_NAS_KEY=$(base64 <"$lab_dir/id_ed25519" | tr -d '\n')"
    wait_ready "$lab_name-$1"
}

# The node says so itself, once its dockerd answers.
wait_ready() {
    local end=$((SECONDS + 150))
    until docker exec "$1" test -e /run/ready >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || { echo "$1 is not ready"; docker logs --tail 20 "$1"; return 1; }
        sleep 0.2
    done
}

start_nodes() {
    local i pids="" pid status=0
    start_nas
    for ((i = 1; i <= $1; i++)); do
        start_node $i &
        pids="$pids $!"
    done
    for pid in $pids; do wait "$pid" || status=1; done
    return $status
}

# Nodes above the number wanted.
surplus_nodes() { node_numbers | awk -v most="$1" -v name="$lab_name" '$1 > most { print name "-" $1 }'; }
drop_nodes() {
    docker rm -f "$@"
    docker volume rm "$@"
}

answers_ssh() { ssh -F "$lab_dir/ssh_config" "spark-$1" docker version --format '{{.Server.Version}}'; }

# Takes back what start_engine did for a lab that is not to be.
leave_no_start() {
    rm -f "$lab_dir/engine"
    rmdir "$lab_dir" "$project/.lab" 2>/dev/null || :
    [ "$registered" != here ] || own_release
}

lab_up() {
    local count=$1 owner surplus
    [[ $count =~ ^[1-$lab_most]$ ]] ||
        problem "up $count: a number of nodes from 1 to $lab_most wanted"
    [ -z "$LAB_FOR" ] || process_mark "$LAB_FOR" >/dev/null || problem "LAB_FOR=$LAB_FOR: a running process wanted"
    need_tools
    start_engine
    remove_abandoned
    owner=$(lab_home) || owner=$project
    if [ "$owner" != "$project" ] && [ -d "$owner" ]; then
        leave_no_start
        problem "lab $lab_name belongs to $owner" "choose another name: LAB=two npm run lab -- up"
    elif [ "$owner" != "$project" ]; then
        # Nobody else can take it down any more.
        step "a lab $lab_name of $owner, which is gone: removed" remove_all
    fi
    base_image
    node_image=spark-lab-node:13
    build_images
    node_image_id=$(docker image inspect -f '{{.Id}}' $node_image)
    [ -f "$lab_dir/id_ed25519" ] || ssh-keygen -q -t ed25519 -N '' -C "$lab_name" -f "$lab_dir/id_ed25519"
    networks
    surplus=$(surplus_nodes "$count")
    # shellcheck disable=SC2086 # words: one name a node
    [ -z "$surplus" ] || step "nodes above $count removed" drop_nodes $surplus
    step "$count nodes and a NAS" start_nodes "$count"
    # A node starts without it too, as a machine does.
    step "the NAS mounted on every node" each fault_mount
    step "$engine_base in every node" load_image "$engine_base"
    write_ssh
    step "ssh to every node, its dockerd answering" each answers_ssh
    write_stack
    say "$count nodes in $(seconds "$lab_t0") s; stack $lab_stack written. Try: ssh -F ${lab_dir#"$project"/}/ssh_config spark-1"
}

lab_status() {
    find_engine || { say "lab $lab_name is not up"; return 1; }
    docker ps -a --filter "label=$lab_label" --format 'table {{.Names}}\t{{.Status}}\t{{.Ports}}'
    [ -n "$(node_numbers)" ]
}
