package p2p

import (
	"testing"
	"time"

	"gompi/shm"
)

// What counts as idle is the time in which this rank copies nothing. What it copies meanwhile for other
// messages is none, and of messages under way together each has what has passed since the one before.
func TestIdle(t *testing.T) {
	const pause = 40 * time.Millisecond
	var p protocols
	begin := time.Now()
	p.began(shm.Now())
	time.Sleep(pause)
	copies := shm.Now()
	time.Sleep(pause)
	took := time.Duration(p.work(copies))
	idle := time.Duration(p.idleSince(shm.Now()))
	if most := time.Since(begin) - took; took < pause || idle < pause || idle > most {
		t.Errorf("work of %v, and the first message was idle for %v: want %v to %v", took, idle, pause, most)
	}
	ended := time.Now()
	if idle = time.Duration(p.idleSince(shm.Now())); idle > time.Since(ended)+pause/2 {
		t.Errorf("the second message was idle for %v, the first one's time", idle)
	}
}
