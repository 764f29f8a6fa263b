package shm

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// A thread moves to another processor where there is one, and may use the same ones as before.
func TestMoveThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		from := Core()
		// The kernel may move the thread meanwhile, but not to a processor that no other thread is kept from.
		moved := MoveThread(func(core uint32) bool { return core != from })
		if moved != (before.Count() > 1) {
			t.Fatalf("moved is %v with %d processors", moved, before.Count())
		}
	}
	if err := unix.SchedGetaffinity(0, &after); err != nil {
		t.Fatal(err)
	}
	if before != after {
		t.Errorf("the thread may use %v, and before %v", after, before)
	}
	if MoveThread(func(uint32) bool { return false }) {
		t.Error("moved, though no processor is free")
	}
}

// A thread that may use all processors but one is on none that was refused right after it has moved. While it
// is bound to that one, nobody can move it again.
func TestMoveThreadThere(t *testing.T) {
	runtime.LockOSThread() // and never unlocked: the thread ends with the test, with its affinity
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	var cores []uint32
	for core := range CoreWords {
		if all.IsSet(core) {
			cores = append(cores, uint32(core))
		}
	}
	for _, to := range cores {
		one.Zero()
		one.Set(int(cores[0]))
		if err := unix.SchedSetaffinity(0, &one); err != nil {
			t.Fatal(err)
		}
		if got := Core(); got != cores[0] {
			t.Fatalf("on processor %d, bound to %d", got, cores[0])
		}
		if moved := MoveThread(func(core uint32) bool { return core == to }); moved != (to == cores[0]) {
			t.Errorf("moved from the only processor %d to %d: %v", cores[0], to, moved)
		}
	}
}
