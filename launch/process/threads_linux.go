package process

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gompi/wire/state"

	"golang.org/x/sys/unix"
)

// Restless is how many threads of a program may go on by themselves: those that do not wait without a limit
// of time for other threads of their process. The library's own threads have all signals blocked and do not
// count. Threads whose waits in MPI these are count whatever they do just now: they look around now and then.
// It is 0 when that cannot be seen.
func Restless(pid int, waits []state.Wait) (n int) {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/[0-9]*")
	if err != nil {
		return 0
	}
	shared := sharedMemory(pid)
	for _, task := range tasks {
		status := ReadStatus(task)
		if status.BlocksAll {
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
		inMPI := slices.ContainsFunc(waits, func(w state.Wait) bool { return w.Thread == status.Number })
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

// Elsewhere says what a process does beside its polls: in what its main thread sleeps, where somebody may
// wake it, or that another thread computes; "" when the main thread only asks and lets time pass. Looks in
// which the main thread waits for a processor show neither, so they do not count, as long as there are not
// too many.
func Elsewhere(pid int) string {
	const looks, most, between, enough = 6, 60, 2 * time.Millisecond, 2
	sleeping, computing := 0, 0
	ran := processorTime(pid)
	for counted, all := 0, 0; counted < looks && all < most; all++ {
		switch call, number := systemCall(pid); number {
		case -1, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_SCHED_YIELD:
		default: // a thread of Go's runtime may be waited for once in a while
			if sleeping++; sleeping == enough {
				return strings.TrimSuffix("sleeps in "+call, " in ")
			}
		}
		if computesBeside(pid) {
			if computing++; computing == enough {
				return "computes in another thread"
			}
		}
		if now := processorTime(pid); now != ran || !Runs(pid) {
			ran = now
			counted++
		}
		time.Sleep(between)
	}
	return ""
}

// processorTime is how long the main thread of a process has run, in the unit and as often as the kernel
// counts it; "" when that cannot be seen.
func processorTime(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/schedstat")
	if err != nil {
		return ""
	}
	time, _, _ := strings.Cut(string(text), " ")
	return time
}

// computesBeside reports whether a thread of a program runs, or waits for a processor, that is not the main
// one.
func computesBeside(pid int) bool {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/[0-9]*")
	return slices.ContainsFunc(tasks, func(task string) bool {
		return filepath.Base(task) != strconv.Itoa(pid) && stateIn(task) == "R" && !ReadStatus(task).BlocksAll
	})
}

// systemCall is the system call that the main thread of a process sleeps in, and its number; "" for one
// without a name in sleeps, -1 when it does not sleep or that cannot be seen.
func systemCall(pid int) (name string, number int) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/syscall")
	if err != nil {
		return "", -1
	}
	word, _, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if number, err = strconv.Atoi(word); err != nil {
		return "", -1
	}
	return sleeps[number], number
}

// Runs reports whether the main thread of a process runs or waits for a processor.
func Runs(pid int) bool { return processState(pid) == "R" }

// processState is the kernel's letter for the state of a process; "" when that cannot be seen.
func processState(pid int) string { return stateIn("/proc/" + strconv.Itoa(pid)) }

// stateIn is that of the process or thread that a folder of /proc is about.
func stateIn(folder string) string {
	text, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// Doing says what the main thread of a process does that does not wait in MPI; "" when that cannot be seen.
func Doing(pid int) string {
	switch processState(pid) {
	case "R":
		return "uses its processor"
	case "T", "t":
		return "is stopped"
	case "D":
		return "waits for a device"
	case "S":
		if call, _ := systemCall(pid); call != "" {
			return "sleeps in " + call
		}
		return "sleeps"
	}
	return ""
}

// TaskStatus is what the kernel tells of a thread.
type TaskStatus struct {
	Number    uint32 // as its own process knows it
	BlocksAll bool   // it has all signals blocked that can be, or has ended
}

// ReadStatus reads what it tells of the thread of that folder of /proc.
func ReadStatus(task string) (s TaskStatus) {
	text, err := os.ReadFile(task + "/status")
	if err != nil {
		return TaskStatus{BlocksAll: true}
	}
	for line := range strings.Lines(string(text)) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "NSpid": // one for each namespace of processes that it is in, the innermost last
			for _, word := range strings.Fields(value) {
				number, _ := strconv.ParseUint(word, 10, 32)
				s.Number = uint32(number)
			}
		case "SigBlk":
			bits, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			const some = 1<<(unix.SIGINT-1) | 1<<(unix.SIGTERM-1) | 1<<(unix.SIGUSR1-1) | 1<<(unix.SIGALRM-1)
			s.BlocksAll = err == nil && bits&some == some
		}
	}
	return s
}

// ProcessorTime is how much processor time a process has used, 0 when that cannot be found out.
func ProcessorTime(pid int) time.Duration {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may hold anything; the times are fields 14 and 15.
	const user, ticks = 11, 100
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < user+2 {
		return 0
	}
	a, err1 := strconv.ParseInt(fields[user], 10, 64)
	b, err2 := strconv.ParseInt(fields[user+1], 10, 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return time.Duration(a+b) * time.Second / ticks
}
