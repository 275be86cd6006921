# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the other parts
# shellcheck disable=SC2154 # names set by ../lab and settings.sh
# Which Docker runs the lab: the one that answers, or (Linux, root) one of the lab's own.

docker_answers() { limit 10 docker version >/dev/null 2>&1; }

# Privileged containers need CAP_SYS_RESOURCE; a machine without it needs the own engine's lab-runc. Only root can try:
# what another user may not says nothing about Docker's daemon.
limits_can_rise() {
    [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ] || ! command -v prlimit >/dev/null ||
        prlimit --memlock=unlimited:unlimited true 2>/dev/null
}

need_tools() {
    local tool missing=""
    for tool in docker ssh ssh-keygen node; do
        command -v "$tool" >/dev/null || missing="$missing $tool"
    done
    [ -z "$missing" ] || problem "not installed:$missing" "run \`npm run setup\`, or install them by hand"
    [ -d "$project/node_modules/yaml" ] || problem "node_modules is missing" "run \`npm ci\` first"
}

# engine_kind: docker or own; what an earlier `up` chose stays.
engine_kind() {
    if [ -f "$lab_dir/engine" ]; then cat "$lab_dir/engine"
    elif [ -n "$LAB_ENGINE" ]; then echo "$LAB_ENGINE"
    elif own_running; then echo own
    elif limits_can_rise && docker_answers; then echo docker
    else echo own; fi
}

use_engine() {
    engine=$(engine_kind)
    case $engine in
        docker)
            docker_answers || problem "Docker does not answer" "start it (docker version must work)"
            bind=${LAB_BIND:-127.0.0.1}
            ;;
        own)
            use_own
            bind=${LAB_BIND:-$own_net.2}
            ;;
        *) problem "LAB_ENGINE=$engine: docker or own wanted" ;;
    esac
}

# For `up`: starts what is missing.
start_engine() {
    engine=$(engine_kind)
    if [ "$engine" = own ]; then
        own_needs
        own_lock
        own_running || step "own dockerd, in a network namespace of its own" own_start
        own_register
        own_unlock
    fi
    use_engine
    docker_answers || problem "the lab's own dockerd does not answer" "see $own_run/log"
    mkdir -p "$lab_dir"
    chmod 700 "$lab_dir"
    echo "$engine" >"$lab_dir/engine"
}

# For all other commands: false when there is no engine, thus no lab.
find_engine() {
    engine=$(engine_kind)
    case $engine in
        own) own_running || return 1 ;;
        *) docker_answers || return 1 ;;
    esac
    use_engine
}
