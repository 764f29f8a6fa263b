package scaling

import (
	"math/bits"
	"testing"

	"gompi/runtime/fast"
	"gompi/shm"
)

// sizes are the numbers of ranks of communicators that have cells.
var sizes = []uint32{2, 5, 16, shm.CollRanks}

// root is the root of operations that have one.
const root = 0

// operation is a collective operation on one number of each rank, or for each rank, and its law: how many
// lines a rank fetches at most with each call.
type operation struct {
	name string
	call func(b *buffer, request uintptr) fast.Reason
	root func(n uint32) uint32 // the law for the root; nil where no rank differs
	rest func(n uint32) uint32 // for the others
}

// buffer is what a rank calls with.
type buffer struct {
	e       *fast.Endpoint
	in, out uintptr
	counts  *int32 // 1 for each rank
	displs  *int32
}

func constant(k uint32) func(n uint32) uint32 { return func(uint32) uint32 { return k } }

// each is k lines of each other rank.
func each(k uint32) func(n uint32) uint32 { return func(n uint32) uint32 { return k * (n - 1) } }

var operations = []operation{
	{"barrier", func(b *buffer, q uintptr) fast.Reason { return fast.Barrier(b.e, comm, q) }, nil, each(1)},
	{"bcast", func(b *buffer, q uintptr) fast.Reason {
		return fast.Bcast(b.e, b.in, 1, number, root, comm, q)
	}, constant(1), constant(1)},
	{"gather", func(b *buffer, q uintptr) fast.Reason {
		return fast.Gather(b.e, b.in, 1, number, b.out, 1, number, root, comm, q)
	}, each(1), constant(1)},
	{"gatherv", func(b *buffer, q uintptr) fast.Reason {
		return fast.Gatherv(b.e, b.in, 1, number, b.out, b.counts, b.displs, number, root, comm, q)
	}, each(1), constant(1)},
	{"scatter", func(b *buffer, q uintptr) fast.Reason {
		return fast.Scatter(b.e, b.in, 1, number, b.out, 1, number, root, comm, q)
	}, constant(1), constant(2)},
	{"allgather", func(b *buffer, q uintptr) fast.Reason {
		return fast.Allgather(b.e, b.in, 1, number, b.out, 1, number, comm, q)
	}, nil, each(1)},
	{"allgatherv", func(b *buffer, q uintptr) fast.Reason {
		return fast.Allgatherv(b.e, b.in, 1, number, b.out, b.counts, b.displs, number, comm, q)
	}, nil, each(1)},
	{"alltoall", func(b *buffer, q uintptr) fast.Reason {
		return fast.Alltoall(b.e, b.in, 1, number, b.out, 1, number, comm, q)
	}, nil, each(2)},
	{"reduce", func(b *buffer, q uintptr) fast.Reason {
		return fast.Reduce(b.e, b.in, b.out, 1, number, sum, root, comm, q)
	}, each(1), constant(1)},
	{"allreduce", func(b *buffer, q uintptr) fast.Reason {
		return fast.Allreduce(b.e, b.in, b.out, 1, number, sum, comm, q)
	}, nil, each(1)},
	{"scan", func(b *buffer, q uintptr) fast.Reason {
		return fast.Scan(b.e, b.in, b.out, 1, number, sum, comm, q)
	}, nil, each(1)},
	{"exscan", func(b *buffer, q uintptr) fast.Reason {
		return fast.Exscan(b.e, b.in, b.out, 1, number, sum, comm, q)
	}, nil, each(1)},
	{"reduce_scatter_block", func(b *buffer, q uintptr) fast.Reason {
		return fast.ReduceScatterBlock(b.e, b.in, b.out, 1, number, sum, comm, q)
	}, nil, each(2)},
}

// newBuffers makes what the ranks call with.
func newBuffers(t testing.TB, w *world) []buffer {
	t.Helper()
	in, out := w.buffers(t, 8*int(w.n)), w.buffers(t, 8*int(w.n))
	counts, displs := make([]int32, w.n), make([]int32, w.n)
	for i := range counts {
		counts[i], displs[i] = 1, int32(i)
	}
	all := make([]buffer, w.n)
	for r := range all {
		all[r] = buffer{w.ends[r], in[r], out[r], &counts[0], &displs[0]}
	}
	return all
}

