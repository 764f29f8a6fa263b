package scaling

import (
	"testing"

	"gompi/runtime/fast"
	"gompi/shm"
	"gompi/tests/scaling/lines"
)

// comm is the handle of the communicator of all ranks.
const comm = 1

// Handles of a datatype of 8 bytes and of an operation on it.
const (
	number = fast.FirstType + 1
	sum    = fast.FirstOp + 1
)

// world is the ranks of a node with all that the fast engine knows of one communicator.
type world struct {
	windows []*fast.Window // by rank, as far as they have been added
	n       uint32
	machine *lines.Machine
	seg     *shm.Segment
	ends    []*fast.Endpoint
}

// newWorld makes the ranks of a node, and for as many as have them the cells of their communicator.
func newWorld(t testing.TB, n uint32) *world {
	t.Helper()
	seg, err := shm.CreateJob(int(n))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(seg.Close)
	w := &world{n: n, seg: seg}
	bells := make([]*uint32, n)
	const polls = 1 << 14 // turns of all ranks after which a rank gives up
	for r := range int(n) {
		bells[r] = shm.BellOf(seg, r).Word()
		e, err := fast.New(seg, r, int(n))
		if err != nil {
			t.Fatal(err)
		}
		e.Open, e.Spins, e.Polls, e.Eager, e.MostEager = fast.Opened, polls, polls, 1<<16, fast.MaxMessage
		e.Sizes[1], e.Reductions[1][1] = 8, fast.ElementUint64
		e.SetKernel(func(_ uintptr, _ uint32, out, a, b uintptr, n uint32) {
			for i := range uintptr(n) {
				*shm.Word64(out + 8*i) = *shm.Word64(a + 8*i) + *shm.Word64(b + 8*i)
			}
		})
		if err := e.AddComm(fast.Comm{Handle: comm, Ctx: 2, Rank: int32(r), Size: n, Targets: n, Stride: 1},
			fast.CommLists{}, true); err != nil {
			t.Fatal(err)
		}
		w.ends = append(w.ends, e)
	}
	w.machine = lines.New(bells)
	w.machine.Share(seg.Base, uintptr(seg.Size))
	if n <= shm.CollRanks {
		w.addCells(t, bells)
	}
	return w
}

// addCells makes the rings of cells of the communicator known.
func (w *world) addCells(t testing.TB, bells []*uint32) {
	n := int(w.n)
	block, err := w.seg.MapFirst()
	if err != nil {
		t.Fatal(err)
	}
	w.machine.Share(block, uintptr(shm.CollBlockSize(n)))
	descriptions, err := fast.NewRings(2*n, n)
	if err != nil {
		t.Fatal(err)
	}
	for r, e := range w.ends {
		coll, nbc := descriptions.Coll(2*r, r, n), descriptions.Nbc(2*r+1, r, n)
		for p := range n {
			*coll.Peer(uint32(p)) = fast.CollPeer{Base: block + shm.CollOffset(p), Bell: bells[p]}
			*nbc.Peer(uint32(p)) = fast.CollPeer{Base: block + shm.NbcOffset(n, p), Bell: bells[p]}
		}
		for p := range fast.Patterns {
			coll.Most[p], nbc.Most[p] = 1<<16, fast.MaxNbcData
			if p >= fast.Reduction {
				coll.Most[p], nbc.Most[p] = 1<<13, 1<<13
			}
		}
		e.AddCollRing(comm, coll)
		e.AddNbcRing(comm, nbc)
	}
}

// calls is over how many calls costs are averaged: so many that what is done once in a while is counted.
const calls = 4 * shm.CollCellCount

// measure has all ranks call an operation and counts what the calls cost, without the first ones.
func (w *world) measure(t testing.TB, call func(r int) fast.Reason) {
	t.Helper()
	w.repeat(t, calls/4, call)
	w.machine.Reset()
	w.repeat(t, calls, call)
}

// perCall is what one call costs, rounded up.
func perCall(all int) int { return (all + calls - 1) / calls }

func (w *world) repeat(t testing.TB, times int, call func(r int) fast.Reason) {
	t.Helper()
	failed := fast.Done
	w.machine.Run(func(r int) {
		for range times {
			how := call(r)
			for how == fast.NoRoom { // as package coll waits
				lines.Pause()
				how = call(r)
			}
			if how != fast.Done {
				failed = how
				return
			}
			lines.GiveWay()
		}
	})
	if failed != fast.Done {
		t.Fatalf("a call among %d ranks answers %d", w.n, failed)
	}
}

// buffers are memory of n bytes for each rank, which is not shared.
func (w *world) buffers(t testing.TB, n int) []uintptr {
	t.Helper()
	each := (uintptr(n) + shm.FalseShare - 1) &^ (shm.FalseShare - 1)
	base, err := shm.Private(uintptr(w.n) * each)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shm.Unmap(base, int64(uintptr(w.n)*each)) })
	all := make([]uintptr, w.n)
	for r := range all {
		all[r] = base + uintptr(r)*each
	}
	return all
}
