package origin

import (
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/tune"
)

// A put or get of private memory without gaps, whose target comes for active messages, may go by the kernel
// all the same. Which is the quicker depends on the processor. A message copies twice, by two processors; the
// kernel copies once, and has to find the pages. So both are measured, by size, for puts and gets apart. What
// takes several messages goes by the kernel.
const (
	byMessage = iota
	bySingleCopy
	bothPaths = 1<<byMessage | 1<<bySingleCopy
)

// known is for how many operations the fast engine goes by what it is told. What is the quickest may change
// while a program runs.
const known = 256

// measured is a put or get while it is carried out.
type measured struct {
	choice *tune.Choice
	path   int
	timed  bool // it is to be noted what it takes
	since  time.Time
	taken  uint64 // am.Window.TakenBack when it began
}

// pick is the path for a put or get of n bytes.
func (y *Shared) pick(n int64, put bool) (m measured) {
	y.mu.Lock()
	defer y.mu.Unlock()
	sizes := &y.gets
	if put {
		sizes = &y.puts
	}
	m.choice = sizes.Of(n)
	m.path = m.choice.Pick(bothPaths, byMessage)
	if m.timed = m.choice.Measures(); m.timed {
		m.since = time.Now()
	}
	return m
}

// note says what the operation has taken, on n bytes, until it was complete at its target.
func (y *Shared) note(m *measured, took time.Duration, n int64) {
	y.mu.Lock()
	m.choice.Note(m.path, float64(took)/float64(n))
	y.mu.Unlock()
}

// sure is the path that is surely the quickest for operations like one of n bytes, from least to most; -1 for
// none. Those that the fast engine does by that count as done.
func (y *Shared) sure(m *measured, n int64) (path int, least, most int64) {
	y.mu.Lock()
	defer y.mu.Unlock()
	least, most = y.gets.Class(n)
	for path = range 2 {
		if m.choice.Surely(path, bothPaths) {
			m.choice.Skip(known)
			return path, least, most
		}
	}
	return -1, least, most
}

// byKernel reports whether an operation on a target that can be reached by active messages and by the kernel
// is to go by the kernel though the target may come.
func (s *targetBuffer) byKernel() bool {
	if s.transfer <= fast.LeastChoice || s.w.Targets[s.rank].Backoff.Left == fast.Never {
		return false
	}
	if s.transfer > fast.PacketRoom {
		return true
	}
	s.measured = s.w.shared.pick(s.transfer, s.put)
	s.measured.taken = s.w.TakenBack()
	return s.measured.path == bySingleCopy
}

// measure ends the measurement of a put or get, if it has gone by the path that was chosen, and tells the
// fast engine what is sure, as far as that can keep it in mind: messages for the shortest operations, the
// kernel for longer ones. Where several threads call, this package carries out all of these.
func (s *targetBuffer) measure(path uint32) error {
	m, t := &s.measured, &s.w.Targets[s.rank]
	if (path == fast.PathKernel) != (m.path == bySingleCopy) {
		return nil
	}
	if m.timed {
		if err := s.noteTime(path); err != nil {
			return err
		}
	}
	if t.Known != fast.Always {
		path, least, most := s.w.shared.sure(m, s.transfer)
		learn(t, path, uint64(least), min(uint64(most), mostKernel))
	}
	return nil
}

// noteTime notes what the operation has taken. A put by active messages is complete when the target has
// carried it out. Where that may be at the end of the epoch, it is waited for only if the target waits inside
// MPI; else the target is said to take as long as this rank, because it copies as many bytes. What this rank
// had to take back says nothing of messages: the target did not come, and the backoff sees to that. Nor do
// the first packets of a ring, whose memory is used for the first time.
func (s *targetBuffer) noteTime(path uint32) error {
	m, took := &s.measured, time.Since(s.measured.since)
	switch {
	case path != fast.PathActive:
	case s.w.Targets[s.rank].Sent <= fast.RingPackets:
		return nil
	case s.deferred && !s.w.Targets[s.rank].Attends():
		took *= 2
	default:
		if err := s.w.SettleRing(s.rank); err != nil {
			return err
		}
		if s.w.TakenBack() != m.taken {
			return nil
		}
		took = time.Since(m.since)
	}
	s.w.shared.note(m, took, s.transfer)
	return nil
}

// SetPaths says which paths the fast engine takes before any is known to be the quickest. reached says that
// the kernel reaches the target's memory; late that the target is not waited for; multiple that several
// threads call. The target's ring is there, if it has one.
func SetPaths(t *fast.Target, reached, late, multiple bool) {
	t.LeastKernel = noKernel
	if late {
		t.Backoff.Left = fast.Never
	}
	if t.Ring != 0 {
		if t.MostActive = fast.LeastChoice; !reached {
			t.MostActive = fast.PacketRoom
		}
	}
	if t.Ring == 0 || !reached || late || multiple {
		t.Known = fast.Always
	}
	if reached && !multiple {
		if t.LeastKernel = 1; t.Ring != 0 {
			t.LeastKernel += fast.PacketRoom
		}
		t.KernelRange = mostKernel - t.LeastKernel
	}
}

// learn tells the fast engine the quickest path for puts and gets of a target, from least to most bytes; or
// that none is known for now. Where messages are quicker they are for fewer bytes as well, and the kernel is
// for more: to find the pages takes it as long.
func learn(t *fast.Target, path int, least, most uint64) {
	end := t.LeastKernel + t.KernelRange // of those by the kernel; noKernel where there are none
	switch path {
	case byMessage:
		t.MostActive = max(t.MostActive, min(most, fast.PacketRoom))
		if t.LeastKernel != noKernel && t.LeastKernel <= most {
			t.LeastKernel, t.KernelRange = most+1, max(end, most+1)-most-1
		}
	case bySingleCopy:
		least = max(least, fast.LeastChoice+1)
		t.MostActive = min(t.MostActive, least-1)
		if t.LeastKernel == noKernel {
			end = most
		}
		t.LeastKernel = min(t.LeastKernel, least)
		t.KernelRange = max(end, most) - t.LeastKernel
	default:
		t.Known = 0
		return
	}
	t.Known = known
}

// noKernel in Target.LeastKernel says that nothing goes by the kernel in the fast engine; mostKernel is what
// goes by it at most, in bytes.
const (
	noKernel   = 1<<64 - 1
	mostKernel = 4 << 20
)
