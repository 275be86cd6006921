# shellcheck shell=bash
# shellcheck disable=SC2154 # names set by ../lab and settings.sh
# Taking the lab down: nothing of it stays but the cached images.

remove_all() {
    local ids id
    # a paused container cannot be killed on every Docker
    for id in $(docker ps -q --filter "label=$lab_label" --filter status=paused); do docker unpause "$id"; done
    ids=$(docker ps -aq --filter "label=$lab_label")
    # shellcheck disable=SC2086
    [ -z "$ids" ] || docker rm -f $ids
    ids=$(docker volume ls -q | grep -E "^$lab_name-(nas|[0-9]+)\$" || :)
    # shellcheck disable=SC2086
    [ -z "$ids" ] || docker volume rm $ids
    ids=$(docker network ls -q --filter "label=$lab_label")
    # shellcheck disable=SC2086
    [ -z "$ids" ] || docker network rm $ids
}

remove_files() {
    node "$here/lib/stack.mjs" remove "$project/Pulumi.$lab_stack.yaml"
    rm -rf "${lab_dir:?}"/{bin,engine,serves,id_ed25519,id_ed25519.pub,known_hosts,ssh_config}
    rmdir "$lab_dir" "$project/.lab" 2>/dev/null || :
}

lab_down() {
    local owner
    # The own dockerd ended without us (the machine was restarted, say): its containers and disks are still there.
    if [ -f "$lab_dir/engine" ] && ! find_engine && [ "$engine" = own ]; then start_engine; fi
    if find_engine; then
        owner=$(lab_home) || owner=$project
        [ "$owner" = "$project" ] || [ ! -d "$owner" ] ||
            problem "lab $lab_name belongs to $owner" "take it down there"
        step "nodes, NAS, networks and disks removed" remove_all
        [ "$engine" != own ] || own_release
    fi
    remove_files
    say "down in $(seconds "$lab_t0") s"
}

lab_purge() {
    local images
    lab_down
    ! own_running || problem "another lab still runs: $(ls "$own_run/labs")" "the cached images stay until it is down"
    rm -rf "$own_data" "$lab_cache/lock-$own_slot" "$lab_cache/lock-vllm"
    rmdir "$lab_cache" 2>/dev/null || :
    if docker_answers; then
        images=$(docker image ls -q --filter reference='spark-lab-*')
        # shellcheck disable=SC2086
        [ -z "$images" ] || docker image rm -f $images >/dev/null
    fi
    say "cached images removed"
}
