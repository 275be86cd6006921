# shellcheck shell=sh disable=SC2154
# What stands at each mount path, looked at with a limit: a hung NAS answers nothing.
paths() {
    printf '['
    separator=
    given mount "$@" | while IFS= read -r path; do
        printf '%s{"path":%s' "$separator" "$(str "$path")"
        separator=,
        look "$path"
        printf '}'
    done
    printf ']'
}

# The file system is asked first: of a path itself a dead NAS may still know what it remembered.
alive() { within 5 stat -f -c %T -- "$1" >/dev/null; }

look() {
    # The words of stat tell a path that is not there from a mount that is broken.
    # shellcheck disable=SC2016 # its own argument
    if ! alive "$1" || ! found=$(within 5 sh -c 'stat -L -c %F -- "$1" 2>&1' sh "$1"); then
        printf ',"state":"hung"'
        return
    fi
    case $found in
    *": No such file or directory" | *": Not a directory")
        above=$1
        while above=${above%/*} && [ -n "$above" ] && ! holds 2 test -e "$above"; do :; done
        # Behind a link may be another file system.
        above=$(within 5 readlink -f -- "${above:-/}") || :
        # A file there is no place for a directory.
        holds 2 test -d "${above:-/}" && holds 2 test -w "${above:-/}" && writable=true || writable=false
        printf ',"state":"missing","above":%s,"writable":%s' "$(str "${above:-/}")" "$writable"
        return
        ;;
    "stat: "* | '')
        printf ',"state":"broken","error":%s' "$(str "${found##*: }")"
        return
        ;;
    esac
    resolved=$(within 5 readlink -f -- "$1")
    holds 5 test -r "$1" && readable=true || readable=false
    holds 5 test -w "$1" && writable=true || writable=false
    [ -n "$(within 10 ls -A -- "$1" | head -n 1)" ] && empty=false || empty=true
    printf ',"state":%s,"resolved":%s' "$(str "$found")" "$(str "$resolved")"
    printf ',"readable":%s,"writable":%s,"empty":%s,"space":%s' "$readable" "$writable" "$empty" "$(space "$1")"
}

# The mounts that may carry directories: point (octal escapes as the kernel writes them), type, source, options.
mounts() {
    printf '['
    separator=
    while read -r _ _ _ root point options rest; do
        # shellcheck disable=SC2086 # type, source and options of the file system
        set -- ${rest#*- }
        case $1 in
        proc | sysfs | cgroup* | devpts | mqueue | debugfs | tracefs | securityfs | pstore | bpf | configfs | fusectl | hugetlbfs | nsfs | squashfs) continue ;;
        esac
        case $point in */containers/*/mounts/* | */overlay2/* | /run/docker/*) continue ;; esac
        printf '%s{"point":%s,"root":%s,"type":%s,"source":%s,"options":%s}' "$separator" \
            "$(str "$point")" "$(str "$root")" "$(str "$1")" "$(str "$2")" "$(str "$options")"
        separator=,
    done </proc/self/mountinfo
    printf ']'
}
