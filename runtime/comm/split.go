package comm

import (
	"cmp"
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
)

// byColor lists the job ranks of a group with that color by key, and among equal keys by rank. all is what
// each rank says of color and key.
func byColor(all []int32, color int, g *group.Group) []int32 {
	n := 0
	for i := 0; i < len(all); i += 2 {
		if int(all[i]) == color {
			n++
		}
	}
	table := make([]int32, 0, n) // of ranks in the group at first
	for i := 0; i < len(all); i += 2 {
		if int(all[i]) == color {
			table = append(table, int32(i/2))
		}
	}
	slices.SortStableFunc(table, func(a, b int32) int { return cmp.Compare(all[2*a+1], all[2*b+1]) })
	for i, rank := range table {
		table[i] = int32(g.Of(int(rank)))
	}
	return table
}

// Split makes one communicator for each color, of the ranks with that color in the order of their keys
// (MPI_Comm_split). A rank whose color is Undefined gets nil, and so does one that finds nobody of its color
// in the other group.
func (r *Registry) Split(c *Comm, color, key int) (*Comm, error) {
	if color < 0 && color != group.Undefined {
		return nil, mpierr.New(mpierr.ErrArg, "color is %d, must not be negative, or be MPI_UNDEFINED", color)
	}
	b, err := c.members().allgather(putInts([]int32{int32(color), int32(key)}))
	if err != nil {
		return nil, err
	}
	return r.divide(c, getInts(b), color, "MPI_Comm_split")
}

// divide makes the communicators when color and key of each rank are known.
func (r *Registry) divide(c *Comm, all []int32, color int, origin string) (*Comm, error) {
	if c.Inter() {
		return r.splitInter(c, all, color, origin)
	}
	if color == group.Undefined {
		return nil, nil
	}
	g := c.group
	if table := byColor(all, color, g); !g.Is(table) {
		g = group.New(table)
	}
	return r.among(c, g, tagMembers, setupContext, origin)
}
