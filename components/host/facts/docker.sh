# shellcheck shell=sh disable=SC2154
dockers() {
    found=$(command -v docker)
    # The PATH of a command over ssh is not that of a login: say where it is instead.
    elsewhere=
    for path in /snap/bin/docker /opt/bin/docker /opt/docker/bin/docker /usr/local/docker/bin/docker "$HOME/bin/docker" "$HOME/.local/bin/docker"; do
        [ -n "$found" ] || [ ! -x "$path" ] || elsewhere=$path
    done
    printf '{"path":%s,"elsewhere":%s' "$(str "$found")" "$(str "$elsewhere")"
    if [ -n "$found" ]; then
        said=$(timeout -k 1 10 docker version --format '{{.Server.Version}}' 2>&1 >/dev/null)
        ended=$?
        if [ $ended -eq 0 ]; then
            docker_facts "$@"
        else
            [ $ended -ne 124 ] && [ $ended -ne 137 ] || said="no answer within 10 s"
            printf ',"error":%s' "$(str "$(printf '%.600s' "$said")")"
        fi
    fi
    socket=$(within 2 stat -L -c '%U:%G %a' /var/run/docker.sock)
    hook=
    for path in nvidia-container-runtime-hook nvidia-container-runtime nvidia-cdi-hook; do
        [ -n "$hook" ] || hook=$(command -v $path)
    done
    printf ',"socket":%s,"gpuHook":%s}' "$(str "$socket")" "$(str "$hook")"
}

docker_facts() {
    # shellcheck disable=SC2016 # the dollar signs are the template's
    info=$(within 10 docker info --format '{"version":{{json .ServerVersion}},"driver":{{json .Driver}},"driverStatus":{{json .DriverStatus}},"root":{{json .DockerRootDir}},"arch":{{json .Architecture}},"os":{{json .OperatingSystem}},"runtimes":[{{range $name, $_ := .Runtimes}}{{json $name}},{{end}}null],"defaultRuntime":{{json .DefaultRuntime}}}')
    printf ',"info":%s' "${info:-null}"
    root=$(printf '%s' "$info" | sed -n 's/.*"root":"\([^"\\]*\)".*/\1/p')
    printf ',"space":%s' "$(space "${root:-/}")"
    ids=$(within 10 docker ps -aq --no-trunc)
    # shellcheck disable=SC2086 # one word an id
    printf ',"containers":[%s]' "$([ -z "$ids" ] || within 10 docker inspect --format '{"id":{{json .Id}},"name":{{json .Name}},"image":{{json .Config.Image}},"running":{{json .State.Running}},"pid":{{json .State.Pid}},"network":{{json .HostConfig.NetworkMode}},"ports":{{json .HostConfig.PortBindings}},"stack":{{json (index .Config.Labels "spark-vllm.stack")}},"group":{{json (index .Config.Labels "spark-vllm.id")}},"owner":{{json (index .Config.Labels "spark-vllm.owner")}},"rank":{{json (index .Config.Labels "spark-vllm.rank")}}}' $ids | paste -sd, -)"
    tags=$(given image "$@")
    # shellcheck disable=SC2086 # image names hold no blanks
    printf ',"images":[%s]' "$([ -z "$tags" ] || within 10 docker image inspect --format '{"tags":{{json .RepoTags}},"digests":{{json .RepoDigests}},"id":{{json .Id}},"arch":{{json .Architecture}},"os":{{json .Os}},"context":{{json (index .Config.Labels "spark-vllm.context")}}}' $tags | paste -sd, -)"
}
