# shellcheck shell=sh
# What the simulated nodes and the shell checks need of the system. What is there is used.
# shellcheck disable=SC2154 # yes: set by scripts/setup

# command:package of Debian and Ubuntu. sshd: the tests run their own, as the user, on a free port.
needed="docker:docker.io dockerd:docker.io ssh:openssh-client sshd:openssh-server ip:iproute2 iptables:iptables mmdebstrap:mmdebstrap jq:jq shellcheck:shellcheck git:git python3:python3 pip3:python3-pip"

install_system_packages() {
    install_missing_packages
    # What the ssh service makes when it starts; the tests' own sshd needs it as root.
    [ "$(uname -s)" != Linux ] || [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
}

install_missing_packages() {
    [ "$(uname -s)" = Linux ] || needed="docker:docker-desktop ssh:openssh jq:jq shellcheck:shellcheck git:git"
    missing_packages
    if [ -z "$missing" ]; then
        say "system packages" "there"
    elif [ "$(uname -s)" != Linux ] || ! have apt-get; then
        say "system packages" "missing:$missing; install them with this system's package manager"
        without
    elif ! may_become_root; then
        say "system packages" "missing; run: sudo apt-get install -y --no-install-recommends$missing"
        without
    elif ! agreed; then
        say "system packages" "not installed:$missing"
        without
    else
        say "system packages" "installing with apt-get:$missing"
        step "package lists" $as_root apt-get update -q || :
        # shellcheck disable=SC2086 # words: sudo or nothing; package names
        step "system packages" $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends $missing
    fi
}

without() { say "" "without them the suites that need them are left out, and named at the end"; }

# Sets `missing` to the packages, each with a space in front.
missing_packages() {
    missing=
    for pair in $needed; do
        case "$missing " in *" ${pair#*:} "*) continue ;; esac
        needs "${pair%%:*}" || missing="$missing ${pair#*:}"
    done
    # From Debian 13 the client is a package of its own.
    case "$missing " in
        *" docker.io "*) ! apt-cache show docker-cli >/dev/null 2>&1 || missing="$missing docker-cli" ;;
    esac
}

# needs COMMAND: true when it is there, or not needed.
needs() {
    # Daemons and network tools live in sbin, which a user's PATH may lack.
    PATH=$PATH:/usr/sbin:/sbin have "$1" && return
    case $1 in
        # A Docker that answers, a remote or a desktop one, needs no daemon here.
        dockerd) have docker && docker version >/dev/null 2>&1 ;;
        # Both make a Debian where no registry answers; mmdebstrap is twice as fast.
        mmdebstrap) needs debootstrap ;;
        *) return 1 ;;
    esac
}

# Sets `as_root` to what goes in front of a command that needs root.
may_become_root() {
    as_root=
    [ "$(id -u)" -ne 0 ] || return 0
    have sudo || return 1
    as_root=sudo
    # Without a terminal sudo cannot ask for a password.
    on_terminal || sudo -n true 2>/dev/null
}

# Without a terminal, in CI and with --yes it goes ahead; a person is asked.
agreed() {
    [ -z "$yes" ] || return 0
    on_terminal || return 0
    printf 'Install with apt-get, as root:%s? [y/N] ' "$missing" >&2
    read -r answer || answer=
    case $answer in y | Y | yes) return 0 ;; *) return 1 ;; esac
}
