package topo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/comm"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/topo"
)

func everywhere(t *testing.T, body func(p *runtime.Process) error) {
	for _, np := range []int{1, 2, 3, 4, 6, 8} {
		t.Run(fmt.Sprintf("np%d", np), func(t *testing.T) { testjob.Run(t, np, testjob.Options{}, body) })
	}
}

// grids are all grids of up to three dimensions that n ranks are enough for, of a job of any size.
func grids(n int) (all [][]int) {
	all = append(all, nil)
	for a := 1; a <= n; a++ {
		all = append(all, []int{a})
		for b := 1; a*b <= n; b++ {
			all = append(all, []int{a, b})
			for c := 1; a*b*c <= n; c++ {
				all = append(all, []int{a, b, c})
			}
		}
	}
	return all
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// periodic are truth values that differ from grid to grid.
func periodic(n, step int) []bool {
	ps := make([]bool, n)
	for i := range ps {
		ps[i] = step>>i&1 != 0
	}
	return ps
}

func TestCart(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		for step, dims := range grids(p.Size) {
			periods := periodic(len(dims), step)
			c, err := topo.CreateCart(p.Comms, p.World, dims, periods, p.Size%2 == 0)
			if err != nil {
				return err
			}
			mapped, err := topo.MapCart(p.World, dims)
			if err != nil {
				return err
			}
			if p.Rank >= product(dims) {
				if c != nil || mapped != group.Undefined {
					return fmt.Errorf("rank %d got %v in %v", p.Rank, c, dims)
				}
				continue
			}
			if c.Size() != product(dims) || c.Rank() != p.Rank || mapped != p.Rank {
				return fmt.Errorf("%v: rank %d of %d, mapped to %d", dims, c.Rank(), c.Size(), mapped)
			}
			if err := walk(c, dims, periods); err != nil {
				return fmt.Errorf("%v: %w", dims, err)
			}
			if err := cuts(p, c, dims); err != nil {
				return fmt.Errorf("%v: %w", dims, err)
			}
			d, err := p.Comms.Dup(c, "MPI_Comm_dup")
			if err != nil {
				return err
			}
			if topo.Of(d) != topo.Of(c) {
				return fmt.Errorf("a duplicate has another topology")
			}
			p.Comms.Free(d)
			p.Comms.Free(c)
		}
		return nil
	})
}

// walk compares coordinates, ranks and shifts with counting through the grid.
func walk(c *comm.Comm, dims []int, periods []bool) error {
	g, err := topo.CartOf(c)
	if err != nil {
		return err
	}
	at := make([]int, len(dims))
	ranks := map[string]int{}
	for rank := range c.Size() {
		got := make([]int, len(dims))
		g.Locate(rank, got)
		if !slices.Equal(got, at) || rank == c.Rank() && !slices.Equal(g.Coords, at) {
			return fmt.Errorf("rank %d is at %v, want %v", rank, got, at)
		}
		ranks[fmt.Sprint(at)] = rank
		for i := len(dims) - 1; i >= 0; i-- { // the last coordinate changes fastest
			if at[i]++; at[i] < dims[i] {
				break
			}
			at[i] = 0
		}
	}
	find := func(at []int) int {
		at = slices.Clone(at)
		for i, d := range dims {
			for periods[i] && at[i] < 0 {
				at[i] += d
			}
			for periods[i] && at[i] >= d {
				at[i] -= d
			}
		}
		if r, ok := ranks[fmt.Sprint(at)]; ok {
			return r
		}
		return p2p.ProcNull
	}
	for rank := range c.Size() {
		for i := range dims {
			for distance := -5; distance <= 5; distance++ {
				source, destination := g.Shift(rank, i, distance)
				g.Locate(rank, at)
				at[i] += distance
				want := find(at)
				got, err := g.Rank(at)
				if destination != want || want >= 0 && (err != nil || got != want) {
					return fmt.Errorf("rank %d shifted by %d in %d: to %d, rank %d, want %d", rank, distance, i, destination, got, want)
				}
				if want < 0 && mpierr.CodeOf(err) != int(mpierr.ErrArg) {
					return fmt.Errorf("a point outside: %v", err)
				}
				if at[i] -= 2 * distance; source != find(at) {
					return fmt.Errorf("rank %d shifted by %d in %d: from %d, want %d", rank, distance, i, source, find(at))
				}
			}
		}
	}
	return nil
}

// cuts cuts a grid in every way.
func cuts(p *runtime.Process, c *comm.Comm, dims []int) error {
	g, _ := topo.CartOf(c)
	for cut := range 1 << len(dims) {
		remain := periodic(len(dims), cut)
		sub, err := topo.SubCart(p.Comms, c, remain)
		if err != nil {
			return err
		}
		var members []int
		var want []int
		at := make([]int, len(dims))
		for rank := range c.Size() {
			g.Locate(rank, at)
			same := true
			for i := range dims {
				same = same && (remain[i] || at[i] == g.Coords[i])
			}
			if same {
				members = append(members, rank)
			}
		}
		for i, d := range dims {
			if remain[i] {
				want = append(want, d)
			}
		}
		sg, err := topo.CartOf(sub)
		if err != nil {
			return err
		}
		if sub.Size() != len(members) || members[sub.Rank()] != c.Rank() || !slices.Equal(sg.Dims, want) {
			return fmt.Errorf("the part along %v has size %d and dimensions %v, want %d and %v", remain, sub.Size(), sg.Dims, len(members), want)
		}
		for i, r := range members {
			if sub.Group().Of(i) != c.Group().Of(r) {
				return fmt.Errorf("the part along %v has other members", remain)
			}
		}
		p.Comms.Free(sub)
	}
	return nil
}

