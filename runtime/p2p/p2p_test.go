package p2p_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"gompi/internal/testjob"
	"gompi/internal/testjob/mock"
	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/shm"
)

// mpiByte is MPI_BYTE, by its value in the standard ABI.
var mpiByte = datatype.ByHandle(0x247)

// paths are the ways on which a message can go: all tests run on each.
var paths = map[string]testjob.Options{
	"single copy":    {},
	"pieces":         {Settings: tool.Settings{NoSingleCopy: true}},
	"read":           {Settings: tool.Settings{Eager: 64, Rendezvous: tool.RendezvousRead}},
	"both":           {Settings: tool.Settings{Eager: 64, Rendezvous: tool.RendezvousBoth}},
	"both, threads":  {Settings: tool.Settings{Rendezvous: tool.RendezvousBoth}, Multiple: true, Cores: 64},
	"tiny eager":     {Settings: tool.Settings{Eager: 64, NoSingleCopy: true}},
	"cores":          {Cores: 64},
	"threads":        {Multiple: true},
	"nodes":          {Settings: tool.Settings{PretendNodes: "1"}},
	"nodes, threads": {Settings: tool.Settings{PretendNodes: "1"}, Multiple: true},
	"network":        {Settings: networked, Network: &calm},
	"wild network":   {Settings: networked, Network: &wild, Multiple: true},
}

// A calm network delivers at once, in order, and a wild one does neither.
var (
	networked = tool.Settings{PretendNodes: "1", Fabric: "tcp"}

	calm = mock.Behaviour{Like: "tcp"}
	wild = mock.Behaviour{Like: "verbs;ofi_rxm", Shuffle: 50, Late: 50, Refuse: 20, Depth: 6}
)

func everywhere(t *testing.T, ranks []int, body func(p *runtime.Process) error) {
	for name, o := range paths {
		for _, n := range ranks {
			t.Run(fmt.Sprintf("%s/np%d", name, n), func(t *testing.T) {
				testjob.Run(t, n, o, body)
				kept.memory = nil
			})
		}
	}
}

// kept holds the memory of all buffers of the test that runs: the engine knows them by address alone, and
// Go's garbage collector does not see that.
var kept struct {
	mu     sync.Mutex
	memory map[*byte]bool
}

func buffer(b []byte) datatype.Buffer {
	if len(b) > 0 {
		kept.mu.Lock()
		if kept.memory == nil {
			kept.memory = map[*byte]bool{}
		}
		kept.memory[&b[0]] = true
		kept.mu.Unlock()
	}
	return datatype.Buffer{Addr: shm.Address(b), Count: int64(len(b)), Type: mpiByte}
}

// pattern is the content of a message that both sides can make.
var pattern = testjob.Pattern

var sizes = []int{0, 1, 7, 8, 39, 40, 41, 64, 100, 1000, 4096, 16384, 32767, 32768, 32769, 100_000, 1 << 20,
	3<<20 + 17}

func TestSizesBothWays(t *testing.T) {
	everywhere(t, []int{2, 3}, func(p *runtime.Process) error {
		x := &p.World.P2P
		if x.Rank > 1 {
			return nil
		}
		other := 1 - x.Rank
		for i, n := range sizes {
			in := bytes.Repeat([]byte{0xee}, n+2)
			out := pattern(n, uint64(i*2+x.Rank))
			want := pattern(n, uint64(i*2+other))
			var st request.Status
			if x.Rank == 0 {
				if err := p.Engine.Send(x, buffer(out), other, i); err != nil {
					return err
				}
			}
			if err := p.Engine.Recv(x, buffer(in[1:n+1]), other, i, &st); err != nil {
				return err
			}
			if x.Rank == 1 {
				if err := p.Engine.Ssend(x, buffer(out), other, i); err != nil {
					return err
				}
			}
			if !bytes.Equal(in[1:n+1], want) || in[0] != 0xee || in[n+1] != 0xee {
				return fmt.Errorf("size %d: wrong bytes", n)
			}
			if st.Bytes != int64(n) || st.Source != int32(other) || st.Tag != int32(i) {
				return fmt.Errorf("size %d: status %+v", n, st)
			}
		}
		return nil
	})
}

