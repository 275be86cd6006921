# shellcheck shell=bash
# memory GIB: a Spark's /proc/meminfo with GIB available. 121.7 GiB in all, about 102 of it free at boot (facts of GB10).
# Seen on the node itself; containers have a /proc of their own.
memory() {
    local available=$(($1 * 1048576)) file=/run/meminfo
    [ -f $file.real ] || cat /proc/meminfo >$file.real
    {
        sed -E -e 's/^(MemTotal:).*/\1       127600000 kB/' -e "s/^(MemFree:).*/\1        $((available * 9 / 10)) kB/" \
            -e "s/^(MemAvailable:).*/\1   $available kB/" -e '/^Cma/d' $file.real
        # CmaFree above CmaTotal is the tell-tale of a broken kernel: sane here.
        printf '%s kB\n' 'CmaTotal:         524288' 'CmaFree:          491520'
    } >$file.new
    # written in place: what is mounted over /proc/meminfo is this very file
    cat $file.new >$file
    rm $file.new
    grep -q ' /proc/meminfo ' /proc/mounts || mount --bind $file /proc/meminfo
}
