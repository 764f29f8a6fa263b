package coll_test

import (
	"fmt"
	gort "runtime"
	"strings"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// impossible tells that a pinned algorithm cannot carry out a reduction: where ranks have no other nodes, or
// not as many on each.
func impossible(o tool.Operation, a tool.Algorithm, np, cores int, pattern string) bool {
	switch a {
	case tool.OverNodes:
		return pattern == "" || np == 2
	case tool.Rails:
		return pattern == "" || np != 4
	case tool.Cells, tool.AtRoot, tool.SingleCopy:
		return pattern != "" && np > 2 || a == tool.SingleCopy && (cores == 1 && np > 2)
	case tool.Steps: // of more ranks, which would share the work
		return pattern != "" && np > 2 || cores == 1 && (np > 3 || np == 3 && o == tool.Reduce)
	case tool.Doubling, tool.Halving, tool.Binomial: // another tree than over nodes
		return pattern != "" && np&(np-1) != 0
	}
	return false
}

// TestPinnedReductions has reductions go by each algorithm: all give the same bits, and have gone so.
func TestPinnedReductions(t *testing.T) {
	r := reductions[1] // sums of doubles, which every other order would change
	for _, o := range []tool.Operation{tool.Reduce, tool.Allreduce} {
		for _, a := range o.Pinnable() {
			for _, np := range []int{2, 3, 4, 7} {
				for _, pattern := range []string{"", "2"} {
					for _, cores := range []int{1, 7} {
						t.Run(fmt.Sprintf("%s=%s/np%d/nodes%s/cores%d", o, a, np, pattern, cores), func(t *testing.T) {
							pinnedReduction(t, r, o, a, np, cores, pattern)
						})
					}
				}
			}
		}
	}
}

func pinnedReduction(t *testing.T, r reduction, o tool.Operation, a tool.Algorithm, np, cores int,
	pattern string) {
	counts := []int{1, 7, 300, 2100, 20_000}
	nodes, err := tool.ParseNodes(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var wants [][]byte
	for step, count := range counts {
		wants = append(wants, r.packed(r.expected(np, step, count, nodes.Assign(np)), count))
	}
	var s tool.Settings
	s.PretendNodes = pattern
	s.Collectives[o] = a
	testjob.Run(t, np, testjob.Options{Settings: s, Cores: cores}, func(p *runtime.Process) error {
		c := p.World
		for step, count := range counts {
			send := data(r.typ, count, 1, r.packed(r.operand(c.Rank(), step, count), count))
			recv := room(r.typ, count, 1, 0x77)
			var err error
			if o == tool.Allreduce {
				err = coll.Allreduce(c, send.buf, recv.buf, r.op)
			} else {
				err = coll.Reduce(c, send.buf, recv.buf, r.op, np-1)
			}
			if err != nil {
				return err
			}
			gort.KeepAlive(send.mem)
			if o == tool.Allreduce || c.Rank() == np-1 {
				if err := recv.same(wants[step]); err != nil {
					return fmt.Errorf("%d elements: %w", count, err)
				}
			}
		}
		n := c.Collectives()
		if went := *n.At(o, a); went == 0 && !impossible(o, a, np, cores, pattern) {
			return fmt.Errorf("no operation has gone by %s", a)
		}
		return nil
	})
}

// TestDifferentPinsAreToldOf has ranks that differ in what they have pinned: they do not wait for each other
// for ever.
func TestDifferentPinsAreToldOf(t *testing.T) {
	o := testjob.Options{Abandon: true, Each: func(rank int, s *tool.Settings) {
		if rank == 1 {
			s.Collectives[tool.Bcast] = tool.Ring
		}
	}}
	told := make(chan error, 2)
	testjob.Run(t, 2, o, func(p *runtime.Process) error {
		if err := testjobMeets(p); err != nil {
			return err
		}
		told <- coll.Bcast(p.World, datatype.Buffer{Type: named("MPI_INT")}, 0)
		return nil
	})
	for range 2 {
		if err := <-told; err == nil || !strings.Contains(err.Error(), "GOMPI_COLLECTIVES") {
			t.Errorf("error %v", err)
		}
	}
}

// testjobMeets has the two ranks exchange a message, so that both have begun.
func testjobMeets(p *runtime.Process) error {
	out, in := make([]byte, 1), make([]byte, 1)
	return p.Engine.Sendrecv(&p.World.P2P, bytesOf(out), 1-p.Rank, 1, bytesOf(in), 1-p.Rank, 1, nil)
}

// TestTable looks whether the table names an algorithm for each size, and the pinned one.
func TestTable(t *testing.T) {
	for _, ranks := range []int{2, 3, 8, 64} {
		for _, cores := range []int{1, 2, 64} {
			next := map[string]int64{}
			for _, r := range coll.Table(coll.Host{Ranks: ranks, Cores: cores}) {
				key := r.Operation + " " + r.Place
				if next[key] != r.From || r.To < r.From {
					t.Errorf("%s: %d to %d follows %d", key, r.From, r.To, next[key])
				}
				next[key] = r.To + 1
			}
		}
	}
	var pins tool.Pins
	pins[tool.Allreduce] = tool.Halving
	for _, r := range coll.Table(coll.Host{Ranks: 4, Cores: 4, Pins: pins}) {
		if r.Operation == "allreduce" && r.Place != "groups" && r.Algorithm != "halving" {
			t.Errorf("%s, %s: %s", r.Operation, r.Place, r.Algorithm)
		}
	}
}

// TestFewerCoresThanRanks has the ranks of a node that are more than the cores, but fewer than twice as many,
// combine long data.
func TestFewerCoresThanRanks(t *testing.T) {
	const np, n = 8, 200_000
	testjob.Run(t, np, testjob.Options{Cores: 4}, func(p *runtime.Process) error {
		in := ones(n)
		mem, out := longs(n, func(int) uint64 { return 0 })
		if err := coll.Allreduce(p.World, in, out, sum); err != nil {
			return err
		}
		if err := coll.Reduce(p.World, in, out, sum, 1); err != nil {
			return err
		}
		return wantLongs(mem, func(int) uint64 { return np })
	})
}

// TestFastEngineHasLimits has small operations carried out by package fast, but for those that are pinned.
func TestFastEngineHasLimits(t *testing.T) {
	o := testjob.Options{}
	o.Settings.Collectives[tool.Alltoall] = tool.Pairwise
	testjob.Run(t, 3, o, func(p *runtime.Process) error {
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		for pattern, most := range p.World.Segment().Most {
			switch fast.Pattern(pattern) {
			case fast.PatternNone, fast.Neighbors, fast.NeighborsV, fast.Crossed, fast.CrossedV:
				if most != 0 {
					return fmt.Errorf("pattern %d: %d bytes", pattern, most)
				}
			default:
				if fast.Pattern(pattern) != fast.Meeting && most < 1<<10 || most == 0 {
					return fmt.Errorf("pattern %d: %d bytes", pattern, most)
				}
			}
		}
		return nil
	})
}