// Every rank sends every other a random sequence of messages of all sizes, with few tags, in every mode, and
// receives with and without wildcards. Messages with the same source and tag must come in the order sent.
func TestStorm(t *testing.T) {
	messages := testjob.Rounds(150)
	everywhere(t, []int{1, 2, 4, 7}, func(p *runtime.Process) error {
		x := &p.World.P2P
		e := p.Engine
		size := func(from, to, i int) int {
			return sizes[rand.New(rand.NewPCG(uint64(from*100+to), uint64(i))).IntN(len(sizes)-2)]
		}
		tag := func(from, to, i int) int {
			return int(rand.New(rand.NewPCG(uint64(from*100+to), uint64(i)+999)).IntN(3))
		}
		rng := rand.New(rand.NewPCG(uint64(x.Rank), 7))
		var sends []*request.Request
		sent := make([]int, x.Size)
		got := make([][3][]int, x.Size) // by source and tag: numbers of the messages received
		send := func(to int) error {
			i := sent[to]
			if i == messages {
				return nil
			}
			sent[to]++
			out := append([]byte{byte(i), byte(i >> 8)}, pattern(size(x.Rank, to, i),
				uint64(i*x.Size+x.Rank))...)
			start := e.Isend
			if rng.IntN(4) == 0 {
				start = e.Issend
			}
			r, err := start(x, buffer(out), to, tag(x.Rank, to, i))
			sends = append(sends, r)
			return err
		}
		in := make([]byte, sizes[len(sizes)-1]+2)
		receive := func(any bool) error {
			src, tg := rng.IntN(x.Size), p2p.AnyTag
			if any || len(got[src][0])+len(got[src][1])+len(got[src][2]) == messages {
				src = p2p.AnySource
			}
			var st request.Status
			if err := e.Recv(x, buffer(in), src, tg, &st); err != nil {
				return err
			}
			i := int(in[0]) | int(in[1])<<8
			from := int(st.Source)
			if int(st.Tag) != tag(from, x.Rank, i) || st.Bytes != int64(size(from, x.Rank, i)+2) {
				return fmt.Errorf("message %d from %d: status %+v", i, from, st)
			}
			if !bytes.Equal(in[2:st.Bytes], pattern(int(st.Bytes)-2, uint64(i*x.Size+from))) {
				return fmt.Errorf("message %d from %d: wrong bytes", i, from)
			}
			seen := &got[from][st.Tag]
			if k := len(*seen); k > 0 && (*seen)[k-1] >= i {
				return fmt.Errorf("message %d from %d came after %d", i, from, (*seen)[k-1])
			}
			*seen = append(*seen, i)
			return nil
		}
		// Half of the sends start before the first receive, so that many messages come unexpected.
		for to := range sent {
			for sent[to] < messages/2 {
				if err := send(to); err != nil {
					return err
				}
			}
		}
		for done := 0; done < messages*x.Size; done++ {
			for to := range sent {
				if err := send(to); err != nil {
					return err
				}
			}
			if err := receive(done < messages*x.Size/2); err != nil {
				return err
			}
		}
		return e.WaitAll(sends, make([]request.Status, len(sends)))
	})
}

func TestTruncation(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		x := &p.World.P2P
		for i, n := range []int{41, 1000, 100_000} {
			for _, late := range []bool{false, true} {
				if x.Rank == 0 {
					if late {
						p.Engine.Recv(x, buffer(nil), 1, 99, nil)
					}
					if err := p.Engine.Send(x, buffer(pattern(n, 1)), 1, i); err != nil {
						return err
					}
					continue
				}
				in := bytes.Repeat([]byte{0xee}, 60)
				if late {
					p.Engine.Send(x, buffer(nil), 0, 99)
				}
				var st request.Status
				err := p.Engine.Recv(x, buffer(in[:40]), 0, i, &st)
				if mpierr.CodeOf(err) != int(mpierr.ErrTruncate) {
					return fmt.Errorf("error %v", err)
				}
				if !bytes.Equal(in[:40], pattern(n, 1)[:40]) ||
					!bytes.Equal(in[40:], bytes.Repeat([]byte{0xee}, 20)) {
					return fmt.Errorf("wrong bytes after truncation")
				}
				if st.Bytes != 40 {
					return fmt.Errorf("status %+v", st)
				}
			}
		}
		return nil
	})
}

