#!/bin/bash
# Runs one program of the suite and judges it. Used by ctest; by hand as README.md shows.
#
#   run.sh --mpiexec PATH --np N [options] -- program arguments...
#
#   --np N          ranks; 0 starts the program without the launcher
#   --hosts A+B     A ranks on one pretended host and B on another; those of hosts.sh
#   --timeout S     seconds after which the job hangs: it is ended and has failed (default 900: ten times
#                   what the longest program takes beside all others)
#   --exit N|fail   exit code wanted (default 0; "fail" is any but 0)
#   --refused yes   the program has to fail with an error that says that its ranks are on several machines
#   --stderr RE     (grep -E) must match a line of stderr; without it stderr has to be empty. "any" takes all
#   --stdout RE     must match a line of stdout
#   --signal SIG    sent to the launcher when a line "ready" has come from each rank
#   --preload LIB   LD_PRELOAD for the ranks (not for the launcher)
#   --env NAME=V    environment for the whole run; may be given several times
#   --rankenv NAME=V  environment for the ranks, not for the launcher; may be given several times
#   --runs N        run N times: stdout must be the same each time
#   --flag WORD     further option for the launcher
#   --dir PATH      where the run's own, initially empty folder is made
#
# Whatever the program does, nothing may stay behind (processes, files) and no trace of the Go runtime may show.
#
# Most programs take less than starting a few others: what the shell can do itself, it does.
set -u
shopt -s dotglob nullglob
mpiexec='' np=1 limit=900 want=0 err='' out='' signal='' runs=1 dir=. layout=''
flags=() settings=() rank_settings=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    [ $# -ge 2 ] || { echo "run.sh: $1 needs a value" >&2; exit 2; }
    case $1 in
    --mpiexec) mpiexec=$2 ;;
    --np) np=$2 ;;
    --hosts) layout=$2 np=$((${2%+*} + ${2#*+})) ;;
    --refused) want=fail err='are on several (machines|nodes)' out='' ;;
    --timeout) limit=$2 ;;
    --exit) want=$2 ;;
    --stderr) err=$2 ;;
    --stdout) out=$2 ;;
    --signal) signal=$2 ;;
    --preload) rank_settings+=("LD_PRELOAD=$2") ;;
    --rankenv) rank_settings+=("$2") ;;
    --env) settings+=("$2") ;;
    --runs) runs=$2 ;;
    --flag) flags+=("$2") ;;
    --dir) dir=$2 ;;
    *) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
[ $# -ge 2 ] || { echo "run.sh: no program given" >&2; exit 2; }
shift

command=()
if [ -n "$layout" ]; then
    hosts=$dir/hosts
    if [ ! -e "$hosts" ]; then
        echo 'skipped: there are no pretended hosts here'
        exit 77
    fi
    flags+=(-hosts "node1:${layout%+*},node2:${layout#*+}")
    settings+=("HYDRA_LAUNCHER_EXTRA_ARGS=-F $hosts/ssh_config")
fi
[ "$np" -eq 0 ] || command+=("$mpiexec" ${flags[@]+"${flags[@]}"} -n "$np")
[ ${#rank_settings[@]} -eq 0 ] || command+=(env "${rank_settings[@]}")
command+=("$@")

# What the command is run by.
where=()
[ -z "$layout" ] || where=("$(dirname "$0")/../cluster/hosts.sh" run "$hosts" 1)

ulimit -c 0
tag="$$.$RANDOM$RANDOM"
work=$dir/run.$tag
mkdir "$work" "$work/cwd" || exit 2
verdict=0

fail() {
    echo "FAILED: $*"
    verdict=1
}

# Processes of this run, found by a variable that they all inherited.
find_remaining() {
    local found
    found=$(grep -lszx "GOMPI_TEST_RUN=$tag" /proc/[0-9]*/environ)
    found=${found//\/proc\/}
    left=${found//\/environ}
}

end_all() {
    find_remaining
    for pid in $left; do kill -KILL "$pid" 2>/dev/null; done
}
left=unknown
trap '[ -z "$left" ] || end_all; rm -rf "$work"' EXIT
trap 'exit 143' TERM INT HUP

# Sends the signal once every rank has said "ready".
send_signal() {
    local job=$1 n=$np
    [ "$n" -gt 0 ] || n=1
    until [ "$(grep -c '^ready' "$work/out")" -ge "$n" ]; do
        kill -0 "$job" 2>/dev/null || return
        sleep 0.02
    done
    # timeout(1) is the job; its one child is the launcher.
    local launcher
    read -r launcher <"/proc/$job/task/$job/children"
    kill -"$signal" "$launcher"
}

for ((run = 1; run <= runs; run++)); do
    : >"$work/out"
    left=unknown
    (
        cd "$work/cwd" || exit 2
        # What ctest has open is not the program's business.
        for fd in /proc/self/fd/*; do
            fd=${fd##*/}
            [ "$fd" -le 2 ] || eval "exec $fd>&-"
        done 2>/dev/null
        exec ${where[@]+"${where[@]}"} env "GOMPI_TEST_RUN=$tag" "TMPDIR=$work/cwd" ${settings[@]+"${settings[@]}"} \
            timeout -k 3 "$limit" "${command[@]}" </dev/null >"$work/out" 2>"$work/err"
    ) &
    job=$!
    [ -z "$signal" ] || send_signal "$job"
    wait "$job"
    code=$?

    if [ "$code" -eq 77 ] && [ "$want" = 0 ]; then
        cat "$work/out"
        exit 77
    fi
    if [ "$code" -eq 124 ] && [ "$want" != 124 ]; then
        fail "not done after $limit seconds"
    elif [ "$want" = fail ]; then
        [ "$code" -ne 0 ] || fail "exit code 0, any other was due"
    else
        [ "$code" -eq "$want" ] || fail "exit code $code, want $want"
    fi

    case $err in
    '') [ ! -s "$work/err" ] || fail "stderr is not empty" ;;
    any) ;;
    *) grep -Eq -- "$err" "$work/err" || fail "no line of stderr matches: $err" ;;
    esac
    [ -z "$out" ] || grep -Eq -- "$out" "$work/out" || fail "no line of stdout matches: $out"
    if [ -s "$work/err" ] && grep -Eq 'goroutine [0-9]|^panic|runtime error|fatal error:|\.go:[0-9]|runtime\.[a-z]|PC=0x' "$work/err"; then
        fail "a trace of the Go runtime shows"
    fi
    if [ "$run" -gt 1 ] && ! cmp -s "$work/out" "$work/out.first"; then
        fail "run $run printed something else than run 1"
        diff "$work/out.first" "$work/out" | head -20
    fi
    [ "$runs" -eq 1 ] || [ "$run" -gt 1 ] || cp "$work/out" "$work/out.first"

    # What the kernel still has to clean up gets a minute.
    for ((look = 0; look < 1500; look++)); do
        find_remaining
        [ -n "$left" ] || break
        sleep 0.04
    done
    if [ -n "$left" ]; then
        fail "left behind: $(for pid in $left; do tr '\0' ' ' <"/proc/$pid/cmdline"; echo "(pid $pid); "; done)"
        end_all
    fi
    files=("$work/cwd"/*)
    [ ${#files[@]} -eq 0 ] || fail "files left behind: ${files[*]##*/}"
    [ "$verdict" -eq 0 ] || break
done

if [ "$verdict" -ne 0 ]; then
    printf 'command:'; printf ' %q' "${command[@]}"; echo
    echo "--- stdout"; head -c 20000 "$work/out"
    echo "--- stderr"; head -c 20000 "$work/err"
fi
exit "$verdict"
