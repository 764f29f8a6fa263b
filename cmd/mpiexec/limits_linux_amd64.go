package main

import "golang.org/x/sys/unix"

// The Go runtime ends a process with a trace where a limit is too small for it to start. So the program
// begins at look (limits_linux_amd64.s; Makefile), which compares the limits with what the runtime needs, and
// then goes on to the runtime's own entry. It runs before there is a runtime: nothing here may be computed at
// the start.

// need is limits with which the program cannot start, measured with Go 1.26 and a little less, so that
// nothing is refused that would have worked.
type need struct {
	resource uintptr
	from, to uintptr // in bytes; to is the first that suffices
	text     string
}

// needs ends with an entry of no text.
var needs = [...]need{
	{unix.RLIMIT_AS, 0, 703700 << 10, "mpiexec: the limit of addresses (ulimit -v) is too small: it takes 705000 KiB\n"},
	{unix.RLIMIT_DATA, 0, 41000 << 10, "mpiexec: the limit of data (ulimit -d) is too small: it takes 41500 KiB\n"},
	{unix.RLIMIT_STACK, 0, 16 << 10, "mpiexec: the limit of stacks (ulimit -s) is too small: it takes 16 KiB\n"},
	// The runtime takes more addresses at once where it can have them, and has none left for its heap then.
	{unix.RLIMIT_AS, 1127000 << 10, 1228000 << 10, "mpiexec: with a limit of addresses (ulimit -v) from 1127000 to 1228000 KiB the Go runtime cannot start: it takes less, or more\n"},
	{},
}

// threads is how many more threads the runtime starts while a job runs, and noThreads what is said where it
// cannot.
var (
	threads   uintptr = 9
	noThreads         = "mpiexec: no thread can be started: the limit of processes (ulimit -u, or pids.max of the cgroup) is too small\n"
)

// look is where the program begins.
func look()

// What look alone uses.
var _, _, _, _ = look, &needs, &threads, &noThreads
