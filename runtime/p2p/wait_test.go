package p2p_test

import (
	"errors"
	"fmt"
	gort "runtime"
	"sync"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Waiting in whatever way allocates nothing, however long it takes.
func TestWaitingAllocatesNothing(t *testing.T) {
	const rounds = 300
	ways := map[string]func(e *p2p.Engine, x *p2p.Context, other int, rs []*request.Request,
		st *request.Status) error{
		"Wait": func(e *p2p.Engine, x *p2p.Context, other int, rs []*request.Request, st *request.Status) error {
			return e.Wait(rs[0], st)
		},
		"WaitAll": func(e *p2p.Engine, x *p2p.Context, other int, rs []*request.Request, st *request.Status) error {
			return e.WaitAll(rs, nil)
		},
		"WaitAny": func(e *p2p.Engine, x *p2p.Context, other int, rs []*request.Request, st *request.Status) error {
			_, err := e.WaitAny(rs, st)
			return err
		},
		"WaitFor": func(e *p2p.Engine, x *p2p.Context, other int, rs []*request.Request, st *request.Status) error {
			if err := e.WaitFor(rs[0]); err != nil {
				return err
			}
			return e.Wait(rs[0], st)
		},
	}
	for name, wait := range ways {
		t.Run(name, func(t *testing.T) {
			testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
				e, x := p.Engine, &p.World.P2P
				other, word := 1-x.Rank, make([]byte, 8)
				rs := make([]*request.Request, 1)
				var st request.Status
				round := func() (err error) {
					if rs[0], err = e.Irecv(x, buffer(word), other, 1); err != nil {
						return err
					}
					if x.Rank == 1 { // the answer comes late enough for the other to sleep now and then
						if err := wait(e, x, other, rs, &st); err != nil {
							return err
						}
						return e.Send(x, buffer(word), other, 1)
					}
					if err := e.Send(x, buffer(word), other, 1); err != nil {
						return err
					}
					return wait(e, x, other, rs, &st)
				}
				for range 20 {
					if err := round(); err != nil {
						return err
					}
				}
				var before, after gort.MemStats
				gort.ReadMemStats(&before)
				for range rounds {
					if err := round(); err != nil {
						return err
					}
				}
				gort.ReadMemStats(&after)
				if n := after.Mallocs - before.Mallocs; n > rounds/3 {
					return fmt.Errorf("%d rounds allocate %d times", rounds, n)
				}
				return nil
			})
		})
	}
	kept.memory = nil
}

// Threads of a rank that wait for others sleep, and do not wake each other over and over: the naps of each
// become longer.
func TestThreadsSleep(t *testing.T) {
	const threads, naps = 4, 250 // in 300 ms one thread takes some 105 naps at most
	testjob.Run(t, 2, testjob.Options{Multiple: true, Cores: 64}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank == 0 {
			time.Sleep(300 * time.Millisecond)
			for k := range threads {
				if err := e.Send(x, buffer(nil), 1, k); err != nil {
					return err
				}
			}
			return nil
		}
		before := e.Counters().Sleeps
		var all sync.WaitGroup
		failures := make([]error, threads)
		for k := range threads {
			all.Go(func() { failures[k] = e.Recv(x, buffer(nil), 0, k, nil) })
		}
		all.Wait()
		if n := e.Counters().Sleeps - before; n > threads*naps {
			failures = append(failures, fmt.Errorf("%d threads have slept %d times", threads, n))
		}
		return errors.Join(failures...)
	})
}

// A rank that waits for one thing still sends what waits for room, to all peers.
func TestSleeperSendsToEverybody(t *testing.T) {
	const ranks, messages = 4, 200 // more than a ring holds
	testjob.Run(t, ranks, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		data := pattern(300, 1)
		if x.Rank != 0 {
			in := make([]byte, 300)
			for range messages {
				if err := e.Recv(x, buffer(in), 0, 1, nil); err != nil {
					return err
				}
			}
			return e.Send(x, buffer(data[:1]), 0, 2)
		}
		var sends []*request.Request
		for range messages {
			for peer := 1; peer < ranks; peer++ {
				r, err := e.Isend(x, buffer(data), peer, 1)
				if err != nil {
					return err
				}
				sends = append(sends, r)
			}
		}
		in := make([]byte, 1)
		var recvs []*request.Request
		for peer := 1; peer < ranks; peer++ { // what they wait for in turn are answers to the last message
			r, err := e.Irecv(x, buffer(in), peer, 2)
			if err != nil {
				return err
			}
			recvs = append(recvs, r)
		}
		for range recvs {
			i, err := e.WaitAny(recvs, nil)
			if err != nil {
				return err
			}
			recvs[i] = nil
		}
		return e.WaitAll(sends, nil)
	})
	kept.memory = nil
}
