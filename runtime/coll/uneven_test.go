package coll_test

import (
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
)

// TestUnevenCores has long data of ranks of which all but the first are bound to a core: how it goes depends
// on whether ranks share cores, of which all have to say the same.
func TestUnevenCores(t *testing.T) {
	for _, np := range []int{2, 4, 5} {
		t.Run(fmt.Sprintf("np%d", np), func(t *testing.T) {
			testjob.Run(t, np, testjob.Options{Cores: np, Uneven: true}, unevenRank)
		})
	}
}

func unevenRank(p *runtime.Process) error {
	c := p.World
	np := c.Size()
	for _, n := range []int{5000, 20_000, 140_000} {
		mine := func(i int) uint64 { return uint64(i*np + c.Rank()) }
		all := func(i int) uint64 { return uint64(np*i*np + np*(np-1)/2) }
		_, in := longs(n, mine)
		mem, out := longs(n, func(int) uint64 { return 0 })
		if err := coll.Allreduce(c, in, out, sum); err != nil {
			return err
		}
		if err := wantLongs(mem, all); err != nil {
			return fmt.Errorf("allreduce: %w", err)
		}
		if clear(mem); c.Rank() == np-1 {
			_, out = longs(n, mine)
		}
		if err := coll.Bcast(c, out, np-1); err != nil {
			return err
		}
		last := func(i int) uint64 { return uint64(i*np + np - 1) }
		if err := wantLongs(mem, last); err != nil && c.Rank() < np-1 {
			return fmt.Errorf("broadcast: %w", err)
		}
		_, in = longs(n*np, mine)
		mem, out = longs(n*np, func(int) uint64 { return 0 })
		if err := coll.Alltoall(c, in.Slice(0, int64(n)), out.Slice(0, int64(n))); err != nil {
			return err
		}
		dealt := func(i int) uint64 { return uint64((c.Rank()*n+i%n)*np + i/n) }
		if err := wantLongs(mem, dealt); err != nil {
			return fmt.Errorf("alltoall: %w", err)
		}
		clear(mem)
		if err := coll.Scatter(c, in.Slice(0, int64(n)), out.Slice(0, int64(n)), 0); err != nil {
			return err
		}
		part := func(i int) uint64 { return uint64((c.Rank()*n + i) * np) }
		if err := wantLongs(mem[:8*n], part); err != nil {
			return fmt.Errorf("scatter: %w", err)
		}
	}
	return nil
}
