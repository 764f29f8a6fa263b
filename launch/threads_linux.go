package launch

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// restless is how many threads of a program may go on by themselves: those that do not wait without a limit
// of time for other threads of their process. The library's own threads have all signals blocked and do not
// count. Threads that wait in MPI count, as they look around now and then. It is 0 when that cannot be seen.
func restless(pid int) (n int) {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/[0-9]*")
	if err != nil {
		return 0
	}
	for _, task := range tasks {
		if blocksAll(task) {
			continue
		}
		call, err := os.ReadFile(task + "/syscall")
		if err != nil {
			continue // it has ended, or may not be looked at
		}
		// The number of the system call and its arguments; the fourth one is the limit of a futex.
		const limit = 4
		f := strings.Fields(string(call))
		if len(f) > limit && f[0] == strconv.Itoa(unix.SYS_FUTEX) && f[limit] == "0x0" {
			continue
		}
		n++
	}
	return n
}

// blocksAll reports whether a thread has all signals blocked that can be.
func blocksAll(task string) bool {
	status, err := os.ReadFile(task + "/status")
	if err != nil {
		return true
	}
	for _, line := range strings.Split(string(status), "\n") {
		if mask, ok := strings.CutPrefix(line, "SigBlk:"); ok {
			bits, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			const some = 1<<(unix.SIGINT-1) | 1<<(unix.SIGTERM-1) | 1<<(unix.SIGUSR1-1) | 1<<(unix.SIGALRM-1)
			return err == nil && bits&some == some
		}
	}
	return false
}
