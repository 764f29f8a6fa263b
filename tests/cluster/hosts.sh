#!/bin/bash
# Hosts for tests, on this machine alone: each has its own network, host name, processes, /tmp, /run, /dev/shm
# and an sshd. They share all other files, and reach each other and nothing else.
#
#   hosts.sh may                  end with 0 where hosts can be made, otherwise say why not
#   hosts.sh up DIR NODES [WIRE DELAY]
#                                 node1 to nodeN, from one to 200. With WIRE, which is tests/cluster/wire as a
#                                 program, a frame arrives DELAY (5ms) after it was sent
#   hosts.sh run DIR I COMMAND... run a command on node I, as the user of the tests; its folder is kept
#   hosts.sh pids DIR I           the processes on node I, one line each: number and command
#   hosts.sh loss DIR I PERCENT   lose that much of what arrives at node I
#   hosts.sh cut DIR I            pull the cable of node I: nobody hears of it
#   hosts.sh heal DIR I           put it back
#   hosts.sh crash DIR I          end node I as a power failure does
#   hosts.sh down DIR
#
# Everything that it writes is in DIR. All hosts have that and the tree of the sources, also where these lie
# below /tmp. It takes root, or a user who may become root by sudo, and Debian's iproute2, openssh-server and,
# for losses, nftables.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

usage() {
    sed -n '2,/^set/{/^set/!s/^# \?//p}' "$0" >&2
    exit 2
}

may() {
    local name become=()
    for name in sshd=openssh-server ssh=openssh-client ip=iproute2 nsenter=util-linux; do
        command -v "${name%=*}" >/dev/null || { echo "${name%=*} is not installed (Debian: ${name#*=})"; exit 1; }
    done
    [ "$(id -u)" -eq 0 ] || become=(sudo -n)
    ${become[@]+"${become[@]}"} unshare --net --mount --pid --fork ip link add br0 type bridge 2>&1 || {
        echo 'name spaces are not allowed here'
        exit 1
    }
}

[ "${1-}" != may ] || { may; exit; }
[ $# -ge 2 ] || usage
verb=$1 dir=$2
shift 2
sources=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" -eq 0 ] || exec sudo -n "$0" "$verb" "$dir" "$@"

enter() { # NODE COMMAND...
    local pid
    pid=$(cat "$dir/node$1.pid")
    shift
    # The folder of that name there is another one below /tmp.
    nsenter --target "$pid" --mount --uts --ipc --net --pid --wd="$PWD" -- \
        sh -c 'cd "$1" 2>/dev/null; shift; exec "$@"' hosts.sh "$PWD" "$@"
}

# private_tmp gives a host a /tmp of its own in which DIR and the sources are, if they are there.
private_tmp() {
    local n=0 each shared=()
    for each in "$dir" "$sources"; do
        [[ $each == /tmp/* ]] || continue
        mkdir -p /run/shared$n
        mount --bind "$each" /run/shared$n
        shared+=("$each")
        n=$((n + 1))
    done
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    for n in "${!shared[@]}"; do
        mkdir -p "${shared[n]}"
        mount --bind /run/shared$n "${shared[n]}"
        umount /run/shared$n
        rmdir /run/shared$n
    done
}

# boot runs in the namespaces of a node: it is their first process, and all others end with it.
boot() {
    local i=$1
    mount --make-rprivate /
    mount -t proc proc /proc
    local each
    for each in /dev/shm /run; do mount -t tmpfs -o mode=1777 tmpfs "$each"; done
    private_tmp
    mkdir -p /run/sshd
    chmod 755 /run/sshd
    mount --bind "$dir/hosts" /etc/hosts
    mount --bind "$dir/nsswitch.conf" /etc/nsswitch.conf
    [ ! -e ~/.bashrc ] || mount --bind /dev/null ~/.bashrc # every command of ssh would run it
    # libfabric's verbs provider reads all symbols of the kernel twice in each rank: longer than most tests take.
    [ ! -e /proc/kallsyms ] || mount --bind /dev/null /proc/kallsyms
    cat /proc/sys/kernel/random/uuid >/run/boot_id
    mount --bind /run/boot_id /proc/sys/kernel/random/boot_id
    hostname "node$i"
    ip link set lo up
    touch "$dir/node$i.inside"
    until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
    ip address add "10.98.0.$i/24" dev eth0
    ip link set eth0 up
    /usr/sbin/sshd -f "$dir/sshd_config" -E "$dir/node$i.sshd"
    until [ -s /run/sshd.pid ]; do sleep 0.02; done # it listens after it has gone to the background
    touch "$dir/node$i.up"
    while sleep 1d; do :; done # bash waits for whatever has lost its parent
}

# first is the process that unshare has made, which its own number does not tell.
first() {
    local i pid
    for i in $(seq 3000); do
        pid=$(pgrep -P "$1" | head -1) && { echo "$pid"; return; }
        sleep 0.02
    done
    return 1
}

await() {
    local i
    for i in $(seq 3000); do
        [ -e "$1" ] && return
        sleep 0.02
    done
    echo "hosts.sh: $1 does not come" >&2
    cat "$dir"/*.log >&2
    down
    exit 1
}

# bridge joins all nodes by a switch in a network namespace of its own.
bridge() {
    local i
    for i in $(seq "$1"); do
        nsenter --target "$(cat "$dir/switch.pid")" --net \
            ip link add "n$i" type veth peer name eth0 netns "$(cat "$dir/node$i.pid")"
        nsenter --target "$(cat "$dir/switch.pid")" --net ip link set "n$i" master br0 up
    done
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
		PidFile /run/sshd.pid
		UsePAM no
		StrictModes no
		PermitRootLogin prohibit-password
		PasswordAuthentication no
		KbdInteractiveAuthentication no
		MaxStartups 200
		# The default, against quantum computers, is most of what a connection takes.
		KexAlgorithms curve25519-sha256
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
    for i in $(seq "$nodes"); do await "$dir/node$i.inside"; done
    if [ $# -gt 1 ]; then
        # It ends with the switch, whose processes it is among.
        setsid nsenter --target "$(cat "$dir/switch.pid")" --pid \
            "$2" "$3" $(for i in $(seq "$nodes"); do echo "/proc/$(cat "$dir/node$i.pid")/ns/net"; done) \
            </dev/null >"$dir/wire.log" 2>&1 &
    else
        bridge "$nodes"
    fi
    for i in $(seq "$nodes"); do await "$dir/node$i.up"; done
}

run() {
    local i=$1
    shift
    enter "$i" "$@"
}

lose() {
    enter "$1" nft "table inet loss {
        chain arriving {
            type filter hook input priority -300
            iifname eth0 numgen random mod 10000 < $(($2 * 100)) drop
        }
    }"
}

cut_cable() { nsenter --target "$(cat "$dir/switch.pid")" --net ip link set "n$1" down; }

heal() { nsenter --target "$(cat "$dir/switch.pid")" --net ip link set "n$1" up; }

crash() {
    cut_cable "$1"
    kill -KILL "$(cat "$dir/node$1.pid")"
    rm "$dir/node$1.pid" # its number may be another process's before this network is taken down
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
loss) lose "$@" ;;
cut) cut_cable "$1" ;;
heal) heal "$1" ;;
crash) crash "$1" ;;
down) down ;;
*) usage ;;
esac
