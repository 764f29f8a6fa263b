package p2p_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/tool"
)

// A rank with peers on its node and on others receives from all of them, those of each in order. A message
// that is announced comes in its turn.
func TestTwoLinks(t *testing.T) {
	const rounds, long = 200, 100_000
	o := testjob.Options{Settings: tool.Settings{PretendNodes: "2", Eager: tool.DefaultEager}}
	testjob.Run(t, 5, o, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank > 0 {
			for i := range rounds {
				if i%50 == 0 {
					time.Sleep(time.Duration(x.Rank) * 5 * time.Millisecond)
				}
				if err := e.Send(x, buffer(pattern(100*i, uint64(x.Rank))), 0, i); err != nil {
					return err
				}
			}
			before := e.Counters().RendezvousSent
			if err := e.Send(x, buffer(pattern(long, uint64(x.Rank))), 0, rounds); err != nil {
				return err
			}
			announced := e.Counters().RendezvousSent - before
			if announced != 1 {
				return fmt.Errorf("%d of the messages of %d bytes were announced", announced, long)
			}
			return nil
		}
		var got [5]int
		in := make([]byte, long)
		for range 4 * (rounds + 1) {
			var st request.Status
			if err := e.Recv(x, buffer(in), p2p.AnySource, p2p.AnyTag, &st); err != nil {
				return err
			}
			n := 100 * int(st.Tag)
			if st.Tag == rounds {
				n = long
			}
			if int(st.Tag) != got[st.Source] || int(st.Bytes) != n {
				return fmt.Errorf("message %d of rank %d has %d bytes and comes in the place of %d",
					st.Tag, st.Source, st.Bytes, got[st.Source])
			}
			if !bytes.Equal(in[:n], pattern(n, uint64(st.Source))) {
				return fmt.Errorf("message %d of rank %d: wrong bytes", st.Tag, st.Source)
			}
			got[st.Source]++
		}
		return nil
	})
}
