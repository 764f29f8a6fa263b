package p2p_test

import (
	"bytes"
	"fmt"
	gort "runtime"
	"testing"

	"gompi/runtime"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// A receiver that is flooded stops its peers: what it buffers stays within bounds, nothing is lost,
// the order stays, and a message behind the flood can be had first.
func TestFlood(t *testing.T) {
	const count, size, last = 8_000, 10_000, 77 // more than may be buffered
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		var out [50][]byte
		for i := range out {
			out[i] = pattern(size, uint64(i))
		}
		if x.Rank == 0 {
			var rs []*request.Request
			for i := range count {
				r, err := e.Isend(x, buffer(out[i%50]), 1, 5)
				if err != nil {
					return err
				}
				rs = append(rs, r)
			}
			if err := e.Send(x, buffer(nil), 1, last); err != nil {
				return err
			}
			err := e.WaitAll(rs, nil)
			gort.KeepAlive(out)
			return err
		}
		if err := e.Recv(x, buffer(nil), 0, last, nil); err != nil {
			return err
		}
		underWay := int64(1 << 20)
		if p.Settings.Fabric != "" {
			underWay = 2 << 20 // a network has a window of 1 MiB, in buffers of 16 KiB for 10 kB
		}
		if a := e.Buffered(0); a > p2p.LargestBudget+underWay {
			return fmt.Errorf("%d bytes have been buffered", a)
		}
		in := make([]byte, size)
		for i := range count {
			if err := e.Recv(x, buffer(in), p2p.AnySource, 5, nil); err != nil {
				return err
			}
			if !bytes.Equal(in, out[i%50]) {
				return fmt.Errorf("message %d: wrong bytes", i)
			}
		}
		if a := e.Buffered(0); a != 0 {
			return fmt.Errorf("%d bytes are still buffered", a)
		}
		return nil
	})
}
