#!/bin/bash
# Two pretended hosts for those runs of the suite that are over several, as ctest makes them before and takes
# them down afterwards. It ends with 77 where there can be none, with the reason.
#
#   hosts.sh up|down DIR
set -u
verb=$1 dir=$2
hosts=$(dirname "$0")/../cluster/hosts.sh
if [ "$verb" = down ]; then
    [ -e "$dir" ] || exit 77
    exec "$hosts" down "$dir"
fi
[ ! -e "$dir" ] || "$hosts" down "$dir" # those of a run that was killed
"$hosts" may || exit 77
exec "$hosts" up "$dir" 2
