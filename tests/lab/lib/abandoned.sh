# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names set by ../lab and settings.sh
# Labs of test runs and demos end with a process, LAB_FOR. Killed, or with the machine restarted, it takes nothing down:
# its nodes would keep their subnets and disks, and their name from other folders. The next `up` of any lab removes them.

# process_mark PID: what tells this process from another that has its id later. On which machine: through a shared
# Docker socket, others see our labs and not our processes.
process_mark() {
    local command
    command=$(ps -o args= -p "$1" 2>/dev/null) || return 1
    echo "$(uname -n)/$1/$(echo "$command" | digest)"
}

# is_abandoned MARK
is_abandoned() {
    local machine pid
    IFS=/ read -r machine pid _ <<<"$1"
    [ "$machine" = "$(uname -n)" ] && [ "$(process_mark "$pid")" != "$1" ]
}

# The networks tell: they come first and go last.
marked_labs() {
    docker network ls --filter label=spark-lab.for --format '{{.Label "spark-lab"}} {{.Label "spark-lab.for"}}' | sort -u
}

# remove_lab NAME
remove_lab() {
    local lab_name=$1 lab_label=spark-lab=$1
    remove_all
    rm -f "$own_run/labs/$1"
}

remove_abandoned() {
    local name mark
    mkdir -p "$lab_cache"
    exec 8>"$lab_cache/lock-abandoned"
    ! command -v flock >/dev/null || flock 8
    while read -r name mark; do
        ! is_abandoned "$mark" || step "lab $name, whose test run or demo was killed: removed" remove_lab "$name"
    done < <(marked_labs)
    exec 8>&-
}
