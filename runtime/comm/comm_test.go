package comm_test

import (
	"errors"
	"fmt"
	gort "runtime"
	"slices"
	"sync"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// jobs are the kinds of job that everything is tried in: one thread, and MPI_THREAD_MULTIPLE.
var jobs = map[string]testjob.Options{"single": {}, "multiple": {Multiple: true}}

// everywhere runs body on each rank of jobs of several sizes.
func everywhere(t *testing.T, body func(p *runtime.Process) error) {
	for name, o := range jobs {
		for _, np := range []int{1, 2, 3, 4, 7} {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) { testjob.Run(t, np, o, body) })
		}
	}
}

// say sends the sender's rank to everybody, in a ring of its own for each communicator, and checks who is
// where.
func say(c *comm.Comm, who func(rank int) int) error {
	if c == nil {
		return nil
	}
	e, n := c.Engine(), c.Size()
	for k := range n {
		out, in := make([]byte, 8), make([]byte, 8)
		out[0] = byte(c.Group().Of(c.Rank()))
		to, from := (c.Rank()+k)%n, (c.Rank()-k+n)%n
		if err := e.Sendrecv(&c.P2P, datatype.Raw(shm.Address(out), 8), to, k,
			datatype.Raw(shm.Address(in), 8), from, k, nil); err != nil {
			return err
		}
		gort.KeepAlive(out)
		if int(in[0]) != who(from) {
			return fmt.Errorf("rank %d of %q is process %d, want %d", from, c.Label(), in[0], who(from))
		}
	}
	return coll.Barrier(c)
}

func TestDup(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		d, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		if s := comm.Compare(d, p.World); s != comm.Congruent {
			return fmt.Errorf("compare: %d", s)
		}
		if err := say(d, func(r int) int { return r }); err != nil {
			return err
		}
		p.Comms.Free(d)
		return nil
	})
}

// Ids are used again: far more communicators are made than there are ids in the first window.
func TestManyDups(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		var kept []*comm.Comm
		for i := range testjob.Rounds(600) {
			d, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
			if err != nil {
				return err
			}
			if i%2 == 0 {
				kept = append(kept, d)
			} else {
				p.Comms.Free(d)
			}
		}
		seen := map[uint32]bool{}
		for _, d := range kept {
			if seen[d.P2P.ID] {
				return fmt.Errorf("context %d twice", d.P2P.ID)
			}
			seen[d.P2P.ID] = true
			p.Comms.Free(d)
		}
		d, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		if d.P2P.ID > 2000 {
			return fmt.Errorf("context %d after all were freed", d.P2P.ID)
		}
		return say(d, func(r int) int { return r })
	})
}

func TestSplit(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		for colors := 1; colors < 4; colors++ {
			color := p.Rank % colors
			if p.Rank == p.Size-1 && colors == 3 {
				color = group.Undefined
			}
			c, err := p.Comms.Split(p.World, color, -p.Rank)
			if err != nil {
				return err
			}
			if (c == nil) != (color == group.Undefined) {
				return fmt.Errorf("color %d gives %v", color, c)
			}
			if c == nil {
				continue
			}
			var want []int
			for r := p.Size - 1; r >= 0; r-- {
				if r%colors == color && (colors < 3 || r < p.Size-1) {
					want = append(want, r)
				}
			}
			if c.Size() != len(want) {
				return fmt.Errorf("size %d, want %d", c.Size(), len(want))
			}
			if err := say(c, func(r int) int { return want[r] }); err != nil {
				return err
			}
			p.Comms.Free(c)
		}
		return nil
	})
}

