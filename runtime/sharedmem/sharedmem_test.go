package sharedmem_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/sharedmem"
	"gompi/shm"
)

// What one rank writes the others read, in memory that was zero, for any number of ranks.
func TestRanksShareMemory(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7} {
		testjob.Run(t, n, testjob.Options{}, func(p *runtime.Process) error {
			m, err := sharedmem.New(p.World, sharedmem.Node{Segment: p.Segment, Ranks: p.Node}, 1<<20)
			if err != nil {
				return err
			}
			defer m.Close()
			if v := atomic.AddUint64(shm.Word64(m.Base+512<<10), 1); v > uint64(n) {
				return fmt.Errorf("the memory was not zero: %d", v)
			}
			if err := coll.Barrier(p.World); err != nil {
				return err
			}
			if v := atomic.LoadUint64(shm.Word64(m.Base + 512<<10)); v != uint64(n) {
				return fmt.Errorf("%d ranks have counted, want %d", v, n)
			}
			return coll.Barrier(p.World)
		})
	}
}
