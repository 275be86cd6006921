# shellcheck shell=sh disable=SC2154
# paths come before mounts, because a look at a path may make the automounter mount it.
printf '{"format":1,"system":%s,"memory":%s,"docker":%s,"ipc":%s,"memlock":%s' \
    "$(system)" "$(memory)" "$(dockers "$@")" "$(ipc)" "$(memlock)"
printf ',"rdma":%s,"interfaces":%s,"speeds":%s,"capable":%s,"peers":%s,"devices":%s,"route":%s' \
    "$(rdma_devices)" "$(interfaces)" "$(speeds)" "$(capable "$@")" "$(peers "$@")" "$(devices)" "$(default_route)"
printf ',"paths":%s,"mounts":%s,"hub":%s,"ports":%s,"holders":%s,"largest":%s' \
    "$(paths "$@")" "$(mounts)" "$(hub "$@")" "$(ports "$@")" "$(holders)" "$(largest)"
# Last, so that the time of all other looks does not count.
printf ',"clock":%s}\n' "$(num "$(date +%s)")"
