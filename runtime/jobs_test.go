package runtime_test

import (
	"fmt"
	gort "runtime"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/spawn"
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
		return p.Connect(p.World, p.Size-1, <-port, spawn.Wait{})
	}
	name := ""
	if p.Rank == 0 {
		var err error
		if name, err = p.Desk.OpenPort(); err != nil {
			return nil, err
		}
		for range n {
			port <- name
		}
	}
	return p.Accept(p.World, 0, name, spawn.Wait{})
}

func bytesOf(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }

// Messages of all protocols go to every rank of the other job and come from all of them.
func TestMessagesBetweenJobs(t *testing.T) {
	connected(t, func(job int, p *runtime.Process, c *comm.Comm) error {
		e := c.Engine()
		for _, n := range []int{0, 8, 3000, 20_000, 300_000, 3 << 20} {
			for k := range c.Targets() {
				out, in := make([]byte, n+1), make([]byte, n+1)
				for i := range out {
					out[i] = byte(i*7 + job*100 + p.Rank)
				}
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
				for i := range in {
					if in[i] != byte(i*7+(1-job)*100+k) {
						return fmt.Errorf("byte %d of %d from rank %d is %d", i, n, k, in[i])
					}
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
