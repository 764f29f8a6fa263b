package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Operation is a kind of collective operation, whether it blocks or not. The v and w forms and that of equal
// blocks are one kind.
type Operation uint8

// The operations.
const (
	Barrier Operation = iota
	Bcast
	Gather
	Scatter
	Allgather
	Alltoall
	Reduce
	Allreduce
	ReduceScatter
	Scan
	Exscan
	Neighbor // MPI_Neighbor_allgather, MPI_Neighbor_alltoall and their v and w forms
	Operations
)

// described is an operation's name and the algorithms that it has. All can be alone.
type described struct {
	name string
	by   []Algorithm
}

var operations = [Operations]described{
	Barrier: {"barrier", []Algorithm{Cells, NbcCells, Dissemination, OverNodes, Across}},
	Bcast: {"bcast", []Algorithm{Cells, Steps, SingleCopy, NbcCells, Binomial, Ring,
		Straight, OverNodes, Across}},
	Gather: {"gather", []Algorithm{Cells, Steps, SingleCopy, NbcCells, Binomial, Straight,
		OverNodes, Across}},
	Scatter: {"scatter", []Algorithm{Cells, Steps, SingleCopy, NbcCells, Binomial, Straight,
		OverNodes, Across}},
	Allgather: {"allgather", []Algorithm{Cells, Steps, SingleCopy, NbcCells, Doubling, Ring,
		Bruck, Straight, OverNodes, Across}},
	Alltoall: {"alltoall", []Algorithm{Cells, Steps, SingleCopy, NbcCells, Bruck, Pairwise,
		OverNodes, Across}},
	Reduce: {"reduce", []Algorithm{Cells, AtRoot, Steps, SingleCopy, NbcCells, Binomial,
		Halving, OverNodes, Across}},
	Allreduce: {"allreduce", []Algorithm{Cells, AtRoot, Steps, SingleCopy, NbcCells, Doubling,
		Halving, OverNodes, Rails, Across}},
	ReduceScatter: {"reduce_scatter", []Algorithm{Cells, Steps, NbcCells, Pairwise, OverNodes,
		Across}},
	Scan:     {"scan", []Algorithm{Cells, Steps, NbcCells, Doubling, Chain, OverNodes}},
	Exscan:   {"exscan", []Algorithm{Cells, Steps, NbcCells, Doubling, Chain, OverNodes}},
	Neighbor: {"neighbor", []Algorithm{NbcCells, Straight}},
}

// String is the name of the operation.
func (o Operation) String() string { return operations[o].name }

// Pinnable is the algorithms by which a user may have an operation go. Cells are those of blocking operations
// and of others; what nobody can choose is left out.
func (o Operation) Pinnable() []Algorithm {
	return slices.DeleteFunc(slices.Clone(operations[o].by), func(a Algorithm) bool {
		return a == Across || a == NbcCells && o != Neighbor
	})
}

// Pins are the algorithms that a user has chosen for operations; Alone for those that the library chooses.
type Pins [Operations]Algorithm

// readPins reads a list such as allreduce=halving,bcast=steps.
func readPins(v string) (p Pins, err error) {
	if v == "auto" {
		return p, nil
	}
	for pair := range strings.SplitSeq(v, ",") {
		name, by, _ := strings.Cut(strings.TrimSpace(pair), "=")
		o := slices.IndexFunc(operations[:], func(x described) bool { return x.name == name })
		if o < 0 {
			return p, fmt.Errorf("%q is no collective operation; these are: %s", name, operationNames())
		}
		can := Operation(o).Pinnable()
		a := slices.IndexFunc(can, func(a Algorithm) bool { return a.String() == by })
		if a < 0 {
			return p, fmt.Errorf("%q is no algorithm of %s; these are: %s", by, name, join(can))
		}
		p[o] = can[a]
	}
	return p, nil
}

// String is the list that readPins reads, "auto" when it is empty.
func (p *Pins) String() string {
	var list []string
	for o, a := range p {
		if a != Alone {
			list = append(list, Operation(o).String()+"="+a.String())
		}
	}
	if list == nil {
		return "auto"
	}
	return strings.Join(list, ",")
}

func operationNames() string {
	var names []string
	for o := range Operations {
		names = append(names, o.String())
	}
	return strings.Join(names, ", ")
}

func join(list []Algorithm) string {
	var names []string
	for _, a := range list {
		names = append(names, a.String())
	}
	return strings.Join(names, ", ")
}

// collected is the pairs of an operation and an algorithm that there are: how many, and the index of each in
// Collectives.
const collected = 99

var indices = func() (at [Operations][Algorithms]uint8) {
	n := uint8(0)
	for o := range Operations {
		at[o][Alone] = n
		n++
		for _, a := range operations[o].by {
			at[o][a] = n
			n++
		}
	}
	return at
}()

// Collectives are how many operations have gone by each algorithm, by operation.
type Collectives [collected]uint64

// GoesBy reports whether an operation has an algorithm.
func (o Operation) GoesBy(a Algorithm) bool {
	return a == Alone || slices.Contains(operations[o].by, a)
}

// At is the count of an operation by an algorithm that it has.
func (c *Collectives) At(o Operation, a Algorithm) *uint64 { return &c[indices[o][a]] }

// By is how many operations have gone by an algorithm.
func (c *Collectives) By(a Algorithm) (n uint64) {
	for o := range Operations {
		if o.GoesBy(a) {
			n += *c.At(o, a)
		}
	}
	return n
}

// Add adds what others come to.
func (c *Collectives) Add(other *Collectives) {
	for w := range c {
		c[w] += other[w]
	}
}

// collectives lists the performance variables of collective operations: of the whole process and, bound to
// it, of a communicator; all together, by algorithm, and by operation and algorithm.
func collectives() []Performance {
	var list []Performance
	for _, of := range []struct {
		prefix, tail string
		bind         Bind
	}{{"", "", NoObject}, {"comm_", " of the communicator", BindComm}} {
		add := func(name, what string, read func(c *Counters) uint64) {
			list = append(list, Performance{of.prefix + name, what, "coll", of.bind, Counter, Unsigned, read})
		}
		add("collectives", "collective operations"+of.tail,
			func(c *Counters) uint64 { return sum(c.Collectives[:]) })
		for a := range Algorithms {
			add("collectives_"+a.String(), "collective operations"+of.tail+" that "+algorithms[a].help,
				func(c *Counters) uint64 { return c.Collectives.By(a) })
		}
		for o := range Operations {
			for _, a := range append([]Algorithm{Alone}, operations[o].by...) {
				add("collectives_"+o.String()+"_"+a.String(), o.String()+of.tail+": operations that "+algorithms[a].help,
					func(c *Counters) uint64 { return *c.Collectives.At(o, a) })
			}
		}
	}
	return list
}
