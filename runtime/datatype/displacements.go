package datatype

// Where the bytes of data stand, for those who move them by other means than Pack and Unpack: a file's view
// is an endless row of elements of a type, laid out from a displacement on (MPI 5.0, 14.3).

// program is one element of t as a list of steps.
func (t *Type) program() []step {
	if t.body == nil && t.size > 0 {
		return []step{run(0, t.size)}
	}
	return t.body
}

// Locate is the displacement of byte at of the data of a row of elements. t has data, and at is not negative.
func (t *Type) Locate(at int64) int64 {
	off := at / t.size * t.extent
	at %= t.size
	s := &step{body: t.program()}
	for s.body != nil {
		s = &s.body[s.child(at)]
		at -= s.ahead
		off += s.displacement(at / s.size)
		at %= s.size
	}
	if s.list != nil {
		i := holder(s.list, at)
		off, at = off+s.list[i].off, at-beginOf(s.list, i)
	}
	return off + at
}

// Before is how many bytes of data of a row of elements stand at displacements below off. The data of t must
// ascend (Ascends), and its extent must not be negative.
func (t *Type) Before(off int64) int64 {
	if t.size == 0 || off <= t.trueLB {
		return 0
	}
	element := int64(0)
	if t.extent > 0 {
		element = (off - 1 - t.trueLB) / t.extent
	}
	n := element * t.size
	s := step{body: t.program(), count: 1, size: t.size}
	return n + s.before(off-element*t.extent)
}

// lead is the displacement of the step's first byte from the address of the enclosing turn.
func (s *step) lead() int64 {
	off := s.displacement(0)
	if s.body != nil {
		off += s.body[0].lead()
	}
	return off
}

// before is how many bytes of the step stand at displacements below off.
func (s *step) before(off int64) int64 {
	inner := int64(0)
	if s.body != nil {
		inner = s.body[0].lead()
	}
	lo, hi := int64(0), s.count // the last turn that begins below off is the one before lo
	for lo < hi {
		if mid := lo + (hi-lo)/2; s.displacement(mid)+inner < off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0
	}
	turn := lo - 1
	rest := off - s.displacement(turn)
	n := turn * s.size
	if s.list != nil {
		return n + beforeIn(s.list, rest)
	}
	if s.body == nil {
		return n + min(rest, s.size)
	}
	for i := len(s.body) - 1; ; i-- {
		if c := &s.body[i]; c.lead() < rest || i == 0 {
			return n + c.ahead + c.before(rest)
		}
	}
}

// beforeIn is how many bytes of a list of runs stand at displacements below off, which is above that of the
// first.
func beforeIn(list []listedRun, off int64) int64 {
	lo, hi := 1, len(list) // the last run that begins below off is the one before lo
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); list[mid].off < off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return beginOf(list, lo-1) + min(off-list[lo-1].off, sizeOf(list, lo-1))
}

// Ascends reports whether each byte of data of a row of elements stands behind the one before it. If
// overlaps, runs of bytes may begin where the one before has begun, or later.
func (t *Type) Ascends(overlaps bool) bool {
	if t.size == 0 {
		return true
	}
	first, last, end, ok := ascending(t.program(), overlaps)
	return ok && follows(t.extent+first, last, end, overlaps)
}

// AscendsWithin is Ascends for one element by itself: those of a row may reach into each other, as they do
// when lower and upper bounds of the parts of a struct have made its extent smaller than what its data spans.
func (t *Type) AscendsWithin(overlaps bool) bool {
	if t.size == 0 {
		return true
	}
	_, _, _, ok := ascending(t.program(), overlaps)
	return ok
}

// follows reports whether what begins at first may come after what began with its last run at last and ended
// at end.
func follows(first, last, end int64, overlaps bool) bool {
	return first >= end || overlaps && first >= last
}

// ascending is where the data of steps begins, where the last run of it begins and where that ends.
func ascending(steps []step, overlaps bool) (first, last, end int64, ok bool) {
	for i := range steps {
		f, l, e, ok := steps[i].ascends(overlaps)
		if !ok || i > 0 && !follows(f, last, end, overlaps) {
			return 0, 0, 0, false
		}
		if i == 0 {
			first, end = f, e
		}
		last, end = l, max(e, end)
	}
	return first, last, end, true
}