func TestGraph(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		random := rand.New(rand.NewPCG(1, uint64(p.Size)))
		for nodes := range p.Size + 1 {
			g := &topo.Graph{Index: make([]int32, nodes)}
			lists := make([][]int32, nodes)
			for i := range nodes {
				for range random.IntN(4) {
					lists[i] = append(lists[i], int32(random.IntN(nodes)))
				}
				g.Edges = append(g.Edges, lists[i]...)
				g.Index[i] = int32(len(g.Edges))
			}
			c, err := topo.CreateGraph(p.Comms, p.World, g)
			if err != nil {
				return err
			}
			if (c == nil) != (p.Rank >= nodes) || topo.MapGraph(p.World, nodes) >= 0 != (c != nil) {
				return fmt.Errorf("%d nodes: rank %d got %v", nodes, p.Rank, c)
			}
			if c == nil {
				continue
			}
			for r, want := range lists {
				if got, err := g.Neighbors(c, r); err != nil || !slices.Equal(got, want) {
					return fmt.Errorf("neighbors of %d: %v, %v, want %v", r, got, err, want)
				}
			}
			if _, err := g.Neighbors(c, nodes); mpierr.CodeOf(err) != int(mpierr.ErrRank) {
				return fmt.Errorf("neighbors of nobody: %v", err)
			}
			p.Comms.Free(c)
		}
		return nil
	})
}

// named is an edge that some rank names.
type named struct{ by, from, to, weight int32 }

// TestDistGraph has random ranks name random edges, parallel ones and loops included, and compares what
// everybody gets with the whole list.
func TestDistGraph(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		random := rand.New(rand.NewPCG(2, uint64(p.Size)))
		for round := range 30 {
			weighted := round%2 == 0
			var all []named
			pick := func() int32 { return int32(random.IntN(p.Size)) }
			for range random.IntN(6 * p.Size) {
				all = append(all, named{pick(), pick(), pick(), int32(random.IntN(100))})
			}
			slices.SortStableFunc(all, func(a, b named) int { return int(a.by - b.by) })
			own := topo.Contribution{Weights: topo.Unweighted}
			if weighted {
				own.Weights = topo.Weighted
			}
			var want topo.DistGraph
			add := func(e *topo.Edges, rank, weight int32) {
				if e.Ranks = append(e.Ranks, rank); weighted {
					e.Weights = append(e.Weights, weight)
				}
			}
			for _, e := range all {
				if int(e.by) == p.Rank {
					own.Sources, own.Destinations = append(own.Sources, e.from), append(own.Destinations,
						e.to)
					if weighted {
						own.Weight = append(own.Weight, e.weight)
					}
				}
				if int(e.from) == p.Rank {
					add(&want.Out, e.to, e.weight)
				}
				if int(e.to) == p.Rank {
					add(&want.In, e.from, e.weight)
				}
			}
			if len(own.Sources) == 0 && round%3 == 0 && len(all) > 0 {
				own.Weights = topo.Silent
			}
			c, err := topo.CreateDist(p.Comms, p.World, own)
			if err != nil {
				return err
			}
			g, err := topo.DistGraphOf(c)
			if err != nil {
				return err
			}
			for _, x := range []struct{ got, want []int32 }{
				{g.In.Ranks, want.In.Ranks}, {g.In.Weights, want.In.Weights}, {g.Out.Ranks, want.Out.Ranks},
				{g.Out.Weights, want.Out.Weights},
			} {
				if !slices.Equal(x.got, x.want) {
					return fmt.Errorf("round %d: got %v, want %v", round, x.got, x.want)
				}
			}
			if len(all) > 0 && g.Weighted != weighted {
				return fmt.Errorf("round %d: weighted is %v", round, g.Weighted)
			}
			p.Comms.Free(c)
		}
		return nil
	})
}

// TestWrongContributionsFailEverywhere has one rank contribute what it must not; nobody may hang.
func TestWrongContributionsFailEverywhere(t *testing.T) {
	testjob.Run(t, 5, testjob.Options{}, func(p *runtime.Process) error {
		wrong := topo.Contribution{Weights: topo.Weighted}
		mixed := wrong
		if p.Rank == 3 {
			wrong.Err = mpierr.New(mpierr.ErrRank, "a test")
			mixed.Weights = topo.Unweighted
		}
		want := mpierr.ErrArg
		if p.Rank == 3 {
			want = mpierr.ErrRank
		}
		if _, err := topo.CreateDist(p.Comms, p.World, wrong); mpierr.CodeOf(err) != int(want) {
			return fmt.Errorf("wrong arguments of one rank: %v", err)
		}
		if _, err := topo.CreateDist(p.Comms, p.World, mixed); mpierr.CodeOf(err) != int(mpierr.ErrArg) {
			return fmt.Errorf("weights on some ranks only: %v", err)
		}
		return nil
	})
}

func TestGridsThatDoNotFit(t *testing.T) {
	testjob.Run(t, 4, testjob.Options{}, func(p *runtime.Process) error {
		for _, dims := range [][]int{{5}, {2, 3}, {0}, {-1}, {2, -2}, {1 << 31, 1 << 31, 1 << 31},
			{1 << 62, 4}} {
			if _, err := topo.CreateCart(p.Comms, p.World, dims, make([]bool, len(dims)),
				true); mpierr.CodeOf(err) != int(mpierr.ErrDims) {
				return fmt.Errorf("%v: %v", dims, err)
			}
		}
		for _, err := range []error{one(topo.CartOf(p.World)), one(topo.GraphOf(p.World)),
			one(topo.DistGraphOf(p.World))} {
			if mpierr.CodeOf(err) != int(mpierr.ErrTopology) {
				return fmt.Errorf("no topology: %v", err)
			}
		}
		return nil
	})
}

func one[T any](_ T, err error) error { return err }
