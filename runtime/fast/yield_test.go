package fast

import (
	"os"
	"sync/atomic"
	"testing"
	"time"

	"gompi/shm"
)

// yielding is the node of an endpoint of that many ranks on that many cores, of which the first one is this
// process, and the others are none.
func yielding(t *testing.T, shared bool, ranks, cores int) *Node {
	mem, err := shm.Private(uintptr(ranks) * shm.RankStride)
	if err != nil {
		t.Fatal(err)
	}
	e := &Node{N: uint32(ranks), Pids: shm.Word32(mem)}
	atomic.StoreUint32(e.Pids, uint32(os.Getpid()))
	e.SetYields(shared, ranks, cores)
	return e
}

// TestYieldAbstains holds a rank that has a processor of its own to it that a yield which takes too long is
// followed by a time without any, and that this time ends.
func TestYieldAbstains(t *testing.T) {
	for _, tc := range []struct {
		name   string
		shared bool
		ranks  int
	}{{"alone", false, 2}, {"threads", true, 1}} {
		t.Run(tc.name, func(t *testing.T) {
			e := yielding(t, tc.shared, tc.ranks, 2)
			if e.YieldLimit < uint64(YieldTooLong) {
				t.Fatalf("yields are too long from %d ns on", e.YieldLimit)
			}
			e.YieldLimit = 0 // every yield is
			begin := clock()
			if !e.Yield() {
				t.Fatal("no yield though none was long")
			}
			end, pause := clock(), uint64(YieldLongestPause)
			if e.YieldAgain < begin+pause || e.YieldAgain > end+pause {
				t.Fatalf("no yields until %d after one between %d and %d", e.YieldAgain, begin, end)
			}
			until := clock() + uint64(time.Hour)
			if e.YieldAgain = until; e.Yield() || e.YieldAgain != until {
				t.Error("a yield at a time without any")
			}
			if e.YieldLimit, e.YieldAgain = uint64(time.Hour), 0; !e.Yield() || e.YieldAgain != 0 {
				t.Error("a short yield counts as a long one, or there was none though the time without has ended")
			}
		})
	}
}

// TestYieldCrowded has ranks that share processors take yields for dear where others have had the processors,
// and not where they have had them themselves.
func TestYieldCrowded(t *testing.T) {
	e := yielding(t, false, 3, 1)
	look := func(passed, ran time.Duration) bool {
		now := clock()
		e.YieldAgain, e.LookedAt = 0, now-uint64(passed)
		e.RanksRan = e.ranksTime() - uint64(ran)
		e.longYield(now)
		return e.YieldAgain > now
	}
	const window = (YieldLeastWindow + YieldMostWindow) / 2
	if ran := e.ranksTime(); ran == 0 {
		t.Fatal("a rank that runs has not had a processor")
	}
	switch {
	case look(window, window):
		t.Error("no yields though the ranks have had the processors")
	case !look(window, window/8):
		t.Error("yields though others have had the processors")
	case e.YieldPause != uint64(YieldShortestPause):
		t.Errorf("the first time without yields takes %d ns", e.YieldPause)
	case !look(window, window/8) || e.YieldPause != 2*uint64(YieldShortestPause):
		t.Error("the next time without yields is not twice as long")
	case look(2*YieldMostWindow, 0), look(YieldLeastWindow/2, 0):
		t.Error("a rank judges by a time that is too long or too short")
	}
	for range 10 {
		look(window, 0)
	}
	if e.YieldPause != uint64(YieldLongestPause) {
		t.Errorf("in the end the time without yields takes %d ns", e.YieldPause)
	}
	if look(window, window) || e.YieldPause != 0 {
		t.Error("the time without yields is not forgotten when others have gone")
	}
}
