package rma

import (
	"math"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
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
	l := layout{total: fast.WindowControlSize(w.n)}
	if w.flavor == Dynamic {
		l.tables = l.take(int64(w.n) * tableSize)
	}
	hidden := w.flavor == Dynamic
	for i := range offers {
		if w.away(i) {
			continue
		}
		l.deaf = l.deaf || offers[i].deaf != 0
		hidden = hidden || offers[i].kind == private
	}
	if hidden && (l.deaf || w.n <= fast.MostCallers) {
		l.rings = l.take(int64(w.n) * int64(w.n) * fast.PacketRingSize)
	}
	l.memory = l.total
	if !w.flavor.allocated() {
		return l
	}
	// What rank 0 says holds for all: these hints have to be the same everywhere.
	l.apart = w.flavor == Allocate || offers[0].apart != 0
	for i := range offers {
		if w.away(i) {
			l.parts = append(l.parts, 0)
			continue
		}
		if l.apart {
			l.align(offers[i].size, offers[0].align)
		}
		l.parts = append(l.parts, l.take(offers[i].size))
	}
	l.align(pageSize, pageSize)
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
	if n >= pageSize {
		a = max(a, pageSize)
	}
	l.take((a - l.total%a) % a)
}

// connect fills in what this rank knows of the others, and maps their memory.
func (w *Window) connect(offers []offer, l *layout) error {
	if l.tooMuch {
		return mpierr.New(mpierr.ErrNoMem, "the window's memory does not fit into the address space")
	}
	d, s, own := w.Desc, w.space, &offers[w.me]
	d.Me, d.Turns, d.Nodes = uint32(w.me), fast.BlockTurns(w.n)-1, uint32(len(s.nodes))
	d.Bells = s.seg.Base + shm.RankOffset(0) + shm.RankSleeping
	d.Flavor, d.Model, d.Unit = int32(w.flavor), Unified, int32(own.unit)
	w.allowStubs()
	w.alike(offers)
	w.tables = w.allocation.base + uintptr(l.tables)
	w.peers, w.locking = make([]peer, w.n), make([]bool, w.n)
	for r := range w.peers {
		w.targets[r].Block = w.allocation.base + fast.WindowHeader + uintptr(r)*fast.BlockSize(w.n)
	}
	for r := range w.peers {
		w.peers[r].addr = uintptr(offers[r].addr)
		if w.away(r) {
			w.far.fill(r, &w.targets[r], &offers[r])
			continue
		}
		w.introduce(r, &offers[r])
		w.choosePaths(r, &offers[r], l)
		if err := w.mapPart(r, &offers[r], l); err != nil {
			return err
		}
	}
	d.Size = own.size
	if d.Size > 0 || !l.apart {
		d.Base = w.targets[w.me].Base
	}
	w.openRings(own, l)
	if w.Far() {
		if w.flavor != Dynamic {
			w.far.base = uint64(w.targets[w.me].Base)
		}
		w.far.attend()
	}
	if size := l.total - l.memory; size > 0 {
		w.program = region{w.allocation.base + uintptr(l.memory), size, w.allocation.off + l.memory}
	}
	return nil
}

// introduce fills in where a rank near to this one is, and what it has offered.
func (w *Window) introduce(r int, o *offer) {
	p, t, s := &w.peers[r], &w.targets[r], w.space
	p.job = w.group.Of(r)
	p.bell = shm.BellOf(s.seg, s.nodes[p.job])
	words := s.seg.Base + shm.RankOffset(s.nodes[p.job])
	p.summons = shm.Word32(words + shm.RankSummons)
	if p.process = s.written(p.job); p.process != nil {
		t.Process = int32(p.process.Pid)
	}
	t.Unit, t.Size, t.Limit = o.unit, uint64(o.size), uint64(o.size/o.unit)
	t.Remote, t.Inside = p.addr, shm.Word32(words+shm.RankInside)
	t.Bell, t.Own, t.Line = p.bell.Word(), w.line(r, w.me), w.line(w.me, r)
}

// choosePaths says how the fast engine reaches private memory of a rank near to this one.
func (w *Window) choosePaths(r int, o *offer, l *layout) {
	process, t, multi := w.peers[r].process, &w.targets[r], w.space.multi
	t.LeastKernel = noKernel
	late := w.space.crowd && process != nil
	if late {
		t.Backoff.Left = fast.Never
	}
	if r != w.me && l.rings > 0 && (!late || w.n <= mostLate) && (o.kind == private || w.flavor == Dynamic) {
		t.Ring = w.ring(l.rings, r, w.me)
		if t.MostActive = fast.LeastChoice; process == nil {
			t.MostActive = fast.PacketRoom
		}
	}
	if t.Ring == 0 || process == nil || late || multi {
		t.Known = fast.Always
	}
	if process != nil && !multi {
		if t.LeastKernel = 1; t.Ring != 0 {
			t.LeastKernel += fast.PacketRoom
		}
		t.KernelRange = mostKernel - t.LeastKernel
	}
}

// mapPart maps the part of a rank near to this one, if it lies in shared memory.
func (w *Window) mapPart(r int, o *offer, l *layout) (err error) {
	t := &w.targets[r]
	switch {
	case l.apart && o.size == 0:
	case w.flavor.allocated(): // contiguous memory has a place for ranks that have none of it
		t.Base, t.Atomic = w.allocation.base+uintptr(l.parts[r]), 1
	case o.kind == inAllocation:
		if t.Base, err = w.attach(o.off, o.allocation, o.delta); err != nil {
			return err
		}
		t.Atomic = 1
	}
	if r == w.me && w.flavor == Create {
		t.Base = w.peers[r].addr // the program's own address, whatever the kind
	}
	return nil
}

// openRings says where the rings of active messages are, and whether this rank has to look at them.
func (w *Window) openRings(own *offer, l *layout) {
	if l.rings == 0 {
		return
	}
	d := w.Desc
	w.rings = [2]int64{l.rings, l.rings + int64(w.n)*int64(w.n)*fast.PacketRingSize}
	if w.n > 2 && !w.Far() {
		d.Flags |= fast.Collects
	}
	if w.n > 1 && (!w.space.crowd || l.deaf || w.n <= mostLate) &&
		(own.kind == private || w.flavor == Dynamic) {
		d.Flags |= fast.Handles
		d.Threaded = bit(l.deaf)
		for r := range w.targets {
			w.targets[r].Calls, w.targets[r].Next = w.ring(l.rings, w.me, r), 1
		}
	}
}

// enable follows when all ranks have their part.
func (w *Window) enable() {
	if w.program.size > 0 {
		w.space.mu.Lock()
		w.space.insert(w.program)
		w.space.mu.Unlock()
	}
	if w.Desc.Threaded != 0 {
		w.space.assist(&w.handler)
	}
	if w.Desc.Flags&fast.Handles != 0 || w.Far() {
		w.space.handle(w)
	}
}

// allowStubs says whether the C stubs may synchronize on their own.
func (w *Window) allowStubs() {
	d := w.Desc
	d.Flags &^= fast.OneThread | fast.Checked
	if !w.space.multi {
		d.Flags |= fast.OneThread
	}
	if w.space.broken != nil {
		d.Flags |= fast.Checked
	}
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
