package shm

import (
	"os"

	"golang.org/x/sys/unix"
)

// Spread moves the calling thread to the processor that falls to rank me of n if the ranks of a node are
// dealt out evenly, neighbours together. It may run on all of its processors afterwards as before. Ranks that
// share processors yield where they might sleep, so each processor looks as busy as any to the kernel, which
// takes some tenths of a second to see that one has more of them than another: a short job would be over by
// then. A rank that has been bound to other processors than its parent stays where it is.
func Spread(me, n int) {
	var all, parent, one unix.CPUSet
	if unix.SchedGetaffinity(0, &all) != nil || unix.SchedGetaffinity(os.Getppid(), &parent) != nil ||
		all != parent {
		return
	}
	one.Set(share(&all, me, n))
	if unix.SchedSetaffinity(0, &one) == nil {
		_ = unix.SchedSetaffinity(0, &all) // allowed a moment ago
	}
}

// share is the processor of a set that falls to rank me of n.
func share(all *unix.CPUSet, me, n int) int {
	before := me * all.Count() / n
	cpu := 0
	for ; !all.IsSet(cpu) || before > 0; cpu++ {
		if all.IsSet(cpu) {
			before--
		}
	}
	return cpu
}