// Messages in flight when a communicator is freed arrive, and its contexts are not used again before they do.
func TestFreeWithMessagesInFlight(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		d, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		id, to, from := d.P2P.ID, (p.Rank+1)%p.Size, (p.Rank-1+p.Size)%p.Size
		in, out := make([]byte, 100000), make([]byte, 100000)
		out[99999] = byte(p.Rank + 1)
		r, err := p.Engine.Irecv(&d.P2P, datatype.Raw(shm.Address(in), 100000), from, 3)
		if err != nil {
			return err
		}
		s, err := p.Engine.Isend(&d.P2P, datatype.Raw(shm.Address(out), 100000), to, 3)
		if err != nil {
			return err
		}
		p.Comms.Free(d)
		if p.Comms.Of(id) != d {
			return errors.New("a communicator in use is gone")
		}
		e, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		if e.P2P.ID == id {
			return errors.New("contexts in use were given away")
		}
		p.Comms.Free(e)
		if err := p.Engine.WaitAll([]*request.Request{r, s}, nil); err != nil {
			return err
		}
		gort.KeepAlive(out)
		gort.KeepAlive(out)
		if in[99999] != byte(from+1) {
			return fmt.Errorf("got %d", in[99999])
		}
		f, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		if p.Comms.Of(id) == d && d != f { // f may have the place of d
			return errors.New("a communicator stays for ever")
		}
		p.Comms.Free(f)
		return nil
	})
}

func TestCreateGroup(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		g, err := p.World.Group().Incl([]int{p.Size - 1, 0}[:min(p.Size, 2)])
		if err != nil {
			return err
		}
		if p.Rank != 0 && p.Rank != p.Size-1 {
			return nil // the others take no part at all
		}
		for tag := range 50 {
			c, err := p.Comms.CreateGroup(p.World, g, tag)
			if err != nil {
				return err
			}
			if err := say(c, g.Of); err != nil {
				return err
			}
			p.Comms.Free(c)
		}
		return nil
	})
}

// Threads of the same processes make communicators at the same time, of groups that overlap, in different
// orders.
func TestThreadsCreateAtOnce(t *testing.T) {
	const threads, rounds = 6, 30
	testjob.Run(t, 4, testjob.Options{Multiple: true}, func(p *runtime.Process) error {
		var mu sync.Mutex
		ids := map[uint32]bool{}
		fails := make(chan error, threads)
		var bases [threads]*comm.Comm
		for i := range bases {
			var err error
			if bases[i], err = p.Comms.Dup(p.World, "MPI_Comm_dup"); err != nil {
				return err
			}
		}
		for i := range threads {
			go func() {
				fails <- func() error {
					for range rounds {
						var c *comm.Comm
						var err error
						if i%2 == 0 {
							c, err = p.Comms.Dup(bases[i], "MPI_Comm_dup")
						} else {
							ranks := []int{0, 1, 2, 3}
							ranks = slices.Delete(ranks, i/2, i/2+1)
							var g *group.Group
							if g, err = p.World.Group().Incl(ranks); err != nil {
								return err
							}
							if g.Rank(p.Rank) == group.Undefined {
								return nil
							}
							c, err = p.Comms.CreateGroup(p.World, g, i)
						}
						if err != nil {
							return err
						}
						mu.Lock()
						twice := ids[c.P2P.ID]
						ids[c.P2P.ID] = true
						mu.Unlock()
						if twice {
							return fmt.Errorf("context %d twice", c.P2P.ID)
						}
						if err := say(c, c.Group().Of); err != nil {
							return err
						}
						mu.Lock()
						delete(ids, c.P2P.ID)
						mu.Unlock()
						p.Comms.Free(c)
					}
					return nil
				}()
			}()
		}
		var err error
		for range threads {
			err = errors.Join(err, <-fails)
		}
		return err
	})
}

func TestCreateRefusesStrangers(t *testing.T) {
	testjob.Run(t, 3, testjob.Options{}, func(p *runtime.Process) error {
		if _, err := p.Comms.CreateGroup(p.Self, p.World.Group(),
			0); mpierr.CodeOf(err) != int(mpierr.ErrGroup) {
			return fmt.Errorf("error %v", err)
		}
		return nil
	})
}

func TestCreateFromGroup(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		g, err := p.Comms.Processes.Job().Incl([]int{p.Rank})
		if err != nil {
			return err
		}
		for _, g := range []*group.Group{g, p.Comms.Processes.Job()} {
			c, err := p.Comms.CreateFromGroup(g, "test")
			if err != nil {
				return err
			}
			if err := say(c, g.Of); err != nil {
				return err
			}
			p.Comms.Free(c)
		}
		return nil
	})
}
