#!/bin/bash
# Hosts for tests, on this machine alone: each has its own network, host name, processes, /tmp, /run, /dev/shm
# and an sshd. They share all other files, and reach each other and nothing else.
#
#   hosts.sh up DIR NODES         node1 to nodeN, from one to 200
#   hosts.sh run DIR I COMMAND... run a command on node I, as the user of the tests; its folder is kept
#   hosts.sh pids DIR I           the processes on node I, one line each: number and command
#   hosts.sh cut DIR I            pull the cable of node I: nobody hears of it
#   hosts.sh crash DIR I          end node I as a power failure does
#   hosts.sh down DIR
#
# Everything that it writes is in DIR, which must not lie in a folder of which each host has its own. It takes
# root, or a user who may become root by sudo, and Debian's iproute2 and openssh-server.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

usage() {
    sed -n '2,14s/^# \?//p' "$0" >&2
    exit 2
}

[ $# -ge 2 ] || usage
verb=$1 dir=$2
shift 2
[ "$(id -u)" -eq 0 ] || exec sudo -n "$0" "$verb" "$dir" "$@"

enter() { # NODE COMMAND...
    local pid
    pid=$(cat "$dir/node$1.pid")
    shift
    nsenter --target "$pid" --mount --uts --ipc --net --pid --wd="$PWD" -- "$@"
}

# boot runs in the namespaces of a node: it is their first process, and all others end with it.
boot() {
    local i=$1
    mount --make-rprivate /
    mount -t proc proc /proc
    local each
    for each in /tmp /dev/shm /run; do mount -t tmpfs -o mode=1777 tmpfs "$each"; done
    mkdir -p /run/sshd
    chmod 755 /run/sshd
    mount --bind "$dir/hosts" /etc/hosts
    mount --bind "$dir/nsswitch.conf" /etc/nsswitch.conf
    cat /proc/sys/kernel/random/uuid >/run/boot_id
    mount --bind /run/boot_id /proc/sys/kernel/random/boot_id
    hostname "node$i"
    ip link set lo up
    touch "$dir/node$i.inside"
    until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
    ip address add "10.98.0.$i/24" dev eth0
    ip link set eth0 up
    /usr/sbin/sshd -f "$dir/sshd_config" -E "$dir/node$i.sshd"
    touch "$dir/node$i.up"
    while sleep 1d; do :; done # bash waits for whatever has lost its parent
}

# first is the process that unshare has made, which its own number does not tell.
first() {
    local i pid
    for i in $(seq 200); do
        pid=$(pgrep -P "$1" | head -1) && { echo "$pid"; return; }
        sleep 0.02
    done
    return 1
}

await() {
    local i
    for i in $(seq 500); do
        [ -e "$1" ] && return
        sleep 0.02
    done
    echo "hosts.sh: $1 does not come" >&2
    cat "$dir"/*.log >&2
    down
    exit 1
}

up() {
    local nodes=$1 i name
    mkdir -p "$dir"
    chmod 755 "$dir"
    [ -e "$dir/key" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/key"
    [ -e "$dir/host_key" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key"
    cp "$dir/key.pub" "$dir/authorized_keys"
    echo '127.0.0.1 localhost' >"$dir/hosts"
    printf '%s: files\n' passwd group shadow hosts >"$dir/nsswitch.conf" # no server of names can be reached
    for i in $(seq "$nodes"); do
        echo "10.98.0.$i node$i" >>"$dir/hosts"
        echo "node$i,10.98.0.$i $(cut -d' ' -f1,2 "$dir/host_key.pub")"
    done >"$dir/known_hosts"
    cat >"$dir/sshd_config" <<-CONF
		HostKey $dir/host_key
		AuthorizedKeysFile $dir/authorized_keys
		PidFile none
		UsePAM no
		StrictModes no
		PermitRootLogin prohibit-password
		PasswordAuthentication no
		KbdInteractiveAuthentication no
		MaxStartups 200
	CONF
    cat >"$dir/ssh_config" <<-CONF
		IdentityFile $dir/key
		IdentitiesOnly yes
		UserKnownHostsFile $dir/known_hosts
		GlobalKnownHostsFile /dev/null
	CONF
    # The switch is a bridge in a network namespace of its own.
    setsid unshare --net --pid --fork --kill-child sleep infinity </dev/null >"$dir/switch.log" 2>&1 &
    echo $! >"$dir/switch.outer"
    first $! >"$dir/switch.pid"
    nsenter --target "$(cat "$dir/switch.pid")" --net ip link add br0 type bridge
    nsenter --target "$(cat "$dir/switch.pid")" --net ip link set br0 up
    for i in $(seq "$nodes"); do
        name=node$i
        rm -f "$dir/$name.inside" "$dir/$name.up"
        setsid unshare --mount --uts --ipc --net --pid --fork --kill-child \
            "$0" boot "$dir" "$i" </dev/null >"$dir/$name.log" 2>&1 &
        echo $! >"$dir/$name.outer"
        first $! >"$dir/$name.pid"
    done
    for i in $(seq "$nodes"); do
        await "$dir/node$i.inside"
        nsenter --target "$(cat "$dir/switch.pid")" --net \
            ip link add "n$i" type veth peer name eth0 netns "$(cat "$dir/node$i.pid")"
        nsenter --target "$(cat "$dir/switch.pid")" --net ip link set "n$i" master br0 up
    done
    for i in $(seq "$nodes"); do await "$dir/node$i.up"; done
}

run() {
    local i=$1
    shift
    enter "$i" "$@"
}

cut_cable() { nsenter --target "$(cat "$dir/switch.pid")" --net ip link set "n$1" down; }

crash() {
    cut_cable "$1"
    kill -KILL "$(cat "$dir/node$1.pid")"
}

down() {
    local file
    for file in "$dir"/node*.pid "$dir/switch.pid"; do
        [ -s "$file" ] && kill -KILL "$(cat "$file")" 2>/dev/null || true
    done
    rm -rf "$dir"
}

case $verb in
up) up "$@" ;;
boot) boot "$@" ;;
run) run "$@" ;;
pids) enter "$1" ps -e -o pid=,args= ;;
cut) cut_cable "$1" ;;
crash) crash "$1" ;;
down) down ;;
*) usage ;;
esac
