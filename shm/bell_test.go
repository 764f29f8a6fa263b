package shm

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two sides hand a turn to and fro, each asleep while it is not its turn. No wake-up may be lost for longer
// than a nap, and most not at all.
func TestBell(t *testing.T) {
	s, err := CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	turn := Word32(s.Base + HdrBarrier)
	const rounds = 2000
	var late atomic.Int32
	play := func(me uint32) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		own, peer := BellOf(s, int(me)), BellOf(s, int(1-me))
		for range rounds {
			for {
				own.Arm(1)
				if atomic.LoadUint32(turn)%2 == me {
					own.Disarm()
					break
				}
				own.Sleep(1, time.Second)
				// The turn has come, and the peer has not seen that this side is armed, or is about to.
				if atomic.LoadUint32(turn)%2 == me && atomic.LoadUint32(own.word) != 0 {
					late.Add(1)
				}
				own.Disarm()
			}
			StoreRel32(turn, atomic.LoadUint32(turn)+1)
			peer.Ring()
		}
	}
	var both sync.WaitGroup
	for me := range uint32(2) {
		both.Go(func() { play(me) })
	}
	both.Wait()
	if got := atomic.LoadUint32(turn); got != 2*rounds {
		t.Errorf("%d turns, want %d", got, 2*rounds)
	}
	if late.Load() > rounds/100 {
		t.Errorf("%d of %d wake-ups were lost", late.Load(), 2*rounds)
	}
}

// aloneBell is the bell of a job of one rank.
func aloneBell(t *testing.T) Bell {
	t.Helper()
	s, err := CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return BellOf(s, 0)
}

// Wake ends the sleep of everybody on the bell.
func TestBellWakesAll(t *testing.T) {
	b := aloneBell(t)
	b.Arm(1)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { b.Sleep(1, 0) })
	}
	time.Sleep(20 * time.Millisecond)
	b.Wake()
	all.Wait()
}

// A thread that was woken between Arm and Sleep does not sleep, though another thread has armed since.
func TestBellArmedAgain(t *testing.T) {
	b := aloneBell(t)
	b.Arm(1)
	b.Wake()
	b.Arm(2)
	up := make(chan bool)
	go func() {
		b.Sleep(1, 0)
		close(up)
	}()
	select {
	case <-up:
	case <-time.After(2 * time.Minute):
		t.Error("the thread sleeps")
		b.Wake()
	}
}

func TestMutex(t *testing.T) {
	var m Mutex
	var n int
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for i := range 5000 {
				m.Lock()
				n++
				if i%500 == 0 {
					time.Sleep(10 * time.Microsecond) // so that others have to sleep
				}
				m.Unlock()
			}
		})
	}
	all.Wait()
	if n != 20_000 {
		t.Errorf("counted to %d, want 20000", n)
	}
}
