# Which addresses answer a ping on which interface; arguments: INTERFACE ADDRESS pairs, all asked at once.
# Prints `yes INTERFACE ADDRESS` or `no INTERFACE ADDRESS`. Status 69: there is no ping.
# shellcheck shell=sh
command -v ping >/dev/null || exit 69
while [ $# -ge 2 ]; do
    if timeout 4 ping -n -q -c 2 -i 0.3 -W 2 -I "$1" "$2" >/dev/null 2>&1; then echo "yes $1 $2"; else echo "no $1 $2"; fi &
    shift 2
done
wait
