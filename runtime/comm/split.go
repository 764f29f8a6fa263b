package comm

import (
	"cmp"
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
)

// member is what a rank says in a split.
type member struct {
	rank       int // in its group
	color, key int
}

// byColor lists the job ranks with that color by key, and among equal keys by rank.
func byColor(all []int32, color int, g *group.Group) []int32 {
	var ms []member
	for i := 0; i < len(all); i += 2 {
		if int(all[i]) == color {
			ms = append(ms, member{rank: i / 2, color: color, key: int(all[i+1])})
		}
	}
	slices.SortStableFunc(ms, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	table := make([]int32, len(ms))
	for i, m := range ms {
		table[i] = int32(g.Of(m.rank))
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
	return r.among(c, group.New(byColor(all, color, c.group)), tagMembers, setupContext, origin)
}
