package rma

import (
	"sync"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/tune"
)

// A put or get of private memory without gaps, whose target comes for active messages, may go by the kernel
// all the same. Which is the quicker depends on the processor. A message copies twice, by two processors; the
// kernel copies once, and has to find the pages. So both are measured, by size, for puts and gets apart.
const (
	messageWay = iota
	kernelWay
	bothWays = 1<<messageWay | 1<<kernelWay
)

// leastWays is the size in bytes up to which active messages are taken without a measurement: the kernel
// takes longer everywhere.
const leastWays = 256

// ways is what is known of them.
type ways struct {
	mu         sync.Mutex
	gets, puts tune.Sizes
}

// newWays knows nothing.
func newWays() *ways { return &ways{gets: tune.Sizes{Least: 9}, puts: tune.Sizes{Least: 9}} }

// measured is a put or get while it is carried out, if it is measured.
type measured struct {
	choice *tune.Choice
	way    int
	since  time.Time
}

// pick is the way for a put or get of n bytes.
func (y *ways) pick(n int64, put bool) (way int, m measured) {
	y.mu.Lock()
	defer y.mu.Unlock()
	sizes := &y.gets
	if put {
		sizes = &y.puts
	}
	c := sizes.Of(n)
	if way = c.Pick(bothWays, messageWay); c.Measures() {
		m = measured{c, way, time.Now()}
	}
	return way, m
}

// note says that the operation, on n bytes, is complete at its target. It tells the way that is surely the
// quickest for operations from least to most bytes; -1 for none.
func (y *ways) note(m *measured, n int64) (way int, least, most int64) {
	y.mu.Lock()
	defer y.mu.Unlock()
	m.choice.Note(m.way, float64(time.Since(m.since))/float64(n))
	least, most = y.gets.Class(n)
	switch {
	case m.choice.Surely(messageWay, bothWays):
		return messageWay, least, most
	case m.choice.Surely(kernelWay, bothWays):
		return kernelWay, least, most
	}
	return -1, least, most
}

// byKernel reports whether an operation on a target that can be reached by active messages and by the kernel
// is to go by the kernel though the target may come.
func (s *targetBuffer) byKernel() bool {
	if s.transfer <= leastWays || s.w.targets[s.rank].Backoff.Left == fast.Never {
		return false
	}
	way := messageWay
	way, s.measured = s.w.space.ways.pick(s.transfer, s.put)
	return way == kernelWay
}

// measure ends the measurement of a put or get, if it has gone by the way that was chosen. A put by active
// messages is complete when the target has carried it out. The fast engine goes by what is sure, as far as it
// can keep that in mind: messages for the shortest operations, the kernel for sizes in a row.
func (s *targetBuffer) measure(path uint32) error {
	m, t := &s.measured, &s.w.targets[s.rank]
	if (path == fast.PathKernel) != (m.way == kernelWay) {
		return nil
	}
	if path == fast.PathActive {
		if err := s.w.settleTarget(s.rank); err != nil {
			return err
		}
	}
	way, least, most := s.w.space.ways.note(m, s.transfer)
	if !s.w.space.multi { // where several threads call, this package carries out all of these
		learn(t, way, uint64(least), min(uint64(most), mostKernel))
	}
	return nil
}

// learn tells the fast engine the quickest way for puts and gets of a target, from least to most bytes.
func learn(t *fast.Target, way int, least, most uint64) {
	if way == messageWay && least <= t.MostActive+1 {
		t.MostActive = max(t.MostActive, min(most, fast.PacketRoom))
	}
	if least = max(least, leastWays+1); way != kernelWay || least > most {
		return
	}
	switch {
	case t.LeastKernel == noKernel:
		t.LeastKernel, t.KernelRange = least, most-least
	case least == t.LeastKernel+t.KernelRange+1:
		t.KernelRange = most - t.LeastKernel
	case most+1 == t.LeastKernel:
		t.LeastKernel, t.KernelRange = least, t.KernelRange+t.LeastKernel-least
	}
}

// noKernel in Target.LeastKernel says that nothing goes by the kernel in the fast engine; mostKernel is what
// goes that way at most, in bytes.
const (
	noKernel   = 1<<64 - 1
	mostKernel = 4 << 20
)
