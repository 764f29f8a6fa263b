package rma

import (
	"testing"

	"gompi/runtime/fast"
	"gompi/runtime/tune"
)

// The fast engine goes by what is sure of the shortest messages, and of sizes in a row by the kernel.
func TestLearn(t *testing.T) {
	sizes := tune.Sizes{Least: 9}
	target := fast.Target{MostActive: leastWays, LeastKernel: noKernel}
	learned := func(way int, of int64) {
		least, most := sizes.Class(of)
		learn(&target, way, uint64(least), min(uint64(most), mostKernel))
	}
	want := func(active, least, most uint64) {
		t.Helper()
		end := target.LeastKernel + target.KernelRange
		if target.MostActive != active || target.LeastKernel != least || end != most {
			t.Errorf("messages up to %d bytes, the kernel from %d to %d; want %d, %d, %d", target.MostActive,
				target.LeastKernel, end, active, least, most)
		}
	}
	want(leastWays, noKernel, noKernel)
	learned(messageWay, 2048) // not the next one
	want(leastWays, noKernel, noKernel)
	learned(messageWay, 512)
	learned(messageWay, 1024)
	want(1024, noKernel, noKernel)
	learned(kernelWay, 8192)
	want(1024, 4097, 8192)
	learned(kernelWay, 64<<10) // not in a row
	learned(kernelWay, 16<<10)
	learned(kernelWay, 4096)
	want(1024, 2049, 16<<10)
	for n := int64(32 << 10); n < 64<<20; n *= 2 {
		learned(kernelWay, n)
	}
	want(1024, 2049, mostKernel)
}
