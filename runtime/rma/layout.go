package rma

import (
	"math"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma/alloc"
	"gompi/runtime/rma/origin"
	"gompi/runtime/rma/target"
	"gompi/shm"
)

// layout is where things stand in a window's allocation: header and blocks of the ranks, then the
// tables of attached memory, the rings of packets and the memory that the window has allocated.
type layout struct {
	total   int64
	tables  int64 // 0: there are none
	rings   int64 // of packets of active messages; 0: there are none
	deaf    bool  // some rank cannot reach the private memory of another one
	memory  int64
	parts   []int64 // of the ranks, from the begin of the allocation
	apart   bool    // each part begins on a line or a page of its own; ranks without memory have no address
	tooMuch bool
}

// allocated reports whether windows of this flavor have their memory allocated.
func (f Flavor) allocated() bool { return f == Allocate || f == Shared }

// lay computes the layout, the same on all ranks.
func lay(w *Window, offers []offer) layout {
	l := layout{total: fast.WindowControlSize(w.Size())}
	if w.flavor == Dynamic {
		l.tables = l.take(int64(w.Size()) * target.TableSize)
	}
	hidden := w.flavor == Dynamic
	for i := range offers {
		if w.Away(i) {
			continue
		}
		l.deaf = l.deaf || offers[i].deaf != 0
		hidden = hidden || offers[i].kind == private
	}
	if hidden && (l.deaf || w.Size() <= fast.MostCallers) {
		l.rings = l.take(int64(w.Size()) * int64(w.Size()) * fast.PacketRingSize)
	}
	l.memory = l.total
	if !w.flavor.allocated() {
		return l
	}
	// What rank 0 says holds for all: these hints have to be the same everywhere.
	l.apart = w.flavor == Allocate || offers[0].apart != 0
	for i := range offers {
		if w.Away(i) {
			l.parts = append(l.parts, 0)
			continue
		}
		if l.apart {
			l.align(offers[i].size, offers[0].align)
		}
		l.parts = append(l.parts, l.take(offers[i].size))
	}
	l.align(shm.PageSize, shm.PageSize)
	return l
}

// take is the offset of n bytes more.
func (l *layout) take(n int64) int64 {
	at := l.total
	if n > math.MaxInt64/2-l.total {
		l.tooMuch = true
		n = 0
	}
	l.total += n
	return at
}

// align moves the end of the layout to where a part of n bytes may begin. Ranks do not share cache
// lines, nor pages if there is more than one.
func (l *layout) align(n, least int64) {
	a := max(least, shm.FalseShare)
	if n >= shm.PageSize {
		a = max(a, shm.PageSize)
	}
	l.take((a - l.total%a) % a)
}

// connect fills in what this rank knows of the others, and maps their memory.
func (w *Window) connect(offers []offer, l *layout) error {
	if l.tooMuch {
		return mpierr.New(mpierr.ErrNoMem, "the window's memory does not fit into the address space")
	}
	d, s, own := w.Desc, w.space, &offers[w.Rank()]
	d.Me, d.Turns, d.Nodes = uint32(w.Rank()), fast.BlockTurns(w.Size())-1, uint32(len(s.nodes))
	d.Bells = s.config.Segment.Base + shm.RankOffset(0) + shm.RankSleeping
	d.Flavor, d.Model, d.Unit = int32(w.flavor), Unified, int32(own.unit)
	w.allowStubs()
	w.alike(offers)
	w.Tables = w.allocation.Base + uintptr(l.tables)
	for r := range w.Peers {
		w.Targets[r].Block = w.allocation.Base + fast.WindowHeader + uintptr(r)*fast.BlockSize(w.Size())
	}
	for r := range w.Peers {
		w.Peers[r].Addr = uintptr(offers[r].addr)
		t, o := &w.Targets[r], &offers[r]
		t.Unit, t.Size, t.Limit = o.unit, uint64(o.size), uint64(o.size/o.unit)
		if w.Away(r) {
			w.FillFar(r)
			continue
		}
		w.introduce(r, o, l)
		if err := w.mapPart(r, o, l); err != nil {
			return err
		}
	}
	d.Size = own.size
	if d.Size > 0 || !l.apart {
		d.Base = w.Targets[w.Rank()].Base
	}
	w.kept = [2]int64{fast.WindowControlSize(w.Size()), l.memory}
	w.openRings(own, l)
	if w.Far() {
		w.Expect(w.Own().Base)
	}
	if size := l.total - l.memory; size > 0 {
		a := &w.allocation
		w.program = alloc.Region{Base: a.Base + uintptr(l.memory), Size: size, Off: a.Off + l.memory}
	}
	return nil
}

