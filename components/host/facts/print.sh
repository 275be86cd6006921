# shellcheck shell=sh disable=SC2154
# paths come before mounts, because a look at a path may make the automounter mount it.
printf '{"format":1,"system":%s,"memory":%s,"docker":%s,"ipc":%s' \
    "$(system)" "$(memory)" "$(dockers "$@")" "$(ipc)"
printf ',"rdma":%s,"interfaces":%s,"speeds":%s,"peers":%s,"devices":%s' \
    "$(rdma)" "$(interfaces)" "$(speeds)" "$(peers "$@")" "$(devices)"
printf ',"paths":%s,"mounts":%s,"hub":%s,"ports":%s,"holders":%s' \
    "$(paths "$@")" "$(mounts)" "$(hub "$@")" "$(ports "$@")" "$(holders)"
# Last, so that the time of all other looks does not count.
printf ',"clock":%s}\n' "$(num "$(date +%s)")"
