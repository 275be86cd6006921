# shellcheck shell=sh disable=SC2154
dockers() {
    found=$(command -v docker)
    # The PATH of a command over ssh is not that of a login: say where it is instead.
    elsewhere=
    for path in /snap/bin/docker /opt/bin/docker /opt/docker/bin/docker /usr/local/docker/bin/docker "$HOME/bin/docker" "$HOME/.local/bin/docker"; do
        [ -n "$found" ] || [ ! -x "$path" ] || elsewhere=$path
    done
    printf '{"path":%s,"elsewhere":%s' "$(str "$found")" "$(str "$elsewhere")"
    [ -z "$found" ] || daemon "$@"
    socket=$(within 2 stat -L -c '%U:%G %a' /var/run/docker.sock)
    hook=
    for path in nvidia-container-runtime-hook nvidia-container-runtime nvidia-cdi-hook; do
        [ -n "$hook" ] || hook=$(command -v $path)
    done
    printf ',"socket":%s,"gpuHook":%s}' "$(str "$socket")" "$(str "$hook")"
}

# What Docker says instead of an answer to a command (after its status), unless it hangs.
unanswered() {
    ended=$1 said="no answer within 10 s"
    shift
    [ "$ended" -eq 124 ] || said=$(timeout -k 1 10 "$@" 2>&1 >/dev/null)
    printf ',"error":%s' "$(str "$(printf '%.600s' "${said:-no answer}")")"
}

# All containers as a list of JSON, and `end` when those are all: nothing may be concluded from half of them.
containers() {
    all=$(docker ps -a --no-trunc --format '{"id":{{json .ID}},"name":{{json .Names}},"image":{{json .Image}},"state":{{json .State}},"status":{{json .Status}},"network":{{json .Networks}},"ports":{{json .Ports}},"stack":{{json (.Label "spark-vllm.stack")}},"group":{{json (.Label "spark-vllm.id")}},"owner":{{json (.Label "spark-vllm.owner")}}}') || return
    printf '[%s]end' "$(printf '%s' "$all" | paste -sd, -)"
}

# One call for the daemon, one for its containers, one for the image: a client takes longer to start than to answer.
daemon() {
    # shellcheck disable=SC2016 # the dollar signs are the template's
    info=$(within 10 docker info --format '{"version":{{json .ServerVersion}},"driver":{{json .Driver}},"driverStatus":{{json .DriverStatus}},"root":{{json .DockerRootDir}},"arch":{{json .Architecture}},"os":{{json .OperatingSystem}},"runtimes":[{{range $name, $_ := .Runtimes}}{{json $name}},{{end}}null],"defaultRuntime":{{json .DefaultRuntime}},"security":{{json .SecurityOptions}}}')
    ended=$?
    case $info in
    '{"version":"'[0-9]*) ;;
    *)
        unanswered $ended docker version --format '{{.Server.Version}}'
        return
        ;;
    esac
    printf ',"info":%s' "$info"
    root=$(printf '%s' "$info" | sed -n 's/.*"root":"\([^"\\]*\)".*/\1/p')
    printf ',"space":%s' "$(space "${root:-/}")"
    # A second time, because an image or a container that goes at this moment can be enough for a failure.
    listed=$(within 10 containers)
    [ "${listed##*]}" = end ] || listed=$(within 10 containers)
    ended=$?
    [ "${listed##*]}" = end ] || {
        unanswered $ended docker ps -a
        return
    }
    printf ',"containers":%s' "${listed%end}"
    tags=$(given image "$@")
    # shellcheck disable=SC2086 # image names hold no blanks
    printf ',"images":[%s]' "$([ -z "$tags" ] || within 10 docker image inspect --format '{"tags":{{json .RepoTags}},"digests":{{json .RepoDigests}},"id":{{json .ID}},"arch":{{json .Architecture}},"os":{{json .Os}},"user":{{json .Config.User}},"context":{{json (index .Config.Labels "spark-vllm.context")}}}' $tags | paste -sd, -)"
}
