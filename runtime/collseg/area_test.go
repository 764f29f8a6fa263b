package collseg

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gompi/shm"
)

// communicator is the views that n ranks have of the coll segments of communicator cid.
func communicator(t *testing.T, all []*Node, cid int) []*Segment {
	t.Helper()
	views := make([]*Segment, len(all))
	for r, n := range all {
		if cid > 0 {
			enter(t, n, cid)
		}
		if views[r] = n.New(cid, r, len(all), itself); views[r] == nil {
			t.Fatalf("no segment in coll block %d", cid)
		}
	}
	for _, a := range views {
		a.Open(0, false)
	}
	return views
}

// fill has a rank publish step k, if there is room for it: a chunk full of a number.
func fill(a *Segment, k, number uint64) bool {
	if !a.RoomAt(k, 0, a.n).Ready() {
		return false
	}
	at := a.DataAt(a.me, k)
	for i := uintptr(0); i < uintptr(a.Chunk()); i += 512 {
		*shm.Word64(at + i) = number
	}
	a.PublishAt(k, int64(number), Step, 0, a.n)
	return true
}

// holds reports whether rank r's chunk of step k is full of that number.
func holds(a *Segment, r int, k, number uint64) bool {
	at := a.DataAt(r, k)
	for i := uintptr(0); i < uintptr(a.Chunk()); i += 512 {
		if *shm.Word64(at + i) != number {
			return false
		}
	}
	return true
}

// What a rank does not take in one communicator keeps nobody waiting in another one, and stays there.
func TestSlowReader(t *testing.T) {
	all := nodes(t, 2)
	slow, busy := communicator(t, all, 1), communicator(t, all, 2)
	slow[0].Begin()
	for k := range uint64(3) {
		if !fill(slow[0], k, 1000+k) {
			t.Fatalf("no room for step %d", k)
		}
	}
	for i := range uint64(500) {
		for _, a := range busy {
			a.Begin()
		}
		if !fill(busy[0], 0, i) || !busy[1].PublishedAt(0, 0, 1).Ready() || !holds(busy[1], 0, 0, i) {
			t.Fatalf("operation %d does not arrive", i)
		}
		for _, a := range busy {
			a.DoneAt(0, 0, 2)
			a.Close(1)
		}
	}
	slow[1].Begin()
	for k := range uint64(3) {
		if !slow[1].PublishedAt(k, 0, 1).Ready() || !holds(slow[1], 0, k, 1000+k) {
			t.Errorf("step %d is not what has been published", k)
		}
	}
}

// Where the area is full of what others have not taken, a communicator has chunks of its own, and room for
// more steps once those are read.
func TestAreaFull(t *testing.T) {
	all := nodes(t, 2)
	var others [][]*Segment
	taken := 0
	for cid := 1; taken < shm.ChunkUnits; cid++ {
		c := communicator(t, all, cid)
		others = append(others, c)
		c[0].Begin()
		k := uint64(0)
		for k < 3 && fill(c[0], k, uint64(cid)) { // a fourth would have the first one waited for
			k++
		}
		if k < 3 {
			t.Fatalf("communicator %d has room for %d steps only", cid, k)
		}
		taken += 3
	}
	last := communicator(t, all, 1000)
	last[0].Begin()
	k := uint64(0)
	for k < 100 && fill(last[0], k, 7+k) {
		k++
	}
	if k != shm.CollChunkCount {
		t.Errorf("%d steps have room where the area is full, want %d", k, shm.CollChunkCount)
	}
	for cid, c := range others {
		c[1].Begin()
		for k := range uint64(3) {
			if !holds(c[1], 0, k, uint64(cid+1)) {
				t.Errorf("step %d of communicator %d has been written over", k, cid+1)
			}
		}
		c[1].DoneAt(2, 0, 2)
		c[1].Close(3)
	}
	last[1].Begin()
	for i := range k {
		if !holds(last[1], 0, i, 7+i) {
			t.Errorf("step %d has been written over", i)
		}
	}
	last[1].DoneAt(0, 0, 2)
	if !fill(last[0], k, 1) {
		t.Error("there is no room once others have read")
	}
}

