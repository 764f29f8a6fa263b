package origin

import (
	"testing"

	"gompi/runtime/fast"
	"gompi/runtime/tune"
)

// The fast engine goes by what is sure: messages for the shortest operations, the kernel for longer ones.
// That may change.
func TestLearn(t *testing.T) {
	sizes := tune.Sizes{Least: 9}
	target := fast.Target{MostActive: fast.LeastChoice, LeastKernel: noKernel}
	learned := func(path int, of int64) {
		least, most := sizes.Class(of)
		learn(&target, path, uint64(least), min(uint64(most), mostKernel))
	}
	want := func(active, least, most uint64) {
		t.Helper()
		end := target.LeastKernel + target.KernelRange
		if target.MostActive != active || target.LeastKernel != least || end != most {
			t.Errorf("messages up to %d bytes, the kernel from %d to %d; want %d, %d, %d", target.MostActive,
				target.LeastKernel, end, active, least, most)
		}
	}
	want(fast.LeastChoice, noKernel, noKernel)
	learned(byMessage, 512)
	want(512, noKernel, noKernel)
	learned(byMessage, 1024) // and so for what is shorter
	learned(byMessage, 512)
	want(1024, noKernel, noKernel)
	learned(bySingleCopy, 8192)
	want(1024, 4097, 8192)
	learned(bySingleCopy, 16<<10)
	learned(bySingleCopy, 4096)
	want(1024, 2049, 16<<10)
	for n := int64(32 << 10); n < 64<<20; n *= 2 {
		learned(bySingleCopy, n)
	}
	want(1024, 2049, mostKernel)
	learned(byMessage, 4096) // it has changed
	want(4096, 4097, mostKernel)
	learned(bySingleCopy, 2048)
	want(1024, 1025, mostKernel)
	if target.Known != known {
		t.Errorf("known for %d operations, want %d", target.Known, known)
	}
	if learned(-1, 4096); target.Known != 0 {
		t.Errorf("known for %d operations though nothing is sure", target.Known)
	}
	want(1024, 1025, mostKernel)
}
