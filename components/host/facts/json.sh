# Facts of one node, read only, as one JSON object on stdout. The parts of this folder are joined in order and sent over
# stdin with one word an argument: hub=PATH model=ID revision=HEX mount=PATH port=N via=INTERFACE peer=ADDRESS image=TAG.
# A look that could hang (a file system, dockerd) has a limit of its own; without an answer the fact is null.
# shellcheck shell=sh disable=SC2034
export LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# A JSON string.
str() {
    case $1 in
    *[\"\\[:cntrl:]]*)
        printf '%s' "$1" | awk 'BEGIN { ORS = ""; print "\""; for (i = 1; i < 32; i++) code[sprintf("%c", i)] = sprintf("\\u%04x", i) }
            { gsub(/[\\"]/, "\\\\&"); line = ""
              for (i = 1; i <= length($0); i++) { c = substr($0, i, 1); line = line (c in code ? code[c] : c) }
              print (NR > 1 ? "\\n" : "") line }
            END { print "\"" }'
        ;;
    *) printf '"%s"' "$1" ;;
    esac
}

# A JSON number, or null for anything else.
num() {
    case $1 in
    '' | *[!0-9]* | ??????????????????*) printf null ;;
    0 | [1-9]*) printf '%s' "$1" ;;
    *) printf null ;;
    esac
}

# First line of a small file of /proc or /sys in $line, empty when it cannot be read.
line_of() {
    line=
    { IFS= read -r line <"$1"; } 2>/dev/null || :
}

# Output of a command that may hang for good: a look into a dead NAS cannot even be killed, so it is left behind, in the
# background, with only a pipe of its own. Status 124: no answer within the limit (seconds).
within() {
    limit=$1
    shift
    { "$@" 2>/dev/null & } | timeout "$limit" cat
}

# Whether a command succeeds; false when it does not end within the limit, then $hung is set.
holds() {
    limit=$1
    shift
    answer=$({ { "$@" >/dev/null 2>&1 && echo yes; } & } | timeout "$limit" cat) || hung=1
    [ "$answer" = yes ]
}

# The arguments NAME=VALUE of one name, one a line; the values are paths and names without newlines.
given() {
    given_name=$1
    shift
    for word in "$@"; do
        case $word in "$given_name="*) printf '%s\n' "${word#*=}" ;; esac
    done
}

# awk: the id of the container that a process belongs to, by its control group; empty outside one. The first line
# that names one: with both cgroup versions the last line (0::) may name what the whole machine runs in.
owner_awk='function owner(pid,    file, entry, id) {
    id = ""; file = "/proc/" pid "/cgroup"
    while ((getline entry < file) > 0) if (match(entry, /[0-9a-f]+(\.scope)?$/)) {
        entry = substr(entry, RSTART, RLENGTH); sub(/\.scope$/, "", entry)
        if (length(entry) == 64 && id == "") id = entry
    }
    close(file); return id
}
function plain(text) { gsub(/[^ -~]|["\\]/, "", text); return text }'
