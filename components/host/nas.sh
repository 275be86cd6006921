#!/bin/sh
# A node's NAS mount, declared by the stack (nas.manage), over stdin (`sh -s -- VERB ID HOLDER PATH [SOURCE TYPE OPTIONS]`).
# What this program made is known by a mark with the group's id: the first line of a systemd mount unit, or a comment
# above a line of /etc/fstab where there is no systemd. A share that someone else mounted is used and never taken away.
#   check  says what is there, NAME=VALUE a line; changes nothing. Without an id every stack's mount counts as ours
#   mount  makes the mount as wanted; says made, kept or foreign (what someone else mounted). Exit codes:
#          66 another share is there, 67 ours is in use, 68 it cannot be mounted, 69 files are there
#   undo   takes away what `mount` made for HOLDER (a node's name and how it is reached), so that a machine that has
#          become another node of the group keeps it; a mount in use stays
set -eu
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin
verb=$1 id=$2 new_holder=$3 given=$4 source=${5:-} type=${6:-} options=${7:-}
fstab=/etc/fstab units=/etc/systemd/system
mark="# spark-vllm ${id:+$id }"
export mark

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
has_systemd() { [ -d /run/systemd/system ]; }
escaped() { printf '%s' "$1" | sed 's/ /\\040/g'; }

# systemd mounts nothing below a link, and the kernel's table names what a link leads to.
path=$(timeout 5 readlink -m -- "$given") || path=$given

# `TYPE SOURCE` of what is mounted at a path; nothing else counts, neither above nor below it.
mounted_at() {
    at=$(escaped "$1") awk '$5 == ENVIRON["at"] { for (i = 7; $i != "-"; i++); found = $(i + 1) " " $(i + 2) }
        END { if (found != "") print found }' /proc/self/mountinfo
}

# Running containers that were given the path or something below it.
users_of() {
    ids=$(docker ps -q) || {
        echo "docker, which does not answer,"
        return 0
    }
    # shellcheck disable=SC2086 # one word an id
    [ -z "$ids" ] || docker inspect -f '{{.Name}}{{range .Mounts}}|{{.Source}}{{end}}' $ids |
        at=$1 also=$given awk -F '|' '{ for (i = 2; i <= NF; i++) for (j = 1; j <= 2; j++) {
            of = j == 1 ? ENVIRON["at"] : ENVIRON["also"]
            if ($i == of || index($i, of "/") == 1) { print substr($1, 2); next } } }' | sort | paste -sd, -
}

unit_of() { systemd-escape --path --suffix=mount "$1"; }
own_unit() { grep -ls "^$mark" "$units"/*.mount | head -n 1 || :; }
# What we made, a line each: PATH, HOLDER, MADE (the highest directory that was missing), ENTRY.
own() {
    if has_systemd; then
        unit=$(own_unit)
        [ -z "$unit" ] || awk 'NR == 1 { holder = $4; made = $0; sub(/.* made=/, "", made) }
            /^Where=/ { where = substr($0, 7) }
            /^(What|Type|Options)=/ { entry = entry " " substr($0, index($0, "=") + 1) }
            END { gsub(/%%/, "%", where); gsub(/%%/, "%", entry); print where; print holder; print made; print entry }' "$unit"
    elif [ -f "$fstab" ]; then
        awk 'is_next { gsub(/\\040/, " ", $2); print $2; print holder; print made; print " " $1 " " $3 " " $4; exit }
            index($0, ENVIRON["mark"]) == 1 { holder = $4; made = $0; sub(/.* made=/, "", made); is_next = 1 }' "$fstab"
    fi
}
{ IFS= read -r old && IFS= read -r holder && IFS= read -r made && IFS= read -r entry; } <<END || old='' holder='' made='' entry=''
$(own)
END

all_options() {
    # A unit that nothing requires may fail; FUSE knows no nofail.
    case $(has_systemd || echo fstab):$type in
    :* | fstab:fuse.*) printf _netdev ;;
    *) printf nofail,_netdev ;;
    esac
    printf '%s' "${options:+,$options}"
}
wanted_entry() { printf ' %s %s %s' "$source" "$type" "$(all_options)"; }
fits() { [ "$old" = "$path" ] && [ "$entry" = "$(wanted_entry)" ]; }

# write_entry MADE: in place of the one that is there.
write_entry() {
    if has_systemd; then
        percent() { printf '%s' "$1" | sed 's/%/%%/g'; }
        unit=$units/$(unit_of "$path")
        printf '%s%s made=%s\n[Unit]\nDescription=Model weights for spark-vllm\nWants=network-online.target\nAfter=network-online.target\n\n[Mount]\nWhat=%s\nWhere=%s\nType=%s\nOptions=%s\nTimeoutSec=60\n\n[Install]\nWantedBy=remote-fs.target\n' \
            "$mark" "$new_holder" "$1" "$(percent "$source")" "$(percent "$path")" "$type" "$(percent "$(all_options)")" |
            as_root tee "$unit.new" >/dev/null
        as_root mv "$unit.new" "$unit"
        as_root systemctl daemon-reload
    else
        replace_fstab "$(
            without_entry
            printf '%s%s made=%s\n%s %s %s %s 0 0\n.' "$mark" "$new_holder" "$1" "$source" "$(escaped "$path")" "$type" "$(all_options)"
        )"
    fi
}
without_entry() {
    [ ! -f "$fstab" ] || awk 'skip { skip = 0; next } index($0, ENVIRON["mark"]) == 1 { skip = 1; next } { print }' "$fstab"
}
# Whole or not at all; the text ends with a point, which keeps its last newline.
replace_fstab() {
    printf '%s' "${1%.}" | as_root tee "$fstab.spark-vllm" >/dev/null
    as_root chmod 644 "$fstab.spark-vllm"
    as_root mv "$fstab.spark-vllm" "$fstab"
}
remove_entry() {
    if has_systemd; then
        unit=$(own_unit)
        if [ -n "$unit" ]; then
            as_root systemctl --quiet disable "${unit##*/}" >&2
            as_root rm -f "$unit"
            as_root systemctl daemon-reload
        fi
    else
        replace_fstab "$(without_entry && echo .)"
    fi
}

