#!/bin/sh
# JIT caches of one node, as the login user, over stdin (`sh -s -- VERB …`). Each cache carries its stamp in a file of its
# own, so that a rename moves both at once; whatever was interrupted, the next run goes on from what it finds.
#   check POLICY STAMP DIRECTORY …     a line for each cache that `place` could not do: `obstacle<tab>DIRECTORY<tab>WHY`
#   place POLICY STAMP ID DIRECTORY …  puts the caches of STAMP in place while nothing of group ID runs. Prints
#                                       `cold|warm<tab>DIRECTORY<tab>STAMP`, `back` or `kept` before it likewise,
#                                       `aside<tab>DIRECTORY<tab>NEW NAME`, `locks<tab>DIRECTORY<tab>SOME|UNREADABLE`
# POLICY: fresh sets a cache of another stamp aside, as DIRECTORY.STAMP; keep leaves it in place.
set -eu
# find fails where it may not come back to.
cd /
verb=$1
mark=.spark-vllm-stamp
notes="${XDG_STATE_HOME:-$HOME/.local/state}/spark-vllm"

# Empty but for the mark; one that cannot be read is not.
is_empty() {
    inside=$(find "$1" -mindepth 1 -maxdepth 1 ! -name "$mark" ! -name "$mark.new" -print -quit 2>/dev/null) && [ -z "$inside" ]
}
stamp_of() { [ ! -f "$1/$mark" ] || head -n 1 "$1/$mark"; }
# A link to a larger disk: what it leads to is renamed, not the link.
real() { if [ -L "$1" ]; then readlink -m -- "$1"; else printf '%s\n' "$1"; fi; }
say() { printf '%s\t%s\t%s\n' "$@"; }

write_mark() {
    { printf '%s\n' "$stamp" >"$1/$mark.new"; } 2>/dev/null && mv -f "$1/$mark.new" "$1/$mark"
}

set_aside() {
    name=$1.${2:-unstamped} n=1
    while [ -e "$name" ]; do n=$((n + 1)) name=$1.${2:-unstamped}-$n; done
    mv -T -- "$1" "$name"
    say aside "$1" "$name"
}

# What stands there but is of another stamp.
settle() {
    if is_empty "$1"; then
        # The login user may remove an empty directory whoever owns it; one that is a mount stays and is marked anew.
        { rm -f "$1/$mark" "$1/$mark.new" && rmdir "$1"; } 2>/dev/null || write_mark "$1"
    elif [ "$policy" = keep ]; then
        say kept "$1" "$2"
        write_mark "$1" || :
    else
        set_aside "$1" "$2"
    fi
}

bring() {
    mkdir -p "$(dirname "$1")"
    if [ -d "$1.$stamp" ]; then
        mv -T -- "$1.$stamp" "$1"
        say back "$1" "$stamp"
    else
        # Made beside it and renamed, so that a cache never stands there without its stamp.
        mkdir -p "$1.new"
        write_mark "$1.new"
        mv -T -- "$1.new" "$1"
    fi
}

place() {
    d=$(real "$1")
    if [ -d "$d" ]; then
        had=$(stamp_of "$d")
        [ "$had" = "$stamp" ] || settle "$d" "$had"
    fi
    [ -d "$d" ] || bring "$d"
    if is_empty "$d"; then
        say cold "$d" "$stamp"
        return
    fi
    say warm "$d" "$stamp"
    cold=false
    # What a killed process held: some libraries wait for such a file for ever.
    if ! locks=$(find "$d" -type f \( -name '*.lock' -o -name lock \) 2>/dev/null); then
        say locks "$d" unreadable
    elif [ -n "$locks" ]; then
        say locks "$d" some
    fi
}

# Whether the login user may rename or, when it is empty, remove it; $why not.
is_movable() {
    parent=$(dirname "$1")
    if [ ! -w "$parent" ]; then
        why="$(id -un) may not write to $parent"
    elif mountpoint -q "$1"; then
        why="it is a mount of its own"
    elif [ -k "$parent" ] && [ ! -O "$parent" ] && [ ! -O "$1" ]; then
        why="it belongs to $(stat -c %U "$1"), and $parent lets only owners rename"
    else
        return 0
    fi
    return 1
}

# Why `place` could not do its work; nothing when it can, or has none.
obstacle() {
    d=$(real "$1")
    [ -d "$d" ] && [ "$(stamp_of "$d")" != "$stamp" ] || return 0
    if is_empty "$d"; then
        [ -w "$d" ] || is_movable "$d" || say obstacle "$1" "it belongs to $(stat -c %U "$d"), and $why"
    elif [ "$policy" = fresh ]; then
        is_movable "$d" || say obstacle "$1" "$why"
    fi
}

case $verb in
check)
    policy=$2 stamp=$3
    shift 3
    for directory in "$@"; do obstacle "$directory"; done
    ;;
place)
    policy=$2 stamp=$3 id=$4
    shift 4
    cold=true
    for directory in "$@"; do place "$directory"; done
    # Whether all were empty: group.sh hands it to the launch.
    mkdir -p "$notes"
    printf '{"stamp":"%s","cold":%s}\n' "$stamp" "$cold" >"$notes/$id.jit.json"
    ;;
*)
    echo "cachesPlace.sh: unknown verb $verb" >&2
    exit 2
    ;;
esac
