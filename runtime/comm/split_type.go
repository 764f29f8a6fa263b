package comm

import (
	"slices"
	"strings"

	"gompi/runtime/group"
	"gompi/runtime/hardware"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// Ways of splitting, with the values of the standard ABI (MPI 5.0, 7.4.2).
const (
	TypeShared         = 221
	TypeUnguided       = 222
	TypeGuided         = 223
	TypeResourceGuided = 224
)

// SharedMemory is the name of what shares memory, as a resource.
const SharedMemory = "mpi_shared_memory"

// Keys of hints that say by what to split.
const (
	resourceKey = "mpi_hw_resource_type"
	setKey      = "mpi_pset_name"
)

// SplitType makes communicators of ranks that have a resource in common (MPI_Comm_split_type): the machine's
// memory, or a part of the machine that they are bound to. A rank that is bound to none gets nil. hints may
// be nil; for MPI_COMM_TYPE_HW_UNGUIDED they are told which resource it was.
func (r *Registry) SplitType(c *Comm, how, key int, hints *info.Info) (*Comm, error) {
	color := group.Undefined
	switch how {
	case group.Undefined:
	case TypeShared:
		color = c.memory()
	case TypeGuided:
		color = c.resource(wanted(hints, resourceKey))
	case TypeResourceGuided:
		resource, set := wanted(hints, resourceKey), wanted(hints, setKey)
		switch {
		case resource != "" && set == "":
			color = c.resource(resource)
		case resource == "" && set != "":
			color = processSet(set, r.Processes.Rank())
		}
	case TypeUnguided: // decided when all have said what they are bound to
	default:
		return nil, mpierr.New(mpierr.ErrArg, "split_type is %d, which is no MPI_COMM_TYPE_...", how)
	}
	b, err := c.members().allgather(putInts(r.places.says(how, color, key)))
	if err != nil {
		return nil, err
	}
	all := getInts(b)
	level, err := nextLevel(c, all)
	if err != nil {
		return nil, err
	}
	colors := make([]int32, 0, 2*c.Size())
	for i := 0; i < len(all); i += saysEach {
		colors = append(colors, colorAt(all[i:i+saysEach], level), all[i+saysKey])
	}
	if how == TypeUnguided && level >= 0 && hints != nil {
		if err := hints.Set(resourceKey, hardware.Name(level)); err != nil {
			return nil, err
		}
	}
	return r.divide(c, colors, int(colors[2*c.Rank()]), "MPI_Comm_split_type")
}

// What a rank says in a split by type.
const (
	saysColor = iota
	saysKey
	saysUnguided // 1 when the color is to be found
	saysParts    // its parts of each kind of resource
	saysEach     = saysParts + hardware.Kinds
)

// says is what this rank says.
func (p *placement) says(how, color, key int) []int32 {
	own := make([]int32, saysEach)
	own[saysColor], own[saysKey] = int32(color), int32(key)
	if how == TypeUnguided {
		own[saysUnguided] = 1
		for i, h := range hardware.Here() {
			own[saysParts+i] = int32(p.part(h))
		}
	}
	return own
}

// colorAt is the color of a rank; level is the kind of resource by which unguided ranks are told apart, -1
// for none.
func colorAt(said []int32, level int) int32 {
	switch {
	case said[saysUnguided] == 0:
		return said[saysColor]
	case level < 0:
		return group.Undefined
	}
	return said[saysParts+level]
}

// wanted is the value of a hint, "" when there is none.
func wanted(hints *info.Info, key string) string {
	if hints == nil {
		return ""
	}
	v, _, err := hints.Get(key)
	if err != nil {
		return ""
	}
	return v
}

// memory is a number that this rank has in common with those that it can share memory with: of its job, on
// its node.
func (c *Comm) memory() int {
	if r := c.registry; !c.Across() || c.Inter() {
		return r.places.nodeOf(r.Processes.Rank())
	}
	rank := 0
	for !c.Near(rank) { // this rank is near
		rank++
	}
	return rank
}

// resource is a number of the instance of a resource that this rank is bound to.
func (c *Comm) resource(name string) int {
	if name == SharedMemory {
		return c.memory()
	}
	for _, h := range hardware.Here() {
		if hardware.Same(name, h.Name) {
			return c.registry.places.part(h)
		}
	}
	return group.Undefined
}

// part is a number for a part of a node's hardware, different from those of the same kind in other nodes.
func (p *placement) part(h hardware.Resource) int {
	const partsOfNode = 1 << 16
	if h.Instance < 0 {
		return group.Undefined
	}
	return p.nodeOf(p.rank)*partsOfNode + h.Instance
}

// processSet is a number that the ranks have in common for which a process set is the same (MPI 5.0, 11.3.2).
func processSet(name string, rank int) int {
	switch {
	case strings.EqualFold(name, "mpi://WORLD"):
		return 0
	case strings.EqualFold(name, "mpi://SELF"):
		return rank
	}
	return group.Undefined
}

// nextLevel finds the largest kind of resource by which the unguided ranks can be told apart; -1 when there
// is none. all is what the ranks of c, of an intercommunicator those of the local group, have said.
func nextLevel(c *Comm, all []int32) (int, error) {
	if c.Inter() {
		other, err := c.pair().swapTable(all)
		if err != nil {
			return 0, err
		}
		all = slices.Concat(all, other)
	}
	for level := range hardware.Kinds {
		if divides(all, level) {
			return level, nil
		}
	}
	return -1, nil
}

// divides reports whether a kind of resource gives communicators that are smaller than the whole.
func divides(all []int32, level int) bool {
	bound, differ, first := false, false, -1
	for i := 0; i < len(all); i += saysEach {
		if all[i+saysUnguided] == 0 {
			continue
		}
		at := i + saysParts + level
		if first < 0 {
			first = at
		}
		bound = bound || all[at] != group.Undefined
		differ = differ || all[at] != all[first]
	}
	return bound && differ
}

// Hardware tells which kinds of resource the machine has, and whether this process is bound to one of each
// (MPI_Get_hw_resource_info).
func Hardware() *info.Info {
	i := new(info.Info)
	add := func(name string, bound bool) {
		v := "false"
		if bound {
			v = "true"
		}
		_ = i.Set(name, v) // short
	}
	add(SharedMemory, true)
	for _, h := range hardware.Here() {
		if h.Instance != hardware.Unknown {
			add(h.Name, h.Instance != hardware.Unbound)
		}
	}
	return i
}
