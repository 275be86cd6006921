# shellcheck shell=sh disable=SC2154
system() {
    line_of /proc/sys/kernel/random/boot_id
    printf '{"hostname":%s,"arch":%s,"kernel":%s,"bootId":%s' \
        "$(str "$(uname -n)")" "$(str "$(uname -m)")" "$(str "$(uname -r)")" "$(str "$line")"
    printf ',"user":%s,"uid":%s,"home":%s,"os":%s}' \
        "$(str "$(id -un)")" "$(num "$(id -u)")" "$(str "$HOME")" "$(str "$(os_name)")"
}

os_name() {
    while IFS='=' read -r key value; do
        [ "$key" = PRETTY_NAME ] || continue
        value=${value#\"}
        printf '%s' "${value%\"}"
    done </etc/os-release
}

# Locked memory that a process of this user and one of dockerd may have: KiB or `unlimited`; empty when unknown.
memlock() {
    line_of /var/run/docker.pid
    daemon=
    while read -r a b c _ hard _; do
        [ "$a $b $c" != "Max locked memory" ] || daemon=$hard
    done 2>/dev/null <"/proc/${line:-none}/limits"
    case $daemon in *[!0-9]* | '') ;; *) daemon=$((daemon / 1024)) ;; esac
    # shellcheck disable=SC3045 # dash, bash and busybox know it; empty elsewhere
    printf '{"user":%s,"docker":%s}' "$(str "$(ulimit -H -l 2>/dev/null)")" "$(str "$daemon")"
}

# The interface and gateway of the IPv4 default route; null without one. The kernel writes addresses in its own order.
default_route() {
    while read -r interface destination gateway _ _ _ _ mask _; do
        [ "$destination$mask" = 0000000000000000 ] || continue
        a=${gateway#??????} b=${gateway#????} c=${gateway#??}
        printf '{"interface":%s,"gateway":"%d.%d.%d.%d"}' "$(str "$interface")" \
            "0x$a" "0x${b%??}" "0x${c%????}" "0x${gateway%??????}"
        return
    done </proc/net/route
    printf null
}

# KiB of /proc/meminfo under the names the kernel gives them.
memory() {
    printf '{'
    first=1
    while read -r key value _; do
        case $key in
        MemTotal: | MemFree: | MemAvailable: | Cached: | SReclaimable: | SwapTotal: | SwapFree: | CmaTotal: | CmaFree:)
            [ -n "$first" ] || printf ,
            first=
            printf '"%s":%s' "${key%:}" "$(num "$value")"
            ;;
        esac
    done </proc/meminfo
    printf '}'
}

# Free and total KiB of the file system that holds a path.
space() {
    found=$(within 5 df -Pk -- "$1" | awk 'NR == 2 { printf "{\"totalKib\":%s,\"freeKib\":%s}", $2, $4 }')
    printf '%s' "${found:-null}"
}

# /dev/shm is the shared memory of ranks with host IPC; RemoveIPC concerns ranks that are not root.
ipc() {
    remove=$(cat /etc/systemd/logind.conf /etc/systemd/logind.conf.d/*.conf 2>/dev/null |
        sed -n 's/^[[:space:]]*RemoveIPC[[:space:]]*=[[:space:]]*//p' | tail -n 1)
    printf '{"shm":%s,"removeIpc":%s}' "$(space /dev/shm)" "$(str "$remove")"
}

# Listening TCP sockets of the ports asked for, with process and container where this user may see them.
ports() {
    wanted=$(given port "$@" | tr '\n' ' ')
    command -v ss >/dev/null || {
        printf null
        return
    }
    within 5 ss -Hltnp | awk -v wanted="$wanted" "$owner_awk"'
        BEGIN { split(wanted, list, " "); for (i in list) want[list[i]] = 1; printf "[" }
        { port = $4; sub(/.*:/, "", port); if (!(port in want)) next
          address = $4; sub(/:[0-9]*$/, "", address); process = ""; pid = 0
          if (match($0, /\(\("[^"]*"/)) process = substr($0, RSTART + 3, RLENGTH - 4)
          if (match($0, /pid=[0-9]+/)) pid = substr($0, RSTART + 4, RLENGTH - 4)
          printf "%s{\"address\":\"%s\",\"port\":%d,\"process\":\"%s\",\"pid\":%d,\"container\":\"%s\"}",
              (n++ ? "," : ""), plain(address), port, plain(process), pid, (pid ? owner(pid) : "") }
        END { printf "]" }'
}

# What processes hold of the GPU, which is the memory of a Spark.
holders() {
    command -v nvidia-smi >/dev/null || {
        printf '[]'
        return
    }
    within 5 nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader,nounits | awk -F ', *' "$owner_awk"'
        BEGIN { printf "[" }
        $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ {
            name = ""; file = "/proc/" $1 "/comm"; getline name < file; close(file)
            printf "%s{\"pid\":%d,\"mib\":%d,\"container\":\"%s\",\"process\":\"%s\"}", (n++ ? "," : ""), $1, $2, owner($1), plain(name) }
        END { printf "]" }'
}

# What holds most of the memory, whoever it is: where the GPU tells nothing, a stranger shows here.
largest() {
    command -v ps >/dev/null || {
        printf '[]'
        return
    }
    within 5 ps -eo pid=,rss=,comm= --sort=-rss | head -n 3 | awk "$owner_awk"'
        BEGIN { printf "[" }
        $2 >= 1048576 { pid = $1; mib = int($2 / 1024); sub(/^ *[0-9]+ +[0-9]+ +/, "")
            printf "%s{\"pid\":%d,\"mib\":%d,\"container\":\"%s\",\"process\":\"%s\"}", (n++ ? "," : ""), pid, mib, owner(pid), plain($0) }
        END { printf "]" }'
}