// A line of the cells has one writer. A rank fetches what it needs of each rank whose data it needs, and
// takes the lines that it writes from those who have read them.
func TestCells(t *testing.T) {
	for _, n := range sizes {
		w := newWorld(t, n)
		buffers := newBuffers(t, w)
		for _, o := range operations {
			w.measure(t, func(r int) fast.Reason { return o.call(&buffers[r], fast.Blocking) })
			w.holdTo(t, &o, 0)
		}
		if writers := w.machine.Writers(); writers != 1 {
			t.Errorf("%d ranks: %d ranks write one line", n, writers)
		}
	}
}

// Nonblocking operations keep the same law. They have fewer cells, so ranks look more often at what the
// others are done with: once in a turn of the cells.
func TestCellsOfNonblockingOperations(t *testing.T) {
	for _, n := range sizes {
		w := newWorld(t, n)
		buffers, requests := newBuffers(t, w), make([]uintptr, n)
		for _, o := range operations {
			if o.listed(n) {
				continue
			}
			w.measure(t, func(r int) fast.Reason {
				if how := o.call(&buffers[r], fast.RequestAt(&requests[r])); how != fast.Done {
					return how
				}
				return fast.Wait(w.ends[r], &requests[r], nil)
			})
			w.holdTo(t, &o, 1+2*(n-1)/shm.NbcCellCount)
		}
		if writers := w.machine.Writers(); writers != 1 {
			t.Errorf("%d ranks: %d ranks write one line", n, writers)
		}
	}
}

// listed reports whether package coll carries out the nonblocking operation, because of its lists.
func (o *operation) listed(n uint32) bool {
	return n > fast.ListedRanks && (o.name == "gatherv" || o.name == "allgatherv")
}

// holdTo holds what was measured to an operation's law, with so many lines more.
func (w *world) holdTo(t *testing.T, o *operation, more uint32) {
	t.Helper()
	// A rank that runs ahead looks for room once in half a turn of the cells, which are more than ranks.
	more++
	written := 1 + uint32(1) // the cell, and the count of operations done
	if o.name == "alltoall" || o.name == "scatter" || o.name == "reduce_scatter_block" {
		written += 1 + 8*w.n/shm.CacheLine // data for all ranks
	}
	for r := range int(w.n) {
		law := o.rest(w.n)
		if o.root != nil && r == root {
			law = o.root(w.n)
		}
		c := w.machine.Of(r)
		if got := perCall(c.Fetched); got > int(law+more) {
			t.Errorf("%s: rank %d of %d fetches %d lines per call, the law is %d", o.name, r, w.n, got, law+more)
		}
		if got := perCall(c.Taken); got > int(written) {
			t.Errorf("%s: rank %d of %d takes %d lines per call, the law is %d", o.name, r, w.n, got, written)
		}
		if got := perCall(c.Copied); got > int(16*w.n) {
			t.Errorf("%s: rank %d of %d copies %d bytes per call, the law is %d", o.name, r, w.n, got, 16*w.n)
		}
		if o.name == "barrier" && c.Fetched < calls*int(w.n-1) {
			t.Errorf("rank %d of %d has fetched %d lines in %d barriers: not all accesses are counted", r, w.n,
				c.Fetched, calls)
		}
	}
}

// Among ranks that sleep and run in any order, one is woken as often as the rank that it waits for has come
// and another one has not, which is a logarithm of the ranks. Nobody oversleeps.
func TestWakeUps(t *testing.T) {
	for _, n := range sizes {
		w := newWorld(t, n)
		w.machine.Sleeps, w.machine.Drawn = true, 1
		buffers := newBuffers(t, w)
		for _, o := range operations {
			w.measure(t, func(r int) fast.Reason { return o.call(&buffers[r], fast.Blocking) })
			wakes, naps := 0, 0
			for r := range int(n) {
				wakes += w.machine.Of(r).Wakes
				naps += w.machine.Of(r).Naps
			}
			if law := int(n) * bits.Len32(n-1); perCall(wakes) > law {
				t.Errorf("%s: %d ranks are woken %d times per call, the law is %d", o.name, n, perCall(wakes), law)
			}
			if o.name == "barrier" && wakes < calls {
				t.Errorf("%d ranks are woken %d times in %d barriers", n, wakes, calls)
			}
			if naps != 0 {
				t.Errorf("%s: of %d ranks some were not woken %d times in %d calls", o.name, n, naps, calls)
			}
		}
	}
}
