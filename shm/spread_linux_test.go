package shm

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestShare holds the dealing out of ranks to it that all get a processor of the set, neighbours the same or
// the next, and that no processor gets two more than another.
func TestShareOfProcessors(t *testing.T) {
	for _, cpus := range [][]int{{0}, {5}, {0, 1}, {1, 3, 64, 900}, {0, 1, 2, 3, 4, 5, 6}} {
		var set unix.CPUSet
		for _, cpu := range cpus {
			set.Set(cpu)
		}
		for n := 1; n <= 20; n++ {
			got, last := map[int]int{}, 0
			for me := range n {
				cpu := share(&set, me, n)
				if !set.IsSet(cpu) || cpu < last {
					t.Fatalf("rank %d of %d gets processor %d of %v after %d", me, n, cpu, cpus, last)
				}
				got[cpu]++
				last = cpu
			}
			for cpu, ranks := range got {
				if least := n / len(cpus); ranks < least || ranks > least+1 {
					t.Errorf("%d of %d ranks get processor %d of %v", ranks, n, cpu, cpus)
				}
			}
		}
	}
}

// TestSpreadBindsNobody holds Spread to it that a thread may run afterwards where it might before.
func TestSpreadBindsNobody(t *testing.T) {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for me := range 4 {
		Spread(me, 4)
		if err := unix.SchedGetaffinity(0, &after); err != nil {
			t.Fatal(err)
		}
		if after != before {
			t.Fatalf("as rank %d of 4 the thread may run on %v in place of %v", me, after, before)
		}
	}
}
