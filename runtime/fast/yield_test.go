package fast

import (
	"testing"
	"time"
)

// TestYieldAbstains holds a rank to it that yields which take too long are followed by a time without any,
// which is as many times as long and ends.
func TestYieldAbstains(t *testing.T) {
	for _, tc := range []struct {
		name         string
		shared       bool
		ranks, cores int
	}{{"alone", false, 2, 2}, {"threads", true, 1, 2}, {"crowded", false, 3, 2}, {"many", false, 64, 2},
		{"crowded threads", true, 4, 1}} {
		t.Run(tc.name, func(t *testing.T) {
			var l Endpoint
			l.SetYields(tc.shared, tc.ranks, tc.cores)
			if l.YieldLimit < uint64(YieldTooLong) || l.YieldPause == 0 {
				t.Fatalf("yields are too dear from %d ns on, and there are none for 0 times as long", l.YieldLimit)
			}
			limit, least := time.Duration(l.YieldLimit), time.Duration(tc.ranks/tc.cores)*YieldSlice
			if tc.ranks > tc.cores && limit < least {
				t.Fatalf("yields of %v are dear, though %d ranks share %d cores", limit, tc.ranks, tc.cores)
			}
			l.YieldLimit = 0 // every yield is
			begin := clock()
			if !l.Yield() {
				t.Fatal("no yield though none was dear")
			}
			end := clock()
			if least := begin + 1; l.YieldAgain < least {
				t.Fatalf("after a dear yield there are none until %d, which is not after %d", l.YieldAgain, least)
			}
			if most := end + min((end-begin)*l.YieldPause, uint64(YieldLongestPause)); l.YieldAgain > most {
				t.Fatalf("after a yield of at most %d ns there are none until %d, which is after %d", end-begin, l.YieldAgain, most)
			}
			until := clock() + uint64(time.Hour)
			if l.YieldAgain = until; l.Yield() || l.YieldAgain != until {
				t.Error("a yield at a time without any")
			}
			if l.YieldLimit, l.YieldAgain = uint64(time.Hour), 0; !l.Yield() || l.YieldAgain != 0 {
				t.Error("a yield that was not dear counts as one, or there was none though the time without has ended")
			}
		})
	}
}
