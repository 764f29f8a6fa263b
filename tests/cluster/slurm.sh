#!/bin/bash
# A Slurm cluster for tests, on this machine alone: its nodes are slurmd processes within one network
# namespace, so nothing of it can be reached from outside, and all of it ends with that namespace.
#
#   slurm.sh up DIR [NODES [CPUS]]   NODES nodes (1) that pretend to have CPUS processors each (4)
#   slurm.sh run DIR COMMAND...      run a command on the cluster's machine: srun, sinfo, scancel
#   slurm.sh log DIR                 what the daemons have said
#   slurm.sh down DIR
#
# Everything that it writes is in DIR. It takes root, or a user who may become root by sudo, and Debian's
# slurmctld, slurmd, slurm-client, slurm-wlm-basic-plugins and munge.
set -euo pipefail

address=10.99.0.1
PATH=$PATH:/usr/sbin:/sbin

usage() {
    sed -n '2,12s/^# \?//p' "$0" >&2
    exit 2
}

[ $# -ge 2 ] || usage
verb=$1 dir=$2
shift 2
[ "$(id -u)" -eq 0 ] || exec sudo -n "$0" "$verb" "$dir" "$@"

inside() { nsenter --target "$(cat "$dir/pid")" --mount --uts --ipc --net --pid --wd="$PWD" -- "$@"; }

configure() {
    local nodes=$1 cpus=$2 i
    mkdir -p "$dir/etc"
    dd if=/dev/urandom bs=1 count=1024 of="$dir/munge.key" status=none
    chmod 400 "$dir/munge.key"
    cat >"$dir/etc/slurm.conf" <<-CONF
		ClusterName=tests
		SlurmctldHost=machine($address)
		SlurmUser=root
		AuthType=auth/munge
		StateSaveLocation=/run/slurm/ctld
		SlurmdSpoolDir=/run/slurm/%n
		TmpFS=/run/slurm/%n/tmp
		SlurmctldPidFile=/run/slurm/slurmctld.pid
		SlurmdPidFile=/run/slurm/%n.pid
		SlurmctldLogFile=/run/slurm/slurmctld.log
		SlurmdLogFile=/run/slurm/%n.log
		SlurmdParameters=config_overrides
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		SwitchType=switch/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerType=sched/builtin
		MpiDefault=none
		ReturnToService=2
		SlurmdTimeout=10
		InactiveLimit=0
		KillWait=5
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	CONF
    for i in $(seq "$nodes"); do
        echo "NodeName=node$i NodeHostname=machine NodeAddr=$address Port=$((17000 + i)) CPUs=$cpus State=UNKNOWN"
    done >>"$dir/etc/slurm.conf"
    # Without this slurmd looks for a mount of control groups, of which it uses nothing here.
    echo 'CgroupPlugin=cgroup/v1' >"$dir/etc/cgroup.conf"
}

# boot runs in the namespaces: it is their first process, and stays.
boot() {
    local nodes=$1 i
    hostname machine
    ip link set lo up
    # Slurm, and ranks of several nodes, want an interface that is not the loopback one.
    ip link add cluster type veth peer name cluster-peer
    ip address add "$address/24" dev cluster
    ip link set cluster up
    ip link set cluster-peer up
    mount -t tmpfs run /run
    mkdir -p /run/munge /run/slurm/ctld
    chmod 711 /run/munge
    mkdir -p /etc/slurm
    mount --bind "$dir/etc" /etc/slurm
    munged --key-file="$dir/munge.key" --log-file=/run/slurm/munged.log --pid-file=/run/slurm/munged.pid \
        --seed-file=/run/slurm/munge.seed --socket=/run/munge/munge.socket.2 --num-threads=2
    slurmctld
    for i in $(seq "$nodes"); do
        mkdir -p "/run/slurm/node$i/tmp"
        slurmd -N "node$i"
    done
    touch "$dir/booted"
    # Not exec: bash waits for whatever has lost its parent.
    while sleep 1d; do :; done
}

up() {
    local nodes=${1:-1} cpus=${2:-4} i
    mkdir -p "$dir"
    configure "$nodes" "$cpus"
    rm -f "$dir/booted"
    setsid unshare --mount --uts --ipc --net --pid --fork --kill-child --mount-proc \
        "$0" boot "$dir" "$nodes" </dev/null >"$dir/boot.log" 2>&1 &
    for i in $(seq 100); do
        pgrep -P $! >"$dir/pid" && [ -e "$dir/booted" ] && break
        sleep 0.1
    done
    for i in $(seq 150); do
        [ "$(inside sinfo -h -t idle -o %D 2>/dev/null || true)" = "$nodes" ] && return
        sleep 0.1
    done
    cat "$dir/boot.log" >&2
    log >&2
    down
    echo "slurm.sh: the nodes did not come up" >&2
    exit 1
}

log() { inside bash -c 'for f in /run/slurm/*.log; do echo "== $f"; tail -n 20 "$f"; done'; }

down() {
    [ -s "$dir/pid" ] && kill -KILL "$(cat "$dir/pid")" 2>/dev/null || true
    rm -rf "$dir/etc" "$dir/munge.key" "$dir/pid" "$dir/booted" "$dir/boot.log"
}

case $verb in
up) up "$@" ;;
boot) boot "$@" ;;
run) inside "$@" ;;
log) log ;;
down) down ;;
*) usage ;;
esac
