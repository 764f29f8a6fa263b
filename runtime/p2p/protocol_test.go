package p2p

import (
	"testing"

	"gompi/shm"
)

// What counts as idle is the time in which this rank copies nothing. What it copies meanwhile for other
// messages is none, and of messages under way together each has what has passed since the one before.
func TestIdle(t *testing.T) {
	const pause, more = 40_000, 7_000 // ns
	var p protocols
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
