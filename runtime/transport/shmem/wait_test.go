package shmem

import (
	"math"
	"testing"
	"time"

	"gompi/runtime/fast"
	"gompi/shm"
)

// A rank that has a processor of its own polls for as long as wake-ups take, and no longer than the least
// where yields are refused.
func TestSpinAlone(t *testing.T) {
	s, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, err := fast.New(s, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	w := Waiter{policy: newWaitPolicy(2, 2, 0, false), endpoint: e}
	w.policy.apply(e)
	e.YieldLimit = uint64(time.Hour)
	const slow = 200 * time.Microsecond // a wake-up
	// shortest is how long the shortest of some waits polls; a busy machine only prolongs them. If one of
	// less than most is to come, there are more until it does.
	shortest := func(most time.Duration) time.Duration {
		least := time.Duration(math.MaxInt64)
		for tries, watchdog := 0, time.Now().Add(time.Minute); tries < 20 || least >= most; tries++ {
			begin := time.Now()
			for n := 0; w.Spin(n); n++ {
			}
			if least = min(least, time.Since(begin)); time.Now().After(watchdog) {
				break
			}
		}
		return least
	}
	if got := shortest(slow); got < shm.SpinAlone || got >= slow {
		t.Errorf("polls for %s at first, want %s", got, shm.SpinAlone)
	}
	for range 20 {
		e.Learn(uint64(slow))
	}
	if got := shortest(math.MaxInt64); got < slow {
		t.Errorf("polls for %s where a wake-up takes %s", got, slow)
	}
	e.YieldAgain = ^uint64(0)
	if got := shortest(slow); got < shm.SpinAlone || got >= slow {
		t.Errorf("polls for %s without yields, want %s", got, shm.SpinAlone)
	}
}

// Ranks that share cores, threads, and ranks for which the user has said how often to poll do not adapt.
func TestWhoAdapts(t *testing.T) {
	for _, x := range []struct {
		ranks, cores, spin int
		threads, adapts    bool
	}{
		{2, 2, 0, false, true}, {3, 2, 0, false, false}, {2, 2, 0, true, false}, {2, 2, 100, false, false},
	} {
		if w := newWaitPolicy(x.ranks, x.cores, x.spin, x.threads); w.adapts != x.adapts {
			t.Errorf("%+v: adapts is %v", x, w.adapts)
		}
	}
}
