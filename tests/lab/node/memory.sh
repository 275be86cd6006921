# shellcheck shell=bash
# memory GIB: a Spark's /proc/meminfo with GIB available. 121.7 GiB in all, about 102 of it free at boot (facts of GB10).
# Seen on the node itself; containers have a /proc of their own.
memory() {
    local available=$(($1 * 1048576)) file=/run/meminfo line
    sed -E -e 's/^(MemTotal:).*/\1       127600000 kB/' -e "s/^(MemFree:).*/\1        $((available - 4194304)) kB/" \
        -e "s/^(MemAvailable:).*/\1   $available kB/" -e '/^Cma/d' /run/meminfo.real >$file.new 2>/dev/null || {
        cat /proc/meminfo >/run/meminfo.real
        memory "$1"
        return
    }
    # CmaFree above CmaTotal is the tell-tale of a broken kernel: sane here.
    for line in 'CmaTotal:         524288 kB' 'CmaFree:          491520 kB'; do echo "$line" >>$file.new; done
    if [ -f $file ]; then cat $file.new >$file; else cp $file.new $file && mount --bind $file /proc/meminfo; fi
    rm $file.new
}
