// Package group is the group: an ordered set of processes, each named by its rank in the job (MPI 5.0, 7.2
// and 7.3). It knows nothing of communication.
//
// Groups whose processes follow each other at a fixed distance, as do those of MPI_COMM_WORLD and of its
// halves and rows, need no memory per process.
package group

import (
	"slices"
	"sync"
)

// Undefined is MPI_UNDEFINED with the value of the standard ABI: the rank of a process in a group that it is
// not in.
const Undefined = -32766

// Group is an ordered set of processes. It never changes.
type Group struct {
	size         int
	base, stride int     // job rank of rank r is base + stride*r, if table is nil
	table        []int32 // job ranks
	session      uint32  // number of the session that it comes from, 0 when it comes from none

	index   sync.Once
	inverse map[int32]int32 // rank by job rank; made when first needed, for tables only
}

// Range is the group of size processes with job ranks base, base+stride, ...
func Range(base, stride, size int) *Group {
	return &Group{size: size, base: base, stride: stride}
}

// New is the group with these job ranks, which must differ. The caller gives the slice away.
func New(table []int32) *Group {
	if g, ok := evenly(len(table), func(r int) int { return int(table[r]) }); ok {
		return g
	}
	return &Group{size: len(table), table: table}
}

// FromForm is the group that has a form (Form). The caller gives the table away.
func FromForm(size, base, stride int, table []int32) *Group {
	return &Group{size: size, base: base, stride: stride, table: table}
}

// evenly is the group of size processes with these job ranks, if they follow each other at a fixed distance.
func evenly(size int, job func(rank int) int) (*Group, bool) {
	base, stride := 0, 1
	for r := range size {
		switch j := job(r); {
		case r == 0:
			base = j
		case r == 1:
			stride = j - base
		case j != base+r*stride:
			return nil, false
		}
	}
	return Range(base, stride, size), true
}

// From is g as a group that comes from a session, by its number, as do all groups that are made from it (MPI
// 5.0, 11.3).
func (g *Group) From(session uint32) *Group {
	if g.session == session {
		return g
	}
	return &Group{size: g.size, base: g.base, stride: g.stride, table: g.table, session: session}
}

// Session is the number of the session that the group comes from, 0 when it comes from none.
func (g *Group) Session() uint32 { return g.session }

// Size is the number of processes.
func (g *Group) Size() int { return g.size }

// Of is the job rank of the process with the given rank, which must be in range.
func (g *Group) Of(rank int) int {
	if g.table != nil {
		return int(g.table[rank])
	}
	return g.base + g.stride*rank
}

// Rank is the rank of the process with the given job rank, Undefined when it is not in the group.
func (g *Group) Rank(job int) int {
	if g.table == nil {
		d := job - g.base
		if d == 0 && g.size > 0 {
			return 0
		}
		if g.stride == 0 || d%g.stride != 0 || d/g.stride < 0 || d/g.stride >= g.size {
			return Undefined
		}
		return d / g.stride
	}
	g.index.Do(func() {
		g.inverse = make(map[int32]int32, g.size)
		for r, j := range g.table {
			g.inverse[j] = int32(r)
		}
	})
	if r, ok := g.inverse[int32(job)]; ok {
		return int(r)
	}
	return Undefined
}

// Form is how the job ranks are found: by the table, or as base + stride*rank where the table is nil. The
// table must not be changed.
func (g *Group) Form() (base, stride int, table []int32) { return g.base, g.stride, g.table }

// Is reports whether the group consists of the processes with these job ranks, in this order.
func (g *Group) Is(table []int32) bool {
	if len(table) != g.size {
		return false
	}
	for r, job := range table {
		if g.Of(r) != int(job) {
			return false
		}
	}
	return true
}

// Table lists the job ranks, in a slice of the caller's own.
func (g *Group) Table() []int32 {
	if g.table != nil {
		return slices.Clone(g.table)
	}
	t := make([]int32, g.size)
	for r := range t {
		t[r] = int32(g.Of(r))
	}
	return t
}

// Similarity is what comparing two groups finds (MPI 5.0, 7.3.1).
type Similarity uint8

// What comparing finds.
const (
	Identical Similarity = iota // same processes, same order
	Similar                     // same processes, different order
	Unequal
)

// Compare tells how alike two groups are (MPI_Group_compare).
func Compare(a, b *Group) Similarity {
	if a == b {
		return Identical
	}
	if a.size != b.size {
		return Unequal
	}
	if a.table == nil && b.table == nil && a.base == b.base && (a.stride == b.stride || a.size < 2) {
		return Identical
	}
	same := true
	for r := range a.size {
		switch b.Rank(a.Of(r)) {
		case r:
		case Undefined:
			return Unequal
		default:
			same = false
		}
	}
	if same {
		return Identical
	}
	return Similar
}
