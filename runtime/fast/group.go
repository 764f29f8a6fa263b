package fast

import "sync/atomic"

// Group is the record of a group. It is written when the group gets its handle. Refs alone changes later.
type Group struct {
	Record
	Refs         uint32 // the program's references, and keptGroup
	Size         uint32
	Rank         int32  // own rank; Undefined where this process is no member
	Base, Stride int32  // number of the process with rank r, unless there is a row: Base + Stride*r
	Row          *int32 // numbers of all processes
	Session      uint32 // number of the session that it comes from, 0 when it comes from none
}

// What comparing groups or communicators finds (MPI 5.0, 20.3).
const (
	Ident     int32 = 201
	Congruent int32 = 202
	Similar   int32 = 203
	Unequal   int32 = 204
)

// mostSearched bounds how many numbers of processes are compared here in one call. Package group has an index
// of those of large groups.
const mostSearched = 256

// keptGroup is the bit of Group.Refs of a communicator or a window that hands the group out. Its handle is
// the same each time. It names nothing while the program has freed all its references.
const keptGroup uint32 = 1 << 31

// groupAt is the record of a group, which the program may have freed; nil when there is none.
func (o *Objects) groupAt(handle uintptr) *Group {
	chunk := o.Groups[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	g := groupOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&g.Handle) != handle {
		return nil
	}
	return g
}

// group is the record of a group; nil when there is none.
func (o *Objects) group(handle uintptr) *Group {
	g := o.groupAt(handle)
	if g == nil || atomic.LoadUint32(&g.Refs)&^keptGroup == 0 {
		return nil
	}
	return g
}

// handOut gives the program one more reference to the group that an object keeps.
func (o *Objects) handOut(kept, group uintptr) bool {
	if kept == 0 || group < Lowest {
		return false
	}
	g := o.groupAt(kept)
	if g == nil {
		return false
	}
	atomic.AddUint32(&g.Refs, 1)
	*wordAt(group) = kept
	return true
}

// CommGroup is MPI_Comm_group (MPI 5.0, 7.3.2) of a communicator whose group has been asked for before.
func CommGroup(e *Endpoint, comm, group uintptr) bool {
	c := e.known(comm)
	return c != nil && e.handOut(atomic.LoadUintptr(&c.Group), group)
}

// WinGetGroup is MPI_Win_get_group (MPI 5.0, 12.2.7), likewise.
func WinGetGroup(e *Endpoint, win, group uintptr) bool {
	w := e.win(win)
	return w != nil && e.handOut(atomic.LoadUintptr(&w.Group), group)
}

// process is the number of the process with a rank, which is one.
func (g *Group) process(rank int32) int32 {
	if g.Row != nil {
		return *intAt(g.Row, rank)
	}
	return g.Base + g.Stride*rank
}

// rankOf is the rank of the process with that number.
func (g *Group) rankOf(process int32) int32 {
	if g.Row != nil {
		for r := int32(0); r < int32(g.Size); r++ {
			if *intAt(g.Row, r) == process {
				return r
			}
		}
		return Undefined
	}
	d := process - g.Base
	if d == 0 && g.Size > 0 {
		return 0
	}
	if g.Stride == 0 || d%g.Stride != 0 {
		return Undefined
	}
	r := d / g.Stride
	if r < 0 || r >= int32(g.Size) {
		return Undefined
	}
	return r
}

// GroupSize is MPI_Group_size (MPI 5.0, 7.3.1).
func GroupSize(e *Endpoint, group uintptr, size *int32) bool {
	g := e.group(group)
	if g == nil || nowhere(size) {
		return false
	}
	*size = int32(g.Size)
	return true
}

// GroupRank is MPI_Group_rank (MPI 5.0, 7.3.1).
func GroupRank(e *Endpoint, group uintptr, rank *int32) bool {
	g := e.group(group)
	if g == nil || nowhere(rank) {
		return false
	}
	*rank = g.Rank
	return true
}

// GroupCompare is MPI_Group_compare (MPI 5.0, 7.3.1) of what is the same, or has another size.
func GroupCompare(e *Endpoint, group1, group2 uintptr, result *int32) bool {
	a := e.group(group1)
	b := e.group(group2)
	if a == nil || b == nil || nowhere(result) {
		return false
	}
	if a.Size != b.Size {
		*result = Unequal
		return true
	}
	if a != b {
		if a.Size > mostSearched {
			return false
		}
		for r := int32(0); r < int32(a.Size); r++ {
			p := a.process(r)
			if p != b.process(r) {
				return false
			}
		}
	}
	*result = Ident
	return true
}

// GroupTranslateRanks is MPI_Group_translate_ranks (MPI 5.0, 7.3.1).
func GroupTranslateRanks(e *Endpoint, group1 uintptr, n int32, ranks1 *int32, group2 uintptr,
	ranks2 *int32) bool {
	a := e.group(group1)
	b := e.group(group2)
	if a == nil || b == nil || n < 0 || n > 0 && (nowhere(ranks1) || nowhere(ranks2)) ||
		b.Row != nil && uint64(n)*uint64(b.Size) > mostSearched {
		return false
	}
	for i := int32(0); i < n; i++ {
		r := *intAt(ranks1, i)
		if uint32(r) >= a.Size && r != ProcNull {
			return false
		}
	}
	for i := int32(0); i < n; i++ {
		r := *intAt(ranks1, i)
		if r != ProcNull {
			p := a.process(r)
			r = b.rankOf(p)
		}
		*intAt(ranks2, i) = r
	}
	return true
}

// GroupFree is MPI_Group_free (MPI 5.0, 7.3.3).
func GroupFree(e *Endpoint, group uintptr) bool {
	if group < Lowest {
		return false
	}
	h := *wordAt(group)
	g := e.group(h)
	if g == nil || h == groupEmpty {
		return false
	}
	refs := atomic.LoadUint32(&g.Refs)
	if refs == 1 {
		if !g.end(h) {
			return false
		}
		if g.isLone() {
			e.arena.putPiece(addressOf(g.Row), uint64(g.Size)*4)
		}
		e.retire(KindGroup, &g.Record, h)
	} else if refs == keptGroup || !atomic.CompareAndSwapUint32(&g.Refs, refs, refs-1) {
		return false
	}
	if refs&^keptGroup == 1 {
		e.FreedGroup()
	}
	*wordAt(group) = groupNull
	return true
}