// Receives are posted in every order and kind; messages must find the oldest that matches.
func TestPostedOrder(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		x := &p.World.P2P
		e := p.Engine
		if x.Rank == 0 {
			if err := e.Recv(x, buffer(nil), 1, 50, nil); err != nil {
				return err
			}
			for i := range 8 {
				if err := e.Send(x, buffer([]byte{byte(i)}), 1, 5+i%2); err != nil {
					return err
				}
			}
			return nil
		}
		type pat struct{ src, tag int }
		pats := []pat{{0, 6}, {p2p.AnySource, 5}, {0, p2p.AnyTag}, {p2p.AnySource, p2p.AnyTag}, {0, 5},
			{0, 5}, {p2p.AnySource, 6}, {0, p2p.AnyTag}}
		// messages 0..7 have tags 5 6 5 6 5 6 5 6
		want := []byte{1, 0, 2, 3, 4, 6, 5, 7}
		in := make([][]byte, len(pats))
		var rs []*request.Request
		for i, pt := range pats {
			in[i] = []byte{0xff}
			r, err := e.Irecv(x, buffer(in[i]), pt.src, pt.tag)
			if err != nil {
				return err
			}
			rs = append(rs, r)
		}
		if err := e.Send(x, buffer(nil), 0, 50); err != nil {
			return err
		}
		if err := e.WaitAll(rs, nil); err != nil {
			return err
		}
		for i := range pats {
			if in[i][0] != want[i] {
				return fmt.Errorf("receive %d got message %d, want %d", i, in[i][0], want[i])
			}
		}
		return nil
	})
}

// A receiver that takes thousands of messages backwards by tag finds each of them.
func TestUnexpectedBackwards(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		x := &p.World.P2P
		const n = 3000
		for i := range n {
			if x.Rank == 0 {
				if err := p.Engine.Send(x, buffer([]byte{byte(i), byte(i >> 8)}), 1, i); err != nil {
					return err
				}
				continue
			}
			in := make([]byte, 2)
			src := 0
			if i%3 == 0 {
				src = p2p.AnySource
			}
			if err := p.Engine.Recv(x, buffer(in), src, n-1-i, nil); err != nil {
				return err
			}
			if got := int(in[0]) | int(in[1])<<8; got != n-1-i {
				return fmt.Errorf("tag %d brought message %d", n-1-i, got)
			}
		}
		return nil
	})
}

func TestDeadPeer(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{Abandon: true}, func(p *runtime.Process) error {
		if p.Rank == 1 {
			shm.MarkDead(p.Segment, 1)
			return nil
		}
		err := p.Engine.Recv(&p.World.P2P, buffer(make([]byte, 1)), 1, 0, nil)
		if mpierr.CodeOf(err) != int(mpierr.ErrProcAborted) {
			return fmt.Errorf("error %v", err)
		}
		return nil
	})
}

func TestNoAllocation(t *testing.T) {
	testjob.Run(t, 1, testjob.Options{}, func(p *runtime.Process) error {
		x := &p.World.P2P
		b := buffer(make([]byte, 8))
		if n := testing.AllocsPerRun(1000, func() {
			r, _ := p.Engine.Irecv(x, b, 0, 3)
			p.Engine.Send(x, b, 0, 3)
			p.Engine.Wait(r, nil)
		}); n != 0 {
			return fmt.Errorf("%v allocations per message", n)
		}
		return nil
	})
}
