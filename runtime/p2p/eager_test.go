package p2p_test

import (
	"bytes"
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/fast"
	"gompi/runtime/p2p"
)

// turn has every rank hear what its peers want: it sends each more packets than a ring has slots.
func turn(p *runtime.Process) error {
	e, x := p.Engine, &p.World.P2P
	for i := range 3 * 32 {
		for peer := range p.Size {
			if peer == x.Rank {
				continue
			}
			if err := e.Send(x, buffer(pattern(8, uint64(i))), peer, 1); err != nil {
				return err
			}
			if err := e.Recv(x, buffer(make([]byte, 8)), peer, 1, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree has this rank want messages announced or not, once it has heard of its peers, and hear what they
// want.
func agree(p *runtime.Process, wants bool) error {
	if err := turn(p); err != nil {
		return err
	}
	for peer := range p.Size {
		if wants && peer != p.Rank {
			p.Engine.WantAnnounced(peer)
		}
	}
	return turn(p)
}

// A rank announces what its peer wants announced, and sends the rest with its header.
func TestAnnouncesWhatIsWanted(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if err := agree(p, x.Rank == 1); err != nil {
			return err
		}
		for _, n := range []int{fast.MaxMessage, fast.MaxMessage + 1} {
			want := pattern(n, uint64(n))
			if x.Rank == 1 {
				in := make([]byte, n)
				if err := e.Recv(x, buffer(in), 0, 2, nil); err != nil {
					return err
				}
				if !bytes.Equal(in, want) {
					return fmt.Errorf("%d bytes: wrong ones", n)
				}
				continue
			}
			before := e.Counters().RendezvousSent
			if err := e.Send(x, buffer(want), 1, 2); err != nil {
				return err
			}
			if announced := e.Counters().RendezvousSent > before; announced != (n > fast.MaxMessage) {
				return fmt.Errorf("%d bytes: announced is %v", n, announced)
			}
		}
		return nil
	})
}

// Ranks that all send before they receive rely on the memory of eager messages, and get it as well where
// their messages are announced.
func TestSendsBeforeReceives(t *testing.T) {
	for _, multiple := range []bool{false, true} {
		for _, ranks := range []int{2, 3} {
			t.Run(fmt.Sprintf("%v/np%d", multiple, ranks), func(t *testing.T) {
				testjob.Run(t, ranks, testjob.Options{Multiple: multiple}, func(p *runtime.Process) error {
					e, x := p.Engine, &p.World.P2P
					next, last := (x.Rank+1)%ranks, (x.Rank+ranks-1)%ranks
					if err := agree(p, true); err != nil {
						return err
					}
					const long = 40_000
					before := e.Counters().RendezvousSent
					for i := range 5 {
						if err := e.Send(x, buffer(pattern(long, uint64(x.Rank+i))), next, i); err != nil {
							return err
						}
					}
					if n := e.Counters().RendezvousSent - before; n == 0 {
						return fmt.Errorf("no message was announced")
					}
					for i := 4; i >= 0; i-- {
						in := make([]byte, long)
						if err := e.Recv(x, buffer(in), last, i, nil); err != nil {
							return err
						}
						if !bytes.Equal(in, pattern(long, uint64(last+i))) {
							return fmt.Errorf("message %d: wrong bytes", i)
						}
					}
					return nil
				})
			})
		}
	}
}

// A synchronous send of that size waits for its receive all the same (MPI 5.0, 3.4).
func TestAnnouncedSynchronousSend(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		const long = 40_000
		if err := agree(p, x.Rank == 1); err != nil {
			return err
		}
		if x.Rank == 0 {
			r, err := e.Issend(x, buffer(pattern(long, 1)), 1, 2)
			if err != nil {
				return err
			}
			if err := e.Recv(x, buffer(make([]byte, 1)), 1, 3, nil); err != nil { // the peer has slept by now
				return err
			}
			if e.Done(r) {
				return fmt.Errorf("the send is done before its receive")
			}
			if err := e.Send(x, buffer(pattern(1, 1)), 1, 4); err != nil {
				return err
			}
			return e.Wait(r, nil)
		}
		if err := e.Send(x, buffer(pattern(1, 1)), 0, 3); err != nil {
			return err
		}
		if err := e.Recv(x, buffer(make([]byte, 1)), 0, 4, nil); err != nil {
			return err
		}
		return e.Recv(x, buffer(make([]byte, long)), 0, 2, nil)
	})
}

// A rank wants messages announced from the size on from which that takes less time, and notices when that
// changes.
func TestWantsWhatTakesLess(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e := p.Engine
		if err := turn(p); err != nil || p.Rank == 0 {
			return err
		}
		costs := func(eager, announced float64) func(protocol int) float64 {
			return func(protocol int) float64 {
				if protocol == p2p.EagerProtocol {
					return eager
				}
				return announced
			}
		}
		last := func(n int64, cost func(protocol int) float64) (from uint32) {
			for range 20_000 {
				from = e.Receive(0, n, cost)
			}
			return from
		}
		const small, large = 2 * fast.MaxMessage, 4 * fast.MaxMessage
		for _, step := range []struct {
			n    int64
			cost func(protocol int) float64
			want uint32
		}{
			{large, costs(1, 2), fast.NoLimit},
			{large, costs(2, 1), small + 1},
			{small, costs(2, 1), fast.MaxMessage + 1},
			{small, costs(1, 2), small + 1},
			{large, costs(1, 2), fast.NoLimit},
		} {
			if got := last(step.n, step.cost); got != step.want {
				return fmt.Errorf("after messages of %d bytes it wants them announced from %d on, want %d",
					step.n, got, step.want)
			}
		}
		return nil
	})
}

// Every peer that sends long messages hears from which size on they are to be announced, not only the one
// whose message was the last to be measured.
func TestEachSenderHearsWhatIsWanted(t *testing.T) {
	testjob.Run(t, 3, testjob.Options{}, func(p *runtime.Process) error {
		e := p.Engine
		if err := turn(p); err != nil || p.Rank != 2 {
			return err
		}
		const large = 4 * fast.MaxMessage
		cost := func(protocol int) float64 {
			if protocol == p2p.EagerProtocol {
				return 2
			}
			return 1
		}
		var from uint32
		for range 20_000 {
			from = e.Receive(0, large, cost)
		}
		if from == fast.NoLimit {
			return fmt.Errorf("messages of %d bytes are not wanted announced", large)
		}
		if got := e.ReceiveBy(p2p.EagerProtocol, 1, large, cost); got != from {
			return fmt.Errorf("the other sender is to announce from %d bytes on, want %d", got, from)
		}
		return nil
	})
}