func (s *step) ascends(overlaps bool) (first, last, end int64, ok bool) {
	end = s.size
	if s.body != nil {
		if first, last, end, ok = ascending(s.body, overlaps); !ok {
			return 0, 0, 0, false
		}
	}
	for i, p := range s.list {
		if i == 0 {
			end = 0
		} else if !follows(p.off, last, end, overlaps) {
			return 0, 0, 0, false
		}
		last, end = p.off, max(end, p.off+sizeOf(s.list, i))
	}
	if s.offs == nil {
		if s.count > 1 && !follows(s.stride+first, last, end, overlaps) {
			return 0, 0, 0, false
		}
	} else {
		for i := 1; i < len(s.offs); i++ {
			if !follows(s.offs[i]-s.offs[i-1]+first, last, end, overlaps) {
				return 0, 0, 0, false
			}
		}
	}
	final := s.displacement(s.count - 1)
	return s.displacement(0) + first, final + last, final + end, true
}

// RunCount is the number of runs of bytes in one element, in the form in which they are moved.
func (t *Type) RunCount() int64 { return countRuns(t.program()) }

// Coarse reports whether the runs of an element hold at least n bytes on average. It is for types of a few
// steps; of others, which would have to be counted, it says that they do not.
func (t *Type) Coarse(n int64) bool {
	const few = 8
	return len(t.body) <= few && t.size > 0 && t.size/t.RunCount() >= n
}

func countRuns(steps []step) int64 {
	n := int64(0)
	for i := range steps {
		if s := &steps[i]; s.list != nil {
			n += int64(len(s.list))
		} else if s.body == nil {
			n += s.count
		} else {
			n += s.count * countRuns(s.body)
		}
	}
	return n
}

// Runs calls f for the runs of bytes that hold the bytes [at, at+n) of the data of a row of elements, in
// their order: each with its displacement and size. Runs that touch are one. It ends when f returns false.
func (t *Type) Runs(at, n int64, f func(off, size int64) bool) {
	if n <= 0 || t.size == 0 {
		return
	}
	if t.dense {
		f(t.trueLB+at, n)
		return
	}
	w := walk{left: n, visit: f}
	element := step{count: 1, size: t.size, body: t.program()}
	for i, within := at/t.size, at%t.size; w.left > 0; i, within = i+1, 0 {
		w.step(&element, i*t.extent, within)
	}
	if !w.ended && w.size > 0 {
		f(w.off, w.size)
	}
}

// walk is what Runs has still to do.
type walk struct {
	left      int64 // bytes to go; 0 once it has ended
	off, size int64 // a run that may still grow
	ended     bool
	visit     func(off, size int64) bool
}

func (w *walk) run(off, n int64) {
	n = min(n, w.left)
	w.left -= n
	if w.size > 0 && w.off+w.size == off {
		w.size += n
		return
	}
	if w.size > 0 && !w.visit(w.off, w.size) {
		w.left, w.ended = 0, true
		return
	}
	w.off, w.size = off, n
}

// step visits the runs of s from byte at of its stream on.
func (w *walk) step(s *step, base, at int64) {
	for turn, within := at/s.size, at%s.size; turn < s.count && w.left > 0; turn, within = turn+1, 0 {
		addr := base + s.displacement(turn)
		if s.list != nil {
			w.list(s.list, addr, within)
			continue
		}
		if s.body == nil {
			w.run(addr+within, s.size-within)
			continue
		}
		i := 0
		if within > 0 {
			i = s.child(within)
		}
		for ; i < len(s.body) && w.left > 0; i++ {
			c := &s.body[i]
			w.step(c, addr, max(within-c.ahead, 0))
		}
	}
}

// list visits the runs of a list from byte at of its stream on.
func (w *walk) list(list []listedRun, base, at int64) {
	for i := holder(list, at); i < len(list) && w.left > 0; i++ {
		w.run(base+list[i].off+at-beginOf(list, i), list[i].end-at)
		at = list[i].end
	}
}
