package p2p_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/shm"
)

// grows are the settings under which payloads are published early.
func grows(protocol int) testjob.Options {
	return testjob.Options{Cores: 2, Settings: tool.Settings{Rendezvous: protocol}}
}

// Messages of all sizes come whole that are copied out while they are copied in, be they posted, unexpected
// or longer than their receives, both ways at once.
func TestGrowing(t *testing.T) {
	for _, protocol := range []int{0, tool.RendezvousPipeline} {
		testjob.Run(t, 2, grows(protocol), func(p *runtime.Process) error {
			e, x := p.Engine, &p.World.P2P
			other := 1 - x.Rank
			for i := range testjob.Rounds(60) {
				n := []int{fast.MaxMessage + 1, 40000, fast.MaxBulk, 300001, 2 << 20}[i%5] - i
				room := n
				if i%7 == 3 {
					room = n / 3
				}
				in := make([]byte, room)
				var recv *request.Request
				var err error
				if i%3 != 0 {
					if recv, err = e.Irecv(x, buffer(in), other, i); err != nil {
						return err
					}
				}
				send, err := e.Isend(x, buffer(pattern(n, uint64(i+x.Rank))), other, i)
				if err != nil {
					return err
				}
				if recv == nil {
					time.Sleep(time.Duration(i%4) * 100 * time.Microsecond)
					recv, err = e.Irecv(x, buffer(in), other, i)
				}
				if err == nil {
					err = e.Wait(recv, nil)
				}
				if room < n {
					err = expect(err, mpierr.ErrTruncate)
				}
				if err == nil {
					err = e.Wait(send, nil)
				}
				if err != nil {
					return fmt.Errorf("message %d of %d bytes: %w", i, n, err)
				}
				if !bytes.Equal(in, pattern(n, uint64(i+other))[:room]) {
					return fmt.Errorf("message %d of %d bytes differs", i, n)
				}
			}
			return nil
		})
	}
}

// Who waits for the rest of a payload learns that its sender has died, whether a receive was posted or not.
func TestGrowingTorn(t *testing.T) {
	for _, posted := range []bool{false, true} {
		o := grows(0)
		o.Abandon = true
		testjob.Run(t, 2, o, func(p *runtime.Process) error {
			e, x := p.Engine, &p.World.P2P
			if x.Rank == 1 {
				for i := range 3 { // until the area is used
					if err := e.Ssend(x, buffer(make([]byte, fast.MaxBulk)), 0, i); err != nil {
						return err
					}
				}
				if !e.BeginGrowing(x, 0, 3, fast.MaxBulk) {
					return fmt.Errorf("nothing is published early")
				}
				time.Sleep(20 * time.Millisecond)
				shm.MarkDead(p.Segment, 1)
				return nil
			}
			in := make([]byte, fast.MaxBulk)
			for i := range 3 {
				if err := e.Recv(x, buffer(in), 1, i, nil); err != nil {
					return err
				}
			}
			if !posted {
				return expect(e.Probe(x, 1, 4, new(request.Status)), mpierr.ErrProcAborted)
			}
			r, err := e.Irecv(x, buffer(in), p2p.AnySource, 3)
			if err != nil {
				return err
			}
			return expect(e.Wait(r, nil), mpierr.ErrProcAborted)
		})
	}
}