// What a communicator leaves behind is free for others.
func TestAreaForgets(t *testing.T) {
	all := nodes(t, 2)
	c := communicator(t, all, 1)
	c[0].Begin()
	for k := uint64(0); k < 3; k++ {
		fill(c[0], k, 1)
	}
	all[0].Leave(1)
	for i := range all[0].area.units {
		if !all[0].area.units[i].over(&held{}) {
			t.Errorf("unit %d is taken", i)
		}
	}
}

// relay has a rank go through operations of several steps, each with another root that all others read from.
func relay(t *testing.T, a *Segment, rounds uint64) {
	rng := rand.New(rand.NewPCG(uint64(a.cid), uint64(a.me)))
	for round := range rounds {
		root, steps := int(round)%a.n, 1+round%7
		a.Begin()
		for k := uint64(0); k < steps; k++ {
			number := round<<8 | k
			for root == a.me && !fill(a, k, number) {
				runtime.Gosched()
			}
			if root == a.me {
				continue
			}
			for !a.PublishedAt(k, root, root+1).Ready() {
				runtime.Gosched()
			}
			if rng.IntN(4) == 0 {
				runtime.Gosched()
			}
			if !holds(a, root, k, number) {
				t.Errorf("rank %d of communicator %d finds something else in step %d of round %d", a.me,
					a.cid, k, round)
			}
			a.DoneAt(k, root, root+1)
		}
		a.Close(steps)
	}
}

// Threads use the area for several communicators at once.
func TestAreaShared(t *testing.T) {
	all := nodes(t, 3)
	var wg sync.WaitGroup
	for cid := 1; cid <= 6; cid++ {
		for _, a := range communicator(t, all, cid) {
			wg.Go(func() { relay(t, a, 300) })
		}
	}
	wg.Wait()
}

// A rank that says its chunk stands anywhere has others read its own segment.
func TestChunkElsewhere(t *testing.T) {
	all := nodes(t, 2)
	c := communicator(t, all, 1)
	c[0].Begin()
	c[1].Begin()
	fill(c[0], 0, 1)
	const end = shm.ChunkAreaSize + shm.CollChunkCount*shm.CollChunkSize
	for _, where := range []uint64{1 << 63, shm.ChunkAreaSize - 8, end} {
		*shm.Word64(c[0].slot(0, 0) + shm.StepWhere) = where
		at := c[1].DataAt(0, 0)
		if base := c[1].Peer(0).Base; at < base || at+uintptr(c[1].Chunk()) > base+shm.CollStride {
			t.Errorf("a chunk at %x is read at %x, and the segment begins at %x", where, at, base)
		}
	}
}

// Where a rank has not mapped the chunk areas, the steps of its communicators stand in chunks of their own.
func TestAreasUnmapped(t *testing.T) {
	all := nodes(t, 2)
	atomic.StoreUint32(all[1].mapped(1), 0)
	all[1].areas = 0
	c := communicator(t, all, 1)
	c[0].Begin()
	c[1].Begin()
	for k := range uint64(20) {
		if !fill(c[0], k, k) || !c[1].PublishedAt(k, 0, 1).Ready() || !holds(c[1], 0, k, k) {
			t.Fatalf("step %d does not arrive", k)
		}
		c[1].DoneAt(k, 0, 2)
	}
}

// A rank that reads no more than the first step of an operation does not hold up the others.
func TestOneReader(t *testing.T) {
	c := communicator(t, nodes(t, 3), 1)
	for _, a := range c {
		a.Begin()
	}
	for k := range uint64(5 * shm.CollStepCount) {
		first, end := 1, 2
		if k == 0 {
			first, end = 0, 3
		}
		if !c[0].RoomAt(k, first, end).Ready() {
			t.Fatalf("no room for step %d", k)
		}
		c[0].PublishAt(k, 1, Step, first, end)
		c[1].DoneAt(k, 0, 3)
	}
}
