package comm

import (
	"cmp"
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/info"
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
// (MPI_Comm_split). A rank whose color is Undefined gets nil, and so does one that finds nobody of its color in the other
// group.
func (r *Registry) Split(c *Comm, color, key int) (*Comm, error) {
	if color < 0 && color != group.Undefined {
		return nil, mpierr.New(mpierr.ErrArg, "color is %d, must not be negative, or be MPI_UNDEFINED", color)
	}
	return r.split(c, color, key, "MPI_Comm_split")
}

func (r *Registry) split(c *Comm, color, key int, origin string) (*Comm, error) {
	b, err := c.gang().allgather(putInts([]int32{int32(color), int32(key)}))
	if err != nil {
		return nil, err
	}
	all := getInts(b)
	if c.Inter() {
		return r.splitInter(c, all, color, origin)
	}
	if color == group.Undefined {
		return nil, nil
	}
	return r.among(c, group.New(byColor(all, color, c.group)), tagGang, setupContext, origin)
}

// Ways of splitting, with the values of the standard ABI (MPI 5.0, 7.4.2).
const (
	TypeShared         = 221
	TypeUnguided       = 222
	TypeGuided         = 223
	TypeResourceGuided = 224
)

// SharedMemory is the one hardware resource that is known: what shares memory.
const SharedMemory = "mpi_shared_memory"

// SplitType makes communicators of ranks that have a resource in common (MPI_Comm_split_type). hints may be nil. A
// machine's memory is the one kind of resource that is known, so there is never a finer split for MPI_COMM_TYPE_HW_UNGUIDED: it gives
// nobody a communicator.
func (r *Registry) SplitType(c *Comm, how, key int, hints *info.Info) (*Comm, error) {
	color := group.Undefined
	switch how {
	case group.Undefined:
	case TypeShared:
		color = r.node
	case TypeGuided:
		if wants(hints, "mpi_hw_resource_type", SharedMemory) {
			color = r.node
		}
	case TypeResourceGuided:
		if wants(hints, "mpi_hw_resource_type", SharedMemory) || wants(hints, "mpi_pset_name", "mpi://WORLD") {
			color = r.node
		}
	case TypeUnguided: // ranks that share a machine cannot be told apart any further
	default:
		return nil, mpierr.New(mpierr.ErrArg, "split_type is %d, which is no MPI_COMM_TYPE_...", how)
	}
	return r.split(c, color, key, "MPI_Comm_split_type")
}

func wants(hints *info.Info, key, value string) bool {
	if hints == nil {
		return false
	}
	v, ok, err := hints.Get(key)
	return err == nil && ok && v == value
}