attach() {
    if ! has_systemd; then
        # In a session of its own: what serves a FUSE mount has to outlive this script.
        as_root setsid -w timeout -k 5 60 mount "$path" >&2 </dev/null
        return
    fi
    unit=$(unit_of "$path")
    as_root systemctl --quiet enable "$unit" >&2
    if ! as_root systemctl start "$unit" >&2; then
        # systemd's own words only say where to look.
        as_root journalctl -q -o cat -n 20 -u "$unit" 2>/dev/null | grep '^mount' | tail -n 1 >&2 || :
        return 1
    fi
}
# False when the mount is in use; never lazily, so that no process loses its files.
detach() { as_root timeout -k 5 20 umount "$1" 2>/dev/null; }

# Removes empty directories from $1 up to $2.
remove_directories() {
    [ -n "$2" ] || return 0
    directory=$1
    while as_root rmdir "$directory" 2>/dev/null && [ "$directory" != "$2" ]; do directory=${directory%/*}; done
}

has_helper() {
    case $type in
    nfs | nfs4) command -v mount.nfs ;;
    cifs | smb3) command -v mount.cifs ;;
    fuse.*) command -v "${type#fuse.}" ;;
    *) command -v "mount.$type" || grep -qw "$type" /proc/filesystems ;;
    esac >/dev/null
}
# A mount would hide them.
has_files() { [ -n "$(timeout 5 ls -A "$path" 2>/dev/null)" ]; }
yes_or_no() { if "$@"; then echo yes; else echo no; fi; }
may_be_root() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }

case $verb in
check)
    echo "user=$(id -un)"
    mounted=$(mounted_at "$path")
    echo "mounted=$mounted"
    echo "users=$(users_of "${old:-$path}")"
    echo "mine=$old"
    echo "fits=$(yes_or_no fits)"
    [ -n "$mounted" ] || echo "files=$(yes_or_no has_files)"
    echo "root=$(yes_or_no may_be_root)"
    echo "helper=$(yes_or_no has_helper)"
    host=${source#//}
    host=${host%%[:/]*} host=${host#*@}
    if [ -z "$host" ] || timeout 5 getent hosts "$host" >/dev/null; then host=; fi
    echo "unknown=$host"
    ;;
mount)
    now=$(mounted_at "$path")
    if [ -n "$now" ] && [ "$old" != "$path" ]; then
        [ "${now#* }" = "$source" ] || exit 66
        echo foreign
        exit 0
    fi
    if [ -n "$old" ] && ! fits; then
        [ -z "$(users_of "$old")" ] || exit 67
        [ -z "$(mounted_at "$old")" ] || detach "$old" || exit 67
        remove_entry
        remove_directories "$old" "$made"
        old='' now=''
    fi
    if [ -z "$now" ] && has_files; then exit 69; fi
    if [ -z "$old" ]; then
        made='' directory=$path
        while [ -n "$directory" ] && [ ! -e "$directory" ]; do made=$directory directory=${directory%/*}; done
    fi
    [ -n "$now" ] || [ -d "$path" ] || as_root mkdir -p "$path"
    if [ -z "$old" ] || [ "$holder" != "$new_holder" ]; then write_entry "$made"; fi
    if [ -n "$now" ]; then
        echo kept
    elif attach; then
        echo made
    else
        # A mount that was there before keeps its entry: its server may come back.
        if [ -z "$old" ]; then
            remove_entry
            remove_directories "$path" "$made"
        fi
        exit 68
    fi
    ;;
undo)
    [ -n "$old" ] && [ "$holder" = "$new_holder" ] || exit 0
    users=$(users_of "$old")
    if [ -n "$users" ]; then
        echo "$old stays mounted: $users uses it; after a restart of the machine it is gone"
    elif [ -n "$(mounted_at "$old")" ] && ! detach "$old"; then
        echo "$old stays mounted: it is in use; after a restart of the machine it is gone"
    fi
    remove_entry
    [ -n "$(mounted_at "$old")" ] || remove_directories "$old" "$made"
    ;;
esac
