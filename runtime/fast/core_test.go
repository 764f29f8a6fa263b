package fast

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gompi/shm"
)

// newEndpoints are the endpoints of n ranks of one node.
func newEndpoints(t *testing.T, n int) []*Endpoint {
	t.Helper()
	s, err := shm.CreateJob(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	all := make([]*Endpoint, n)
	for r := range all {
		if all[r], err = New(s, r, n); err != nil {
			t.Fatal(err)
		}
		all[r].Open = Opened
	}
	return all
}

// bind binds the test's thread, which ends with it, to its nth processor, and reports whether it has
// that many.
func bind(t *testing.T, nth int) bool {
	t.Helper()
	for core := range 8 * shm.CoreWords {
		var one unix.CPUSet
		if one.Set(core); unix.SchedSetaffinity(0, &one) != nil {
			continue // not one of ours
		}
		if nth--; nth < 0 {
			return true
		}
	}
	return false
}

// Of two ranks that wait on one processor the second one hears of it, once the first has waited there and as
// long as it has not waited elsewhere.
func TestSharesCore(t *testing.T) {
	runtime.LockOSThread()
	all := newEndpoints(t, 3)
	a, b, c := all[0], all[1], all[2]
	if !bind(t, 0) {
		t.Fatal("no processor")
	}
	for range 2 {
		if a.SharesCore() {
			t.Error("the first rank shares its processor")
		}
		if !b.SharesCore() || !c.SharesCore() {
			t.Error("a later rank has the processor for itself")
		}
	}
	if b.MoveApart() {
		t.Error("moved away from the only processor")
	}
	if b.SharesCore() || !a.SharesCore() {
		t.Error("the processor is not that of the rank that could not move")
	}
	if bind(t, 1) {
		if b.SharesCore() {
			t.Error("a rank shares a processor that nobody was on")
		}
		bind(t, 0)
		if a.SharesCore() {
			t.Error("a rank shares the processor that another one has left")
		}
	}
}

// A rank that rests sleeps until its bell rings, and no longer.
func TestRest(t *testing.T) {
	e := newEndpoints(t, 1)[0]
	e.Spins, e.Polls = 4, 4
	var come atomic.Bool
	time.AfterFunc(30*time.Millisecond, func() {
		come.Store(true)
		shm.BellAt(e.Bell).Ring()
	})
	for polls := uint32(0); !come.Load(); polls++ {
		if !e.rest(polls) {
			t.Fatal("a rank with nothing under way is not to sleep")
		}
	}
	if e.Sleeps == 0 || e.Asleep < uint64(20*time.Millisecond) || e.Waited < e.Asleep {
		t.Errorf("%d sleeps of %d ns, %d ns waited", e.Sleeps, e.Asleep, e.Waited)
	}
	if e.backoff(0); e.Naps != 0 || atomic.LoadUint32(e.Bell) != 0 {
		t.Errorf("the next wait begins with %d naps and the bell at %d", e.Naps, *e.Bell)
	}
}

// A rank does not sleep here when package p2p has something to look after, nor when a rank has died.
func TestRestRefused(t *testing.T) {
	cases := map[string]func(*Endpoint){
		"sends":           func(e *Endpoint) { e.Sending = 1 },
		"copies":          func(e *Endpoint) { e.Copying = 1 },
		"active messages": func(e *Endpoint) { e.Serving = 1 },
		"queues":          func(e *Endpoint) { e.Queued = 1 },
		"watched":         func(e *Endpoint) { e.Watched = 1 },
		"collectives":     func(e *Endpoint) { e.Collectives = 1 },
		"threads":         func(e *Endpoint) { e.Shared = 1 },
		"bridges":         func(e *Endpoint) { e.Open = Remote },
	}
	for name, begin := range cases {
		t.Run(name, func(t *testing.T) {
			e := newEndpoints(t, 1)[0]
			if !e.rest(0) || *e.Bell == 0 {
				t.Fatal("the bell is not armed")
			}
			if begin(e); e.rest(1) || *e.Bell != 0 || e.Sleeps != 0 {
				t.Errorf("slept %d times, the bell is %d", e.Sleeps, *e.Bell)
			}
		})
	}
	t.Run("death", func(t *testing.T) {
		e := newEndpoints(t, 1)[0]
		atomic.StoreUint32(e.Epoch, 1)
		if e.rest(0); e.rest(1) || e.Sleeps != 1 {
			t.Errorf("goes on after %d sleeps", e.Sleeps)
		}
	})
}

func TestNapTime(t *testing.T) {
	last := uint64(0)
	for naps := range uint32(12) {
		got := NapTime(naps)
		if got < last || got > uint64(shm.LongestNap) || naps == 0 && got != uint64(shm.FirstNap) {
			t.Errorf("nap %d takes %d ns, the one before %d", naps, got, last)
		}
		last = got
	}
	if last != uint64(shm.LongestNap) {
		t.Errorf("naps grow to %d ns", last)
	}
}
