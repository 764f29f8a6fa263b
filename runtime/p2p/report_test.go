package p2p_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// A rank that has slept for long in the fast engine, and comes from there because of a question, has not
// waited for long when a message comes before it answers: neither in this wait nor in the next one.
func TestWaitIsYoungOnceSomethingHasCome(t *testing.T) {
	const long = 10 * time.Second
	for name, c := range map[string]struct {
		sent int // the tag of what has come, by which the wait is over or not
		old  bool
	}{
		"nothing": {-1, true}, "another message": {1, false}, "the message of the wait before": {2, false},
	} {
		t.Run(name, func(t *testing.T) {
			sent, told := make(chan bool), make(chan uint64, 1)
			testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
				e, x, word := p.Engine, &p.World.P2P, make([]byte, 8)
				if x.Rank == 0 {
					if c.sent >= 0 {
						if err := e.Send(x, buffer(word), 1, c.sent); err != nil {
							return err
						}
					}
					sent <- true
					if since := time.Duration(<-told); since > long/2 != c.old {
						return fmt.Errorf("it has waited for %s", since)
					}
					return e.Send(x, buffer(word), 1, 3)
				}
				e.SetReport(func(_ uint32, w *p2p.Wait, _ func(func(*p2p.Unexpected) bool)) {
					told <- shm.Now() - w.Since
				}, nil)
				r, err := e.Irecv(x, buffer(word), 0, 3)
				if err != nil {
					return err
				}
				<-sent
				now := shm.Now()
				p.Endpoint.Handed, p.Endpoint.HandedAt = now-uint64(long), now
				atomic.AddUint32(p.Endpoint.Asked, 1)
				if c.sent == 2 {
					if err := e.Recv(x, buffer(make([]byte, 8)), 0, 2, nil); err != nil {
						return err
					}
				}
				return e.Wait(r, nil)
			})
		})
	}
}

// A question that a rank has answered before the bell rings for it leaves the wait as old as it is. Another
// ring does not.
func TestWaitIsOldAfterALateRing(t *testing.T) {
	told, there := make(chan uint64, 100), make(chan bool)
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x, word := p.Engine, &p.World.P2P, make([]byte, 8)
		if x.Rank == 1 {
			e.SetReport(func(_ uint32, w *p2p.Wait, _ func(func(*p2p.Unexpected) bool)) {
				told <- w.Since
			}, nil)
			close(there) // questions from before a rank has come are none to it
			return e.Recv(x, buffer(word), 0, 3, nil)
		}
		ring := func() {
			for !shm.Asleep(p.Segment, 1) {
				time.Sleep(100 * time.Microsecond)
			}
			shm.BellOf(p.Segment, 1).Wake()
		}
		<-there
		number := atomic.AddUint32(p.Endpoint.Asked, 1)
		first := <-told // at the end of a nap
		ring()
		time.Sleep(20 * time.Millisecond)
		atomic.StoreUint32(p.Endpoint.Rang, number)
		shm.AskReports(p.Segment)
		if second := <-told; second != first {
			return fmt.Errorf("younger by %d ns after the ring of a question", second-first)
		}
		for again := first; again == first; again = <-told { // a ring that finds it awake does nothing
			ring()
			time.Sleep(time.Millisecond)
			shm.AskReports(p.Segment)
		}
		return e.Send(x, buffer(word), 1, 3)
	})
}
