package coll_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	gort "runtime"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
)

// summing is one way of combining what all ranks have: out has count elements for each rank, in gets what
// this rank does.
type summing struct {
	name  string
	like  string // the one that it gives the same bits as, in the elements that it has
	gets  func(rank, size, count int) (from, n int)
	now   func(c *comm.Comm, out, in datatype.Buffer) error
	later func(t *coll.Team, out, in datatype.Buffer) error
}

func everything(_, size, count int) (from, n int) { return 0, size * count }

func ownPart(rank, _, count int) (from, n int) { return rank * count, count }

var summings = []summing{
	{"allreduce", "", everything,
		func(c *comm.Comm, out, in datatype.Buffer) error { return coll.Allreduce(c, out, in, sum) },
		func(t *coll.Team, out, in datatype.Buffer) error { return t.Allreduce(out, in, sum) }},
	{"reduce", "allreduce", func(rank, size, count int) (int, int) {
		if rank != size-1 {
			return 0, 0
		}
		return 0, size * count
	},
		func(c *comm.Comm, out, in datatype.Buffer) error { return coll.Reduce(c, out, in, sum, c.Size()-1) },
		nil},
	{"reduce_scatter", "allreduce", ownPart,
		func(c *comm.Comm, out, in datatype.Buffer) error { return coll.ReduceScatterBlock(c, out, in, sum) },
		func(t *coll.Team, out, in datatype.Buffer) error { return t.ReduceScatterBlock(out, in, sum) }},
	{"scan", "", everything,
		func(c *comm.Comm, out, in datatype.Buffer) error { return coll.Scan(c, out, in, sum) },
		func(t *coll.Team, out, in datatype.Buffer) error { return t.Scan(out, in, sum) }},
}

// Sums have the same bits each time, however late ranks are, and those of MPI_Allreduce in all operations
// that combine what all ranks have, blocking or not.
func TestSumsAreReproducible(t *testing.T) {
	const repetitions = 6
	for _, pattern := range []string{"", "2", "3+1", "2:cyclic", "a core each"} {
		for _, np := range []int{3, 4, 7} {
			for _, count := range []int{1, 50, 3000} { // of each rank
				t.Run(fmt.Sprintf("%s/np%d/%d", pattern, np, count), func(t *testing.T) {
					o := testjob.Options{Settings: tool.Settings{PretendNodes: pattern}}
					if pattern == "a core each" {
						o = testjob.Options{Cores: np}
					}
					testjob.Run(t, np, o, func(p *runtime.Process) error {
						return sums(p.World, count,
							repetitions)
					})
				})
			}
		}
	}
}

func sums(c *comm.Comm, count, repetitions int) error {
	r := reduction{sum, named("MPI_DOUBLE")}
	size, first := int64(r.typ.Size()), map[string][]byte{}
	all := c.Size() * count
	out := data(r.typ, all, 1, r.packed(r.operand(c.Rank(), 1, all), all))
	for i := range repetitions {
		for _, s := range summings {
			from, n := s.gets(c.Rank(), c.Size(), count)
			in := room(r.typ, n, 1, 0)
			if rand.IntN(2) == 0 {
				time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			}
			name := s.name
			if i%2 == 0 || s.later == nil {
				if err := s.now(c, out.buf, in.buf); err != nil {
					return err
				}
			} else {
				req, err := coll.Begin(c, func(t *coll.Team) error { return s.later(t, out.buf, in.buf) })
				if err == nil {
					err = wait(c, req)
				}
				if err != nil {
					return err
				}
				if s.like == "" && s.name != "allreduce" {
					name += ", nonblocking" // scans may combine in another order
				}
			}
			got := in.mem[margin : margin+int64(n)*size]
			want, known := first[name]
			if s.like != "" {
				want, known = first[s.like][int64(from)*size:int64(from+n)*size], true
			}
			if !known {
				first[name] = got
			} else if !bytes.Equal(got, want) {
				return fmt.Errorf("repetition %d of %s has other bits", i, name)
			}
			gort.KeepAlive(in.mem)
		}
	}
	gort.KeepAlive(out.mem)
	return nil
}
