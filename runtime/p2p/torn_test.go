package p2p_test

import (
	"fmt"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/p2p/partitioned"
	"gompi/runtime/request"
	"gompi/shm"
)

// lonely is a composite request that never gets what it waits for.
type lonely struct {
	e *p2p.Engine
	x *p2p.Context
}

func (l *lonely) Advance(r *request.Request) (bool, error) {
	if r.Begun == 0 {
		l.e.Ops.PartRecv(r, l.x, buffer(make([]byte, 8)), 1, 40, nil)
	}
	return false, nil
}

// Whatever a rank waits for, it learns that a peer has died, also when it sleeps by then and also when the
// dead one is not the one that it waits for.
func TestTornDown(t *testing.T) {
	big := make([]byte, 1<<20)
	wait := func(e *p2p.Engine, r *request.Request, err error) error {
		if err == nil {
			err = e.Wait(r, nil)
		}
		return err
	}
	waits := map[string]func(e *p2p.Engine, x *p2p.Context) error{
		"Recv": func(e *p2p.Engine, x *p2p.Context) error {
			return e.Recv(x, buffer(make([]byte, 8)), 1, 0,
				nil)
		},
		"any": func(e *p2p.Engine, x *p2p.Context) error {
			return e.Recv(x, buffer(make([]byte, 8)), p2p.AnySource, 0, nil)
		},
		"Ssend": func(e *p2p.Engine, x *p2p.Context) error { return e.Ssend(x, buffer(nil), 1, 0) },
		"Send":  func(e *p2p.Engine, x *p2p.Context) error { return e.Send(x, buffer(big), 1, 0) },
		"other": func(e *p2p.Engine, x *p2p.Context) error { return e.Send(x, buffer(big), 2-x.Rank, 7) },
		"Probe": func(e *p2p.Engine, x *p2p.Context) error { return e.Probe(x, 1, 0, new(request.Status)) },
		"Mprobe": func(e *p2p.Engine, x *p2p.Context) error {
			_, err := e.Mprobe(x, 1, 0, new(request.Status))
			return err
		},
		"flood": func(e *p2p.Engine, x *p2p.Context) error {
			for {
				if err := e.Send(x, buffer(big[:64]), 1, 0); err != nil {
					return err
				}
			}
		},
		"WaitAny": func(e *p2p.Engine, x *p2p.Context) error {
			r, err := e.Irecv(x, buffer(make([]byte, 8)), 1, 0)
			if err != nil {
				return err
			}
			_, err = e.WaitAny([]*request.Request{nil, r}, nil)
			return err
		},
		"WaitAll": func(e *p2p.Engine, x *p2p.Context) error {
			r, err := e.Irecv(x, buffer(make([]byte, 8)), 1, 0)
			if err != nil {
				return err
			}
			return e.WaitAll([]*request.Request{r, nil}, nil)
		},
		"composite": func(e *p2p.Engine, x *p2p.Context) error {
			r, err := e.Ops.Begin(&lonely{e, x}, x.ID)
			return wait(e, r, err)
		},
		"partitions": func(e *p2p.Engine, x *p2p.Context) error {
			r, err := partitioned.New(e, x.Rank).RecvInit(x, buffer(make([]byte, 8)), 2, 1, 0)
			if err == nil {
				err = e.Start(r)
			}
			return wait(e, r, err)
		},
		"cancel": func(e *p2p.Engine, x *p2p.Context) error {
			r, err := e.Issend(x, buffer(nil), 1, 0)
			if err == nil {
				err = e.Cancel(r)
			}
			return wait(e, r, err)
		},
		"buffered": func(e *p2p.Engine, x *p2p.Context) error {
			b := buffered.New(e)
			if err := b.Attach(buffered.Owner{}, fast.BufferAutomatic, 0); err != nil {
				return err
			}
			if err := b.Send(x, buffer(big), 1, 0); err != nil {
				return err
			}
			_, _, err := b.Detach(buffered.Owner{})
			return err
		},
		"Drain": func(e *p2p.Engine, x *p2p.Context) error {
			if _, err := e.Isend(x, buffer(big), 1, 0); err != nil {
				return err
			}
			return e.Drain()
		},
	}
	for name, f := range waits {
		for _, multiple := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", name, multiple), func(t *testing.T) {
				testjob.Run(t, 3, testjob.Options{Abandon: true, Multiple: multiple},
					func(p *runtime.Process) error {
						x := &p.World.P2P
						if x.Rank == 1 {
							time.Sleep(30 * time.Millisecond)
							shm.MarkDead(p.Segment, 1)
							return nil
						}
						return expect(f(p.Engine, x), mpierr.ErrProcAborted)
					})
				kept.memory = nil
			})
		}
	}
}
