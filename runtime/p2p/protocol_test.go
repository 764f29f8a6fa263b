package p2p

import (
	"runtime"
	"testing"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/runtime/tune"
	"gompi/shm"
)

// What counts as idle is the time in which this rank copies nothing. What it copies meanwhile for other
// messages is none, and of messages under way together each has what has passed since the one before.
func TestIdle(t *testing.T) {
	const pause, more = 40_000, 7_000 // ns
	p := protocols{core: &core{endpoint: new(fast.Endpoint)}}
	began := shm.Now()
	p.began(began)
	for shm.Now() == began { // so that the work takes some time
	}
	took := p.work(began)
	if took == 0 || p.copyTime != took {
		t.Errorf("work of %d ns counts as %d", took, p.copyTime)
	}
	if idle := p.idleSince(began + took + pause); idle != pause {
		t.Errorf("the first message was idle for %d ns, want %d", idle, pause)
	}
	if idle := p.idleSince(began + took + pause + more); idle != more {
		t.Errorf("the second message was idle for %d ns, want %d", idle, more)
	}
}

// sender is a peer that is in MPI after so many looks; never if that is less than 0. It is its link as well,
// and the waiter.
type sender struct {
	transport.Sharer
	transport.Waiter
	transport.Grower
	comes, looks int
}

func (s *sender) IsInside(int) bool { s.looks++; return s.comes >= 0 && s.looks > s.comes }
func (s *sender) Spin(int) bool     { return true }

func (s *sender) Reach(int) *shm.Process     { return new(shm.Process) }
func (s *sender) Grown(_, n int) (int, bool) { return n, true }

// protocolsTo is protocols with one peer.
func protocolsTo(s *sender) *protocols {
	p := &protocols{core: &core{peers: []*peer{newPeer(&link{sharer: s, grower: s})}, waiter: s,
		endpoint: new(fast.Endpoint)}}
	p.table[pipelineProtocol].usable = func(x terms) bool { return x.shared }
	p.table[readProtocol].usable = func(terms) bool { return true }
	return p
}

// A sender is waited for if its help saves something, and the less often the longer it has not come.
func TestSenderComesBack(t *testing.T) {
	const n = 1 << 16
	both := uint8(1<<readProtocol | 1<<pipelineProtocol)
	dear, cheap := new(tune.Choice), new(tune.Choice)
	for range 100 {
		dear.Note(dear.Pick(1<<readProtocol, readProtocol), 10) // the pipeline may save all
		cheap.Note(cheap.Pick(both, readProtocol), 1)
	}
	s := &sender{comes: 3}
	p := protocolsTo(s)
	if !p.comesBack(0, dear, n, terms{}) || s.looks != 4 {
		t.Errorf("a sender that comes at once was looked for %d times", s.looks)
	}
	if s.looks = 0; p.comesBack(0, cheap, n, terms{}) || s.looks != 0 {
		t.Errorf("a sender that saves nothing was looked for %d times", s.looks)
	}
	s.comes = -1
	waits := 0
	for range 1000 {
		before := s.looks
		if p.comesBack(0, dear, 16, terms{}) {
			t.Fatal("a sender that never comes has come")
		}
		if s.looks > before {
			waits++
		}
	}
	if waits < 8 || waits > 16 {
		t.Errorf("a sender that never comes was waited for with %d of 1000 messages", waits)
	}
	for s.comes = 0; !p.comesBack(0, dear, n, terms{}); {
	}
	if s.looks = 0; !p.comesBack(0, dear, n, terms{}) {
		t.Error("a sender that comes again is not waited for")
	}
	p.crowded = true
	if s.looks = 0; p.comesBack(0, dear, n, terms{}) || s.looks != 0 {
		t.Error("a rank that shares its core waits for a sender")
	}
}

// A message for which memory was touched for the first time says nothing of its protocol.
func TestTouchesFirst(t *testing.T) {
	const n = 1 << 16
	p := protocolsTo(&sender{})
	d := &p.directions[0]
	d.choices.Least = leastSize
	for i, at := range []uintptr{n, 0, n, 2 * n} {
		first := at == n && i == 0 || at == 2*n
		if got := p.touches(0, at, n); got != first || p.disturbed != first {
			t.Errorf("payload %d: touches memory first %v, %v", i, got, p.disturbed)
		}
		p.disturbed = true
		d.choices.Of(n).Pick(1<<pipelineProtocol, pipelineProtocol)
		if p.note(d, pipelineProtocol, n, shm.Now(), 0); p.disturbed || d.choices.Of(n).Known() {
			t.Errorf("message %d is measured", i)
		}
	}
	for range 100 {
		p.note(d, pipelineProtocol, n, shm.Now(), 0)
	}
	if !d.choices.Of(n).Known() {
		t.Error("messages that touch nothing first are not measured")
	}
}

// Once eager messages are surely not to be announced, most are left to the fast engine. The first one that
// comes here after these is not measured, the next one is.
func TestLeavesMessages(t *testing.T) {
	const n = 1 << 16
	p := protocolsTo(&sender{})
	p.learnsEager = true
	for i := range p.directions {
		p.directions[i].choices.Least = leastSize
	}
	p.table = [protocolCount]protocol{} // nothing that is announced could come
	memory := make([]byte, 2*n)
	data, in := shm.Address(memory), datatype.Raw(shm.Address(memory[n:]), n)
	left := &p.endpoint.Unmeasured
	receive := func() {
		t.Helper()
		if err := p.unpackEager(&in, 0, data, n, fast.Growing); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; *left == 0; i++ {
		if receive(); i > 100 {
			t.Fatal("no message is left to the fast engine")
		}
	}
	for range 3 {
		if *left != unmeasured {
			t.Errorf("%d messages are left to the fast engine", *left)
		}
		*left = 0
		if receive(); *left != 0 {
			t.Error("a message after those that the fast engine has received is measured")
		}
		receive()
	}
	p.learnsEager, *left = false, 0
	if receive(); *left != unmeasured {
		t.Error("where nothing is measured, messages are not left to the fast engine")
	}
	*left = fast.AllUnmeasured
	if receive(); *left != fast.AllUnmeasured {
		t.Error("some messages are to be measured, where none were")
	}
	runtime.KeepAlive(memory)
}
