package topo_test

import (
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/runtime/topo"
	"gompi/shm"
)

// A grid that may be reordered has blocks of neighbours on each node, and MPI_Cart_map says the same as
// MPI_Cart_create.
func TestReorder(t *testing.T) {
	for _, c := range []struct {
		pattern string
		dims    []int
		apart   int // pairs of neighbours on different nodes
	}{
		{"", []int{4, 4}, 0},
		{"4", []int{4, 4}, 8},         // 2 x 2 each; rows would take 12
		{"4:cyclic", []int{4, 4}, 8},  // dealt out in turn all were apart
		{"8", []int{2, 2, 4}, 4},      // 2 x 2 x 2 each
		{"2", []int{4, 2}, 6},         // rows are the best
		{"2:cyclic", []int{6}, 2},     // pairs of neighbours in a row
		{"3", []int{4, 4}, -1},        // nodes of different sizes: the order stays
		{"6", []int{3, 2, 2}, 6},      // halves
		{"2:cyclic", []int{3, 2}, 4},  // 1 x 2 each
		{"4:cyclic", []int{3, 2}, -1}, // of six ranks: four and two
	} {
		np := 1
		for _, d := range c.dims {
			np *= d
		}
		t.Run(fmt.Sprintf("%s/%v", c.pattern, c.dims), func(t *testing.T) {
			o := testjob.Options{Settings: tool.Settings{PretendNodes: c.pattern}}
			testjob.Run(t, np, o, func(p *runtime.Process) error {
				grid, err := topo.CreateCart(p.Comms, p.World, c.dims, make([]bool, len(c.dims)), true)
				if err != nil {
					return err
				}
				point, err := topo.MapCart(p.World, c.dims)
				if err != nil {
					return err
				}
				if point != grid.Rank() || grid.Group().Of(point) != p.Rank {
					return fmt.Errorf("rank %d in the grid, mapped to %d", grid.Rank(), point)
				}
				if c.apart < 0 && point != p.Rank {
					return fmt.Errorf("rank %d became %d", p.Rank, point)
				}
				g, err := topo.CartOf(grid)
				if err != nil {
					return err
				}
				mine := byte(0) // pairs with the neighbour above
				for i := range c.dims {
					if _, up := g.Shift(point, i, 1); up >= 0 && p.Nodes != nil &&
						p.Nodes[grid.Group().Of(up)] != p.Nodes[p.Rank] {
						mine++
					}
				}
				all := make([]byte, np)
				all[p.Rank] = mine
				b := datatype.Raw(shm.Address(all), 1)
				if err := coll.Allgather(p.World, datatype.Buffer{Addr: datatype.InPlace, Type: b.Type},
					b); err != nil {
					return err
				}
				pairs := 0
				for _, n := range all {
					pairs += int(n)
				}
				if c.apart >= 0 && pairs != c.apart {
					return fmt.Errorf("%d pairs of neighbours are apart, want %d", pairs, c.apart)
				}
				return nil
			})
		})
	}
}
