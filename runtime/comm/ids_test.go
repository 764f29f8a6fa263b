package comm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gompi/runtime/mpierr"
)

// combine takes the next step of the searches of all ranks of a communicator.
func combine(t *testing.T, all []*search) (done bool, err error) {
	words := all[0].words()
	for _, s := range all[1:] {
		for i, w := range s.words() {
			words[i] &= w
		}
	}
	for i, s := range all {
		over, failed := s.take(words)
		if i > 0 && (over != done || (failed == nil) != (err == nil)) {
			t.Fatalf("rank %d goes on (%t, %v), another one does not", i, over, failed)
		}
		done, err = over, failed
	}
	return done, err
}

// Ranks that have any CIDs in use, and other threads that take some at any time, find one that was free on
// all.
func TestSearch(t *testing.T) {
	for seed := range uint64(500) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			ranks := make([]contextIDs, 1+rng.IntN(5))
			single, crowd := rng.IntN(2) == 0, rng.IntN(4*64*firstWindow)
			all := make([]*search, len(ranks))
			clock := uint64(0)
			for i := range ranks {
				r := &ranks[i]
				r.single, r.clock = single, rng.Uint64N(100)
				clock = max(clock, r.clock)
				for cid := range uint32(crowd) {
					if rng.IntN(100) > 0 {
						r.claim(cid)
					}
				}
				all[i] = new(search)
				all[i].begin(r, seed, true)
			}
			for steps := 1; ; steps++ {
				if steps > 10000 {
					t.Fatal("the search does not end")
				}
				if done, err := combine(t, all); err != nil {
					t.Fatal(err)
				} else if done {
					break
				}
				if !single { // another thread
					ranks[rng.IntN(len(ranks))].claim(uint32(rng.IntN(2 * (1 + crowd))))
				}
			}
			for i, s := range all {
				if s.cid != all[0].cid || s.birth != all[0].birth || s.birth < clock {
					t.Errorf("rank %d has CID %d and birth %d, rank 0 %d and %d, the last clock said %d", i, s.cid,
						s.birth, all[0].cid, all[0].birth, clock)
				}
				if !s.taken || ranks[i].claim(s.cid) {
					t.Errorf("rank %d has not taken CID %d", i, s.cid)
				}
				if n := ranks[i].asking.Load(); n != 0 {
					t.Errorf("%d searches are under way on rank %d", n, i)
				}
			}
		})
	}
}

// A process that has no CID left says so, as do all others.
func TestSearchWithoutEnd(t *testing.T) {
	ranks := make([]contextIDs, 2)
	for cid := range uint32(64 * maxWords) {
		ranks[cid%2].claim(cid)
	}
	all := []*search{new(search), new(search)}
	for i, s := range all {
		s.begin(&ranks[i], 1, true)
	}
	for {
		done, err := combine(t, all)
		if done {
			if mpierr.CodeOf(err) != int(mpierr.ErrNoMem) {
				t.Errorf("the search ends with %v", err)
			}
			return
		}
	}
}

// A CID that a rank has taken when a failure ends the search stays taken: others may have the communicator,
// and send on it. After any other error it is free.
func TestSearchThatFails(t *testing.T) {
	for _, c := range []struct {
		class mpierr.Class
		free  bool
	}{{mpierr.ErrProcFailed, false}, {mpierr.ErrRevoked, false}, {mpierr.ErrOther, true}} {
		var ids contextIDs
		var s search
		s.begin(&ids, 1, false)
		if done, err := s.take(s.words()); done || err != nil {
			t.Fatalf("the first step ends with %t, %v", done, err)
		}
		_ = s.fail(mpierr.New(c.class, "the end"))
		if free := ids.claim(s.cid); free != c.free {
			t.Errorf("after %s the CID is free: %t", c.class.Text(), free)
		}
	}
}
