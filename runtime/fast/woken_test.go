package fast

import (
	"sync/atomic"
	"testing"
	"time"

	"gompi/shm"
)

// A rank polls for as long as wake-ups take and half as much again, within bounds, and soon again for less.
func TestLearn(t *testing.T) {
	const least = 1000
	alone := Waits{Adapts: 1, SpinLeast: least, Spins: least, Polls: least}
	for _, x := range []struct {
		took  time.Duration
		times int
		polls uint32
	}{
		{0, 5, least},
		{10 * time.Microsecond, 20, least},
		{100 * time.Microsecond, 20, 3 * least},
		{10 * time.Millisecond, 20, 10 * least},
		{100 * time.Microsecond, 60, 3 * least},
		{5 * time.Microsecond, 60, least},
	} {
		for range x.times {
			alone.Learn(uint64(x.took))
		}
		if got := alone.Spins; got < x.polls*9/10 || got > x.polls*11/10 || alone.Polls != got {
			t.Errorf("after wake-ups of %s it polls %d and %d times, want %d", x.took, got, alone.Polls, x.polls)
		}
	}
	crowded := Waits{SpinLeast: 4, Spins: 4, Polls: 196}
	if crowded.Learn(uint64(time.Millisecond)); crowded.Spins != 4 || crowded.Polls != 196 {
		t.Errorf("a rank that shares its core polls %d and %d times", crowded.Spins, crowded.Polls)
	}
}

// Only a ring that comes after the sleep began tells how long a wake-up takes.
func TestWokenIn(t *testing.T) {
	s, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, err := New(s, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	bell := shm.BellOf(s, 0)
	bell.Arm(1)
	bell.Wake()
	began := shm.Now() + 1
	if took := e.WokenIn(began); took != 0 {
		t.Errorf("a ring before the sleep is a wake-up of %d ns", took)
	}
	for shm.Now() <= began {
	}
	if bell.Wake(); e.WokenIn(began) != 0 {
		t.Error("the bell of a rank that is awake counts as rung")
	}
	bell.Arm(1)
	bell.Wake()
	time.Sleep(time.Millisecond)
	if took := e.WokenIn(began); took < uint64(time.Millisecond) || atomic.LoadUint64(e.Rung) <= began {
		t.Errorf("a wake-up has taken %d ns, want at least a millisecond", took)
	}
}
