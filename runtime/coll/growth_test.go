package coll_test

import (
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/shm"
)

// TestManyRanks holds short operations of more ranks than have cells to messages and peers that grow with the
// logarithm of the ranks. What a rank maps grows with its peers (docs/internals/scaling.md).
func TestManyRanks(t *testing.T) {
	one := func(n int) datatype.Buffer {
		b := numbers(n, func(int) uint64 { return 1 })
		return datatype.Buffer{Addr: shm.Address(b[:8*n+8]), Count: int64(n), Type: named("MPI_UINT64_T")}
	}
	each := func(p *runtime.Process) datatype.Buffer {
		b := one(p.World.Size())
		b.Count = 1
		return b
	}
	for _, x := range []struct {
		name string
		do   func(p *runtime.Process) error
	}{
		{"barrier", func(p *runtime.Process) error { return coll.Barrier(p.World) }},
		{"bcast", func(p *runtime.Process) error { return coll.Bcast(p.World, one(1), 0) }},
		{"gather", func(p *runtime.Process) error { return coll.Gather(p.World, one(1), each(p), 0) }},
		{"scatter", func(p *runtime.Process) error { return coll.Scatter(p.World, each(p), one(1), 0) }},
		{"allgather", func(p *runtime.Process) error { return coll.Allgather(p.World, one(1), each(p)) }},
		{"alltoall", func(p *runtime.Process) error { return coll.Alltoall(p.World, each(p), each(p)) }},
		{"reduce", func(p *runtime.Process) error { return coll.Reduce(p.World, one(1), one(1), sum, 0) }},
		{"allreduce", func(p *runtime.Process) error { return coll.Allreduce(p.World, one(1), one(1), sum) }},
		{"scan", func(p *runtime.Process) error { return coll.Scan(p.World, one(1), one(1), sum) }},
		{"exscan", func(p *runtime.Process) error { return coll.Exscan(p.World, one(1), one(1), sum) }},
	} {
		for _, np := range []int{shm.CollRanks + 1, 128} {
			sent, peers := make([]uint64, np), make([]uint32, np)
			testjob.Run(t, np, testjob.Options{}, func(p *runtime.Process) error {
				before := p.Engine.Counters().EagerSent
				if err := x.do(p); err != nil {
					return err
				}
				sent[p.Rank], peers[p.Rank] = p.Engine.Counters().EagerSent-before, p.Endpoint.Active
				return nil
			})
			// One more for the ranks beyond a power of two. Some have gone on to the end of the job already,
			// which is a barrier.
			most := rounds(np) + 1
			for r := range np {
				if int(sent[r]) > most || int(peers[r]) > 2*most {
					t.Errorf("%s: rank %d of %d sends %d messages and hears of %d ranks, at most %d and %d are due",
						x.name, r, np, sent[r], peers[r], most, 2*most)
				}
			}
		}
	}
}
