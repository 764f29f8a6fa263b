package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gompi/launch/state"

	"golang.org/x/sys/unix"
)

// restless is how many threads of a program may go on by themselves: those that do not wait without a limit
// of time for other threads of their process. The library's own threads have all signals blocked and do not
// count. Threads whose waits in MPI these are count whatever they do just now: they look around now and then.
// It is 0 when that cannot be seen.
func restless(pid int, waits []state.Wait) (n int) {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/[0-9]*")
	if err != nil {
		return 0
	}
	shared := sharedMemory(pid)
	for _, task := range tasks {
		status := readStatus(task)
		if status.blocksAll {
			continue
		}
		call, err := os.ReadFile(task + "/syscall")
		if err != nil {
			continue // it has ended, or may not be looked at
		}
		// The number of the system call and its arguments: the first one is the address of a futex, the
		// fourth one its limit.
		const address, limit = 1, 4
		f := strings.Fields(string(call))
		inMPI := slices.ContainsFunc(waits, func(w state.Wait) bool { return w.Thread == status.number })
		if !inMPI && len(f) > limit && f[0] == strconv.Itoa(unix.SYS_FUTEX) && f[limit] == "0x0" &&
			!shared.has(f[address]) {
			continue
		}
		n++
	}
	return n
}

// ranges are stretches of memory: the first address of each and the one behind it.
type ranges [][2]uint64

// sharedMemory is the memory of a process that other processes may write to, where they may wake its threads.
func sharedMemory(pid int) (all ranges) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/maps")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		span, rest, _ := strings.Cut(line, " ")
		low, high, _ := strings.Cut(span, "-")
		from, err1 := strconv.ParseUint(low, 16, 64)
		to, err2 := strconv.ParseUint(high, 16, 64)
		if err1 == nil && err2 == nil && strings.HasPrefix(rest, "rw-s") {
			all = append(all, [2]uint64{from, to})
		}
	}
	return all
}

// has reports whether an address in hexadecimal digits, behind 0x, lies in one of them.
func (r ranges) has(address string) bool {
	at, err := strconv.ParseUint(address, 0, 64)
	return err == nil &&
		slices.ContainsFunc(r, func(span [2]uint64) bool { return at >= span[0] && at < span[1] })
}

// sleeps are system calls by which programs wait for what is no message of MPI.
var sleeps = map[int]string{
	unix.SYS_READ: "read", unix.SYS_READV: "readv", unix.SYS_WRITE: "write", unix.SYS_ACCEPT: "accept",
	unix.SYS_ACCEPT4: "accept", unix.SYS_CONNECT: "connect", unix.SYS_RECVFROM: "recv",
	unix.SYS_RECVMSG: "recvmsg", unix.SYS_SENDTO: "send", unix.SYS_PPOLL: "poll", unix.SYS_PSELECT6: "select",
	unix.SYS_EPOLL_PWAIT: "epoll_wait", unix.SYS_NANOSLEEP: "nanosleep", unix.SYS_CLOCK_NANOSLEEP: "nanosleep",
	unix.SYS_WAIT4: "wait", unix.SYS_WAITID: "wait", unix.SYS_FLOCK: "flock", unix.SYS_FCNTL: "fcntl",
	unix.SYS_FSYNC: "fsync", unix.SYS_FUTEX: "a wait for another thread",
	unix.SYS_RT_SIGTIMEDWAIT: "sigwait", unix.SYS_RT_SIGSUSPEND: "sigsuspend",
}

// doing says what the main thread of a process does that does not wait in MPI; "" when that cannot be seen.
func doing(pid int) string {
	folder := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) == 0 {
		return ""
	}
	switch fields[0] {
	case "R":
		return "uses its processor"
	case "T", "t":
		return "is stopped"
	case "D":
		return "waits for a device"
	case "S":
		call, _ := os.ReadFile(folder + "/syscall")
		word, _, _ := strings.Cut(string(call), " ")
		if number, err := strconv.Atoi(word); err == nil && sleeps[number] != "" {
			return "sleeps in " + sleeps[number]
		}
		return "sleeps"
	}
	return ""
}

// taskStatus is what the kernel tells of a thread.
type taskStatus struct {
	number    uint32 // as its own process knows it
	blocksAll bool   // it has all signals blocked that can be, or has ended
}

func readStatus(task string) (s taskStatus) {
	text, err := os.ReadFile(task + "/status")
	if err != nil {
		return taskStatus{blocksAll: true}
	}
	for line := range strings.Lines(string(text)) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "NSpid": // one for each namespace of processes that it is in, the innermost last
			for _, word := range strings.Fields(value) {
				number, _ := strconv.ParseUint(word, 10, 32)
				s.number = uint32(number)
			}
		case "SigBlk":
			bits, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			const some = 1<<(unix.SIGINT-1) | 1<<(unix.SIGTERM-1) | 1<<(unix.SIGUSR1-1) | 1<<(unix.SIGALRM-1)
			s.blocksAll = err == nil && bits&some == some
		}
	}
	return s
}