// introduce fills in where a rank near to this one is, and how its private memory is reached.
func (w *Window) introduce(r int, o *offer, l *layout) {
	p, t, s := &w.Peers[r], &w.Targets[r], w.space
	p.Job = w.Group().Of(r)
	words := s.config.Segment.Base + shm.RankOffset(s.nodes[p.Job])
	p.Summons = shm.Word32(words + shm.RankSummons)
	if p.Process = s.written(p.Job); p.Process != nil {
		t.Process = int32(p.Process.Pid)
	}
	t.Remote, t.Inside = p.Addr, shm.Word32(words+shm.RankInside)
	bell := shm.BellOf(s.config.Segment, s.nodes[p.Job])
	t.Bell, t.Own, t.Line = bell.Word(), w.Line(r, w.Rank()), w.Line(w.Rank(), r)
	late := s.crowd && p.Process != nil
	if r != w.Rank() && l.rings > 0 && (!late || w.Size() <= mostLate) &&
		(o.kind == private || w.flavor == Dynamic) {
		t.Ring = w.ring(l.rings, r, w.Rank())
	}
	origin.SetPaths(t, p.Process != nil, late, s.config.Multiple)
}

// mostLate bounds the ranks of windows that have active messages where ranks share cores. A target that waits
// is seldom on a processor there, so messages are only for what it does when it ends the epoch, and some 64
// KiB are touched for each pair of ranks.
const mostLate = 16

// mapPart maps the part of a rank near to this one, if it lies in shared memory.
func (w *Window) mapPart(r int, o *offer, l *layout) (err error) {
	t := &w.Targets[r]
	switch {
	case l.apart && o.size == 0:
	case w.flavor.allocated(): // contiguous memory has a place for ranks that have none of it
		t.Base, t.Atomic = w.allocation.Base+uintptr(l.parts[r]), 1
	case o.kind == inAllocation:
		if t.Base, err = w.memory.attach(o.off, o.allocation, o.delta); err != nil {
			return err
		}
		t.Atomic = 1
	}
	if r == w.Rank() && w.flavor == Create {
		t.Base = w.Peers[r].Addr // the program's own address, whatever the kind
		t.Atomic |= bit(w.Size() == 1)
	}
	if r == w.Rank() {
		t.Remote = t.Base
	}
	return nil
}

// openRings says where the rings of active messages are, and whether this rank has to look at them.
func (w *Window) openRings(own *offer, l *layout) {
	if l.rings == 0 {
		return
	}
	d := w.Desc
	if w.Size() > 2 && !w.Far() {
		d.Flags |= fast.Collects
	}
	if w.Size() > 1 && (!w.space.crowd || l.deaf || w.Size() <= mostLate) &&
		(own.kind == private || w.flavor == Dynamic) {
		d.Flags |= fast.Handles
		d.Threaded = bit(l.deaf)
		for r := range w.Targets {
			w.Targets[r].Calls, w.Targets[r].Next = w.ring(l.rings, w.Rank(), r), 1
		}
	}
}

// allowStubs says whether the C stubs may synchronize on their own.
func (w *Window) allowStubs() {
	d := w.Desc
	d.Flags &^= fast.OneThread | fast.Checked
	if !w.space.config.Multiple {
		d.Flags |= fast.OneThread
	}
	if w.Watched() {
		d.Flags |= fast.Checked
	}
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
