package runtime_test

import (
	"bytes"
	"fmt"
	gort "runtime"
	"slices"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/group"
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Several jobs that connect with each other, all in this process.

// kinds are the sizes of the two jobs that everything is tried with.
var kinds = [][]int{{1, 1}, {2, 1}, {1, 3}, {3, 2}, {4, 4}}

// connected runs body on all ranks of two jobs whose worlds are connected; root 0 of the first job accepts.
func connected(t *testing.T, body func(job int, p *runtime.Process, c *comm.Comm) error) {
	for name, o := range map[string]testjob.Options{"single": {}, "multiple": {Multiple: true}} {
		for _, sizes := range kinds {
			t.Run(fmt.Sprintf("%s/%d", name, sizes), func(t *testing.T) {
				port := make(chan string, sizes[1])
				testjob.RunJobs(t, sizes, o, func(job int, p *runtime.Process) error {
					c, err := meet(job, p, port, sizes[1])
					if err != nil {
						return err
					}
					return body(job, p, c)
				})
			})
		}
	}
}

// meet connects the worlds of two jobs, of which the second has n ranks.
func meet(job int, p *runtime.Process, port chan string, n int) (*comm.Comm, error) {
	if job == 1 {
		return p.Connect(p.World, p.Size-1, <-port, jobs.Wait{})
	}
	name := ""
	if p.Rank == 0 {
		var err error
		if name, err = p.Ports.OpenPort(); err != nil {
			return nil, err
		}
		for range n {
			port <- name
		}
	}
	return p.Accept(p.World, 0, name, jobs.Wait{})
}

func bytesOf(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }

// Messages of all protocols go to every rank of the other job and come from all of them.
func TestMessagesBetweenJobs(t *testing.T) {
	connected(t, func(job int, p *runtime.Process, c *comm.Comm) error {
		e := c.Engine()
		for _, n := range []int{0, 8, 3000, 20_000, 300_000, 3 << 20} {
			for k := range c.Targets() {
				out, in := testjob.Pattern(n+1, uint64(job*100+p.Rank)), make([]byte, n+1)
				s, err := e.Isend(&c.P2P, bytesOf(out), k, n)
				if err != nil {
					return err
				}
				if err := e.Recv(&c.P2P, bytesOf(in), k, n, nil); err != nil {
					return err
				}
				if err := e.Wait(s, nil); err != nil {
					return err
				}
				gort.KeepAlive(out)
				if !bytes.Equal(in, testjob.Pattern(n+1, uint64((1-job)*100+k))) {
					return fmt.Errorf("%d bytes from rank %d: wrong bytes", n, k)
				}
			}
		}
		return p.Comms.Disconnect(c)
	})
}

// All that is made of a communicator between jobs works, and outlives it.
func TestCommunicatorsBetweenJobs(t *testing.T) {
	connected(t, func(job int, p *runtime.Process, c *comm.Comm) error {
		if err := coll.Barrier(c); err != nil {
			return err
		}
		d, err := p.Comms.Dup(c, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		if err := p.Comms.Disconnect(c); err != nil {
			return err
		}
		all, err := p.Comms.Merge(d, job == 0)
		if err != nil {
			return err
		}
		if want := p.Size + d.Targets(); all.Size() != want {
			return fmt.Errorf("%d ranks, want %d", all.Size(), want)
		}
		want := p.Rank
		if job == 0 {
			want += d.Targets()
		}
		if all.Rank() != want {
			return fmt.Errorf("rank %d of job %d is rank %d in all, want %d", p.Rank, job, all.Rank(), want)
		}
		if err := sum(all); err != nil {
			return err
		}
		half, err := p.Comms.Split(all, all.Rank()%2, 0)
		if err != nil {
			return err
		}
		if err := sum(half); err != nil {
			return err
		}
		if s := comm.Compare(half, all); half.Size() < all.Size() && s != comm.Unequal {
			return fmt.Errorf("compare: %d", s)
		}
		for _, x := range []*comm.Comm{d, all, half} {
			if err := p.Comms.Disconnect(x); err != nil {
				return err
			}
		}
		return nil
	})
}

// sum adds the ranks of a communicator.
func sum(c *comm.Comm) error {
	in, out := make([]byte, 8), make([]byte, 8)
	*shm.Word64(shm.Address(in)) = uint64(c.Rank() + 1)
	const int64Type, sumOp = 0x258, 0x21
	buf := func(b []byte) datatype.Buffer {
		return datatype.Buffer{Addr: shm.Address(b), Count: 1, Type: datatype.ByHandle(int64Type)}
	}
	if err := coll.Allreduce(c, buf(in), buf(out), op.ByHandle(sumOp)); err != nil {
		return err
	}
	if got, want := *shm.Word64(shm.Address(out)), uint64(c.Size()*(c.Size()+1)/2); got != want {
		return fmt.Errorf("sum of %d ranks is %d, want %d", c.Size(), got, want)
	}
	return nil
}

// gathered connects the worlds of three jobs, the first with each of the others and those with each other,
// and runs body.
func gathered(t *testing.T, sizes []int, body func(job int, p *runtime.Process, worlds [3]*group.Group,
	links []*comm.Comm) error) {
	for name, o := range map[string]testjob.Options{"single": {}, "multiple": {Multiple: true},
		"assisted": {Settings: tool.Settings{Assisted: true}}} {
		t.Run(fmt.Sprintf("%s/%d", name, sizes), func(t *testing.T) {
			var ports [3][3]chan string // of the pairs of jobs
			for i := range ports {
				for j := range ports {
					ports[i][j] = make(chan string, sizes[j])
				}
			}
			testjob.RunJobs(t, sizes, o, func(job int, p *runtime.Process) error {
				var worlds [3]*group.Group
				var links []*comm.Comm
				worlds[job] = p.World.Group()
				for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
					side := slices.Index(pair[:], job)
					if side < 0 {
						continue
					}
					other := pair[1-side]
					c, err := meet(side, p, ports[pair[0]][pair[1]], sizes[pair[1]])
					if err != nil {
						return err
					}
					worlds[other] = c.Remote()
					links = append(links, c)
				}
				return body(job, p, worlds, links)
			})
		})
	}
}

// Groups of processes of three jobs become communicators, in whatever order the processes are, and
// intercommunicators.
func TestGroupsOfSeveralJobs(t *testing.T) {
	for _, sizes := range [][]int{{1, 1, 1}, {2, 1, 3}, {3, 3, 2}} {
		gathered(t, sizes, func(job int, p *runtime.Process, worlds [3]*group.Group,
			links []*comm.Comm) error {
			for turn := range 6 {
				// All of the jobs in another order each time, dealt in turns every other time.
				order := [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}[turn%3]
				var lists [3][]int32
				for i, j := range order {
					lists[i] = worlds[j].Table()
				}
				var table []int32
				if turn < 3 {
					table = slices.Concat(lists[0], lists[1], lists[2])
				} else {
					for i := range 3 {
						for _, l := range lists {
							if i < len(l) {
								table = append(table, l[i])
							}
						}
					}
				}
				g := group.New(table)
				c, err := p.Comms.CreateFromGroup(g, fmt.Sprintf("turn %d", turn))
				if err != nil {
					return err
				}
				if group.Compare(c.Group(), g) != group.Identical {
					return fmt.Errorf("the group of the communicator is another one")
				}
				if err := sum(c); err != nil {
					return err
				}
				// Halves of it that have processes of all jobs.
				var halves [2][]int32
				for i, process := range table {
					halves[i%2] = append(halves[i%2], process)
				}
				mine, other := group.New(halves[c.Rank()%2]), group.New(halves[1-c.Rank()%2])
				inter, err := p.Comms.ConnectGroups(mine, turn%mine.Size(), other, turn%other.Size(), "halves")
				if err != nil {
					return err
				}
				if group.Compare(inter.Remote(), other) != group.Identical {
					return fmt.Errorf("the remote group is another one")
				}
				if err := coll.Barrier(inter); err != nil {
					return err
				}
				for _, x := range []*comm.Comm{inter, c} {
					if err := p.Comms.Disconnect(x); err != nil {
						return err
					}
				}
			}
			for _, c := range links {
				if err := p.Comms.Disconnect(c); err != nil {
					return err
				}
			}
			// Now nobody is connected with anybody.
			all := group.New(slices.Concat(worlds[0].Table(), worlds[1].Table(), worlds[2].Table()))
			if _, err := p.Comms.CreateFromGroup(all, "late"); mpierr.CodeOf(err) != int(mpierr.ErrGroup) {
				return fmt.Errorf("a group that is not connected: %v", err)
			}
			if _, err := p.Comms.ConnectGroups(worlds[job], 0, worlds[(job+1)%3], 0,
				"late"); mpierr.CodeOf(err) != int(mpierr.ErrGroup) {
				return fmt.Errorf("groups that are not connected: %v", err)
			}
			return sum(p.World)
		})
	}
}

// When only some of the jobs are connected, all processes of the group hear that it does not work.
func TestGroupsThatAreNotConnected(t *testing.T) {
	gathered(t, []int{2, 1, 2}, func(job int, p *runtime.Process, worlds [3]*group.Group,
		links []*comm.Comm) error {
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		// Jobs 1 and 2 part; job 0 stays connected with both. Its place in the group decides who finds out.
		if job > 0 {
			if err := p.Comms.Disconnect(links[1]); err != nil {
				return err
			}
		}
		for i, order := range [][3]int{{1, 0, 2}, {1, 2, 0}, {0, 1, 2}} {
			g := group.New(slices.Concat(worlds[order[0]].Table(), worlds[order[1]].Table(),
				worlds[order[2]].Table()))
			c, err := p.Comms.CreateFromGroup(g, "some")
			if i < 2 {
				if mpierr.CodeOf(err) != int(mpierr.ErrGroup) {
					return fmt.Errorf("order %d: %v", order, err)
				}
				continue
			}
			if err != nil {
				return err
			}
			if err := sum(c); err != nil {
				return err
			}
			if err := p.Comms.Disconnect(c); err != nil {
				return err
			}
		}
		if job < 2 {
			all := group.New(slices.Concat(worlds[0].Table(), worlds[1].Table()))
			leader := (1 - job) * worlds[0].Size() // of the other job
			if _, err := p.Comms.ConnectGroups(worlds[job], 0, all, leader,
				"common"); mpierr.CodeOf(err) != int(mpierr.ErrComm) {
				return fmt.Errorf("groups with a process in common: %v", err)
			}
		}
		for i, c := range links {
			if job == 0 || i == 0 {
				if err := p.Comms.Disconnect(c); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
