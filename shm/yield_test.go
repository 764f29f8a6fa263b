package shm

import (
	"testing"
	"time"
)

// TestYieldAbstains holds a rank to it that yields which take too long are followed by a time without any, which is as many times as
// long and ends.
func TestYieldAbstains(t *testing.T) {
	clock := NewClock()
	for _, tc := range []struct {
		name            string
		shared, crowded bool
	}{{"alone", false, false}, {"threads", true, false}, {"crowded", false, true}, {"crowded threads", true, true}} {
		t.Run(tc.name, func(t *testing.T) {
			var l Lane
			l.SetYields(tc.shared, tc.crowded)
			if l.Dear < uint64(YieldTooLong) || l.Abstain == 0 {
				t.Fatalf("yields are too dear from %d ns on, and there are none for 0 times as long", l.Dear)
			}
			l.Dear = 0 // every yield is
			begin := clock.Now()
			if !l.Yield(clock) {
				t.Fatal("no yield though none was dear")
			}
			end := clock.Now()
			if least := begin + 1; l.DearUntil < least {
				t.Fatalf("after a dear yield there are none until %d, which is not after %d", l.DearUntil, least)
			}
			if most := end + min((end-begin)*l.Abstain, uint64(YieldLongestPause)); l.DearUntil > most {
				t.Fatalf("after a yield of at most %d ns there are none until %d, which is after %d", end-begin, l.DearUntil, most)
			}
			until := clock.Now() + uint64(time.Hour)
			if l.DearUntil = until; l.Yield(clock) || l.DearUntil != until {
				t.Error("a yield at a time without any")
			}
			if l.Dear, l.DearUntil = uint64(time.Hour), 0; !l.Yield(clock) || l.DearUntil != 0 {
				t.Error("a yield that was not dear counts as one, or there was none though the time without has ended")
			}
		})
	}
}

// TestClock holds a Clock to the clock that the C stubs read: two of them agree, and go on.
func TestClock(t *testing.T) {
	a := NewClock()
	time.Sleep(2 * time.Millisecond)
	b := NewClock()
	first := b.Now()
	x := a.Now()
	last := b.Now()
	if x+uint64(time.Millisecond) < first || x > last+uint64(time.Millisecond) {
		t.Errorf("one clock reads %d between %d and %d of another", x, first, last)
	}
	if y := a.Now(); y < x {
		t.Errorf("a clock goes back from %d to %d", x, y)
	}
}
