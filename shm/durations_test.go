package shm

import (
	"sync/atomic"
	"testing"
	"time"
)

// A loop of as many polls as a duration has takes about that long, when nothing interrupts it, nor the
// measurement of a poll.
func TestPolls(t *testing.T) {
	var word uint32
	const d = 100 * time.Microsecond
	cost := pollCost()
	for range 100 {
		cost = min(cost, measurePoll())
	}
	polls := int(d / cost)
	least := time.Duration(1 << 62)
	for range 100 {
		begin := Now()
		for range polls {
			if atomic.LoadUint32(&word) != 0 {
				t.Fatal("nobody has written the word")
			}
			Pause(1)
		}
		least = min(least, time.Duration(Now()-begin))
	}
	if least < d/3 || least > 4*d {
		t.Errorf("%d polls take %v, want about %v", polls, least, d)
	}
	if Polls(d) != int(d/pollCost()) || Polls(0) != 1 || Polls(SpinAlone) <= Polls(SpinCrowded) {
		t.Errorf("%d polls for nothing, %d for %v, %d for %v", Polls(0), Polls(SpinAlone), SpinAlone,
			Polls(SpinCrowded), SpinCrowded)
	}
}
