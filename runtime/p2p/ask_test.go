package p2p_test

import (
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// A call that asks for something looks at what has come until that is there. Messages behind it stay in their
// ring, for receives that are posted next.
func TestAskingStopsAtWhatIsAskedFor(t *testing.T) {
	const rounds = 200
	ways := map[string]func(e *p2p.Engine, x *p2p.Context, r *request.Request, st *request.Status) (bool,
		error){
		"Test": func(e *p2p.Engine, _ *p2p.Context, r *request.Request, st *request.Status) (bool, error) {
			return e.Test(r, st)
		},
		"TestAny": func(e *p2p.Engine, _ *p2p.Context, r *request.Request, st *request.Status) (bool, error) {
			_, done, err := e.TestAny([]*request.Request{nil, r}, st)
			return done, err
		},
		"TestAll": func(e *p2p.Engine, _ *p2p.Context, r *request.Request, st *request.Status) (bool, error) {
			return e.TestAll([]*request.Request{nil, r}, nil)
		},
	}
	for name, ask := range ways {
		t.Run(name, func(t *testing.T) {
			testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
				e, x := p.Engine, &p.World.P2P
				word := make([]byte, 8)
				if x.Rank == 0 {
					for i := range rounds {
						if err := e.Send(x, buffer(word), 1, i); err != nil {
							return err
						}
					}
					return coll.Barrier(p.World)
				}
				var st request.Status
				for i := range rounds {
					r, err := e.Irecv(x, buffer(word), 0, i)
					if err != nil {
						return err
					}
					for done := false; !done; {
						if done, err = ask(e, x, r, &st); err != nil {
							return err
						}
					}
				}
				if n := e.Counters().Unexpected; n != 0 {
					return fmt.Errorf("%d of %d messages were taken before there was a receive for them", n, rounds)
				}
				return coll.Barrier(p.World)
			})
		})
	}
}
