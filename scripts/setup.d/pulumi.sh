# shellcheck shell=sh
# Pulumi and its two plugins at the pinned versions: what is there is used; else the archives in SPARK_TOOLCHAIN, which
# cost no network; else the official downloads. Everything of ours lands in .toolchain/.
# shellcheck disable=SC2154 # root, toolchain, *_version: set by scripts/setup and versions.sh

# The exit code when Pulumi or a plugin cannot be had; the demo then shows the plans alone.
no_engine=3

# linux/x64, as Pulumi's archives spell it; plugins say amd64 for x64.
platform() {
    case $(uname -s) in Linux) os=linux ;; Darwin) os=darwin ;; *) os=$(uname -s) ;; esac
    case $(uname -m) in x86_64 | amd64) cpu=x64 ;; aarch64 | arm64) cpu=arm64 ;; *) cpu=$(uname -m) ;; esac
    case $os/$cpu in
        linux/x64 | linux/arm64 | darwin/x64 | darwin/arm64) ;;
        *) fail "Pulumi is not made for $os on $cpu: use Linux (x64, arm64), macOS or WSL" $no_engine ;;
    esac
}

archives() { echo "${SPARK_TOOLCHAIN:-$root/../shared/toolchain}"; }

# A system-wide Pulumi serves when it is the right version and has its Node host beside it.
system_pulumi_serves() {
    have pulumi && have pulumi-language-nodejs && [ "$(pulumi version 2>/dev/null)" = "v$pulumi_version" ]
}

install_pulumi() {
    if use_own_pulumi && [ "$(cat "$toolchain/pulumi/version" 2>/dev/null)" = "$pulumi_version" ]; then
        say "pulumi $pulumi_version" "there"
    elif ! use_own_pulumi && system_pulumi_serves; then
        say "pulumi $pulumi_version" "there: $(command -v pulumi)"
    else
        platform
        install_own_pulumi
    fi
    use_environment
    install_plugin docker "$docker_plugin_version"
    install_plugin command "$command_plugin_version"
}

install_own_pulumi() {
    archive=$(archives)/pulumi-v$pulumi_version-$os-$cpu.tar.gz
    if [ -f "$archive" ]; then
        step "pulumi $pulumi_version" unpack_pulumi "$archive"
    else
        url=https://get.pulumi.com/releases/sdk/pulumi-v$pulumi_version-$os-$cpu.tar.gz
        mkdir -p "$toolchain"
        step "pulumi download" download "$url" "$toolchain/pulumi.tar.gz" || no_pulumi "$url"
        step "pulumi $pulumi_version" unpack_pulumi "$toolchain/pulumi.tar.gz"
        rm -f "$toolchain/pulumi.tar.gz"
    fi
}

no_pulumi() {
    fail "Pulumi $pulumi_version is not to be had here.
  tried:    $(archives) (no archive for $os-$cpu), $1
  expected: one of them, or pulumi $pulumi_version on PATH
  fix:      put the archive into a folder and set SPARK_TOOLCHAIN to it, then run this again" $no_engine
}

# Unpacked beside its place and then moved, so that an interrupted run leaves nothing half done. The archive holds
# pulumi/pulumi and its language hosts. (One chain: `set -e` is off inside a command that is tested.)
unpack_pulumi() {
    mkdir -p "$toolchain" &&
        fresh=$(mktemp -d "$toolchain/unpack.XXXXXX") &&
        tar -xzf "$1" -C "$fresh" &&
        mkdir "$fresh/new" &&
        mv "$fresh/pulumi" "$fresh/new/bin" &&
        echo "$pulumi_version" >"$fresh/new/version" &&
        rm -rf "$toolchain/pulumi" &&
        mv "$fresh/new" "$toolchain/pulumi" &&
        rm -rf "$fresh"
}

# download URL FILE: gives up on connecting after 5 s, on a stalled transfer after 30 s.
download() {
    if have curl; then
        curl -fsSL --connect-timeout 5 --speed-limit 1000 --speed-time 30 --retry 1 -o "$2" "$1"
    elif have wget; then
        wget -q --connect-timeout=5 --read-timeout=30 --tries=2 -O "$2" "$1"
    else
        node "$root/scripts/setup.d/download.mjs" "$1" "$2"
    fi
}

install_plugin() {
    label="plugin $1 $2"
    home=${PULUMI_HOME:-$HOME/.pulumi}
    if [ -d "$home/plugins/resource-$1-v$2" ] && [ ! -e "$home/plugins/resource-$1-v$2.partial" ]; then
        say "$label" "there"
        return
    fi
    platform
    case $cpu in x64) plugin_cpu=amd64 ;; *) plugin_cpu=$cpu ;; esac
    name=pulumi-resource-$1-v$2-$os-$plugin_cpu.tar.gz
    if [ -f "$(archives)/$name" ]; then
        step "$label" pulumi plugin install resource "$1" "$2" --file "$(archives)/$name"
        return
    fi
    url=https://get.pulumi.com/releases/plugins/$name
    mkdir -p "$toolchain"
    step "$label download" download "$url" "$toolchain/$name" || fail "plugin $1 $2 is not to be had here.
  tried:    $(archives), $url
  fix:      put $name into a folder and set SPARK_TOOLCHAIN to it, then run this again" $no_engine
    step "$label" pulumi plugin install resource "$1" "$2" --file "$toolchain/$name"
    rm -f "$toolchain/$name"
}
