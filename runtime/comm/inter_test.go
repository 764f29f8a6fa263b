package comm_test

import (
	"fmt"
	gort "runtime"
	"slices"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// connect makes an intercommunicator between the even and the odd ranks.
func connect(p *runtime.Process) (*comm.Comm, error) {
	half, err := p.Comms.Split(p.World, p.Rank%2, 0)
	if err != nil {
		return nil, err
	}
	defer p.Comms.Free(half)
	peer := p.World
	if half.Rank() != half.Size()-1 {
		peer = nil // significant at the leader only
	}
	last := (p.Size - 1) - (p.Size-1-(1-p.Rank%2))%2 // last rank of the other parity
	return p.Comms.Connect(half, half.Size()-1, peer, last, 5)
}

// halves runs body on jobs that have two halves.
func halves(t *testing.T, body func(p *runtime.Process, c *comm.Comm) error) {
	for name, o := range jobs {
		for _, np := range []int{2, 3, 4, 7} {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					c, err := connect(p)
					if err == nil {
						err = body(p, c)
					}
					if err == nil {
						p.Comms.Free(c)
					}
					return err
				})
			})
		}
	}
}

// talk has every rank send its job rank to all of the remote group.
func talk(c *comm.Comm) error {
	e := c.Engine()
	for r := range c.Targets() {
		out, in := make([]byte, 8), make([]byte, 8)
		out[0] = byte(c.Group().Of(c.Rank()))
		s, err := e.Isend(&c.P2P, datatype.Raw(shm.Address(out), 8), r, 1)
		if err != nil {
			return err
		}
		if err := e.Recv(&c.P2P, datatype.Raw(shm.Address(in), 8), r, 1, nil); err != nil {
			return err
		}
		if err := e.Wait(s, nil); err != nil {
			return err
		}
		gort.KeepAlive(out)
		if int(in[0]) != c.Remote().Of(r) {
			return fmt.Errorf("remote rank %d is process %d, want %d", r, in[0], c.Remote().Of(r))
		}
	}
	return nil
}

func TestIntercommunicators(t *testing.T) {
	halves(t, func(p *runtime.Process, c *comm.Comm) error {
		if !c.Inter() || c.Size() != (p.Size+1-p.Rank%2)/2 || c.Targets() != p.Size-c.Size() {
			return fmt.Errorf("sizes %d and %d", c.Size(), c.Targets())
		}
		d, err := p.Comms.Dup(c, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		defer p.Comms.Free(d)
		if s := comm.Compare(c, d); s != comm.Congruent || comm.Compare(c, p.World) != comm.Unequal {
			return fmt.Errorf("compare: %d", s)
		}
		for _, c := range []*comm.Comm{c, d} {
			if err := talk(c); err != nil {
				return err
			}
		}
		if _, err := p.Comms.Merge(p.World, true); mpierr.CodeOf(err) != int(mpierr.ErrComm) {
			return fmt.Errorf("merging an intracommunicator: %v", err)
		}
		return nil
	})
}

func TestMerge(t *testing.T) {
	halves(t, func(p *runtime.Process, c *comm.Comm) error {
		for _, says := range [][2]bool{{false, false}, {true, true}, {false, true}, {true, false}} {
			m, err := p.Comms.Merge(c, says[p.Rank%2])
			if err != nil {
				return err
			}
			var want []int
			for _, parity := range []int{0, 1} {
				if says[0] && !says[1] {
					parity = 1 - parity
				}
				for r := parity; r < p.Size; r += 2 {
					want = append(want, r)
				}
			}
			if err := say(m, func(r int) int { return want[r] }); err != nil {
				return err
			}
			p.Comms.Free(m)
		}
		return nil
	})
}

func TestSplitAndCreateOfIntercommunicators(t *testing.T) {
	halves(t, func(p *runtime.Process, c *comm.Comm) error {
		s, err := p.Comms.Split(c, c.Rank(), 0) // pairs; the last of the larger group finds nobody
		if err != nil {
			return err
		}
		if (s == nil) != (c.Rank() >= c.Targets()) {
			return fmt.Errorf("rank %d of %d got %v", c.Rank(), c.Size(), s)
		}
		if s != nil {
			if err := talk(s); err != nil {
				return err
			}
			p.Comms.Free(s)
		}
		first, err := c.Group().Incl([]int{0})
		if err != nil {
			return err
		}
		f, err := p.Comms.Create(c, first)
		if err != nil {
			return err
		}
		if (f != nil) != (c.Rank() == 0) {
			return fmt.Errorf("rank %d got %v", c.Rank(), f)
		}
		if f != nil {
			if want := []int32{int32(1 - p.Rank)}; !slices.Equal(f.Remote().Table(), want) {
				return fmt.Errorf("remote group %v, want %v", f.Remote().Table(), want)
			}
			if err := talk(f); err != nil {
				return err
			}
			p.Comms.Free(f)
		}
		none, err := p.Comms.Create(c, group.Range(0, 1, 0))
		if err != nil || none != nil {
			return fmt.Errorf("empty groups give %v, %v", none, err)
		}
		return nil
	})
}

func TestConnectGroups(t *testing.T) {
	testjob.Run(t, 5, testjob.Options{}, func(p *runtime.Process) error {
		low, high := group.Range(0, 1, 2), group.Range(2, 1, 3)
		own, other := low, high
		if p.Rank >= 2 {
			own, other = high, low
		}
		c, err := p.Comms.ConnectGroups(own, 1, other, 1, "test")
		if err != nil {
			return err
		}
		if err := talk(c); err != nil {
			return err
		}
		p.Comms.Free(c)
		return nil
	})
}
