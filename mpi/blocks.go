package mpi

import (
	"slices"
	"strings"
	"sync"

	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// Buffers of blocks that differ in size (the v and w forms of collective operations).

// blockRoom is memory for the counts of one buffer. It is used again and again: what a collective operation
// is told may stay with it, so that this cannot be on the stack.
type blockRoom struct {
	counts, displs []int64
	types          []*datatype.Type
}

var blockRooms = sync.Pool{New: func() any { return new(blockRoom) }}

// blockRoom is such memory until the end of the call.
func (a *Args) blockRoom() *blockRoom {
	r := blockRooms.Get().(*blockRoom)
	if a.rooms[0] == nil {
		a.rooms[0] = r
	} else {
		a.rooms[1] = r
	}
	return r
}

// giveBack ends that.
func (a *Args) giveBack() {
	for _, r := range a.rooms {
		if r != nil {
			clear(r.types)
			blockRooms.Put(r)
		}
	}
}

// grown is room for n elements whose values have no meaning.
func grown[T any](room *[]T, n int) []T {
	*room = slices.Grow((*room)[:0], n)[:n]
	return *room
}

// fields are the up to four names that spaces separate in names, without memory for the list.
func fields(names string) (name [4]string) {
	for i := range name {
		name[i], names, _ = strings.Cut(names, " ")
	}
	return name
}

// NoBlocks stands for blocks that are significant at the root only.
var NoBlocks = partition.Even(NoBuffer)

// fill reads n numbers into room.
func (a IntArray) fill(room *[]int64, n int) []int64 {
	all := grown(room, n)
	for i := range all {
		all[i] = a.at(i)
	}
	return all
}

// fillCounts reads the counts of n blocks.
func (a *Args) fillCounts(room *[]int64, name string, counts IntArray, n int) []int64 {
	a.Array(name, counts.Addr, int64(n), IntSize(counts.Wide))
	if a.Err != nil {
		return nil
	}
	a.tried = name
	all := counts.fill(room, n)
	a.tried = ""
	for i, v := range all {
		if v < 0 {
			a.wrong(mpierr.ErrCount, "%s[%d] is %d, must not be negative", name, i, v)
		}
	}
	return all
}

// Blocks checks n blocks of one datatype. names are those of the four parameters, with spaces between.
func (a *Args) Blocks(names string, addr uintptr, counts, displs IntArray, handle uintptr, n int,
	written bool) partition.Blocks {
	name, room := fields(names), a.blockRoom()
	t := lookupType(handle)
	b := partition.Blocks{Buffer: datatype.Buffer{Addr: addr, Type: t}}
	if a.fillBlocks(&b, room, name, counts, displs, n); a.Err != nil {
		return b
	}
	if t == nil || !t.Committed() {
		b.Type = a.oddType(&b, name, handle)
	}
	a.tryBlocks(&b, name, n, written)
	return b
}

// oddType is the type for blocks of a datatype that does not exist or has not been committed: as for one
// buffer, MPI_DATATYPE_NULL is one only if nothing is sent or received.
func (a *Args) oddType(b *partition.Blocks, name [4]string, handle uintptr) *datatype.Type {
	whole := datatype.Buffer{Type: b.Type}
	for _, n := range b.Counts {
		whole.Count = max(whole.Count, n)
	}
	a.oddBuffer(name[0]+" "+name[1]+" "+name[3], whole, handle)
	return NoBuffer.Type
}

// TypedBlocks checks n blocks of a datatype each.
func (a *Args) TypedBlocks(names string, addr uintptr, counts, displs IntArray, types TypeArray, n int,
	written bool) partition.Blocks {
	name, room := fields(names), a.blockRoom()
	a.Array(name[3], uintptr(types), int64(n), handleSize)
	b := partition.Blocks{Buffer: datatype.Buffer{Addr: addr, Type: NoBuffer.Type}}
	a.fillBlocks(&b, room, name, counts, displs, n)
	if a.Err != nil {
		return b
	}
	b.Types = grown(&room.types, n)
	a.tried = name[3]
	for i := range b.Types {
		h := types.at(i)
		t := lookupType(h)
		switch {
		case t == nil && b.Counts[i] == 0:
			t = NoBuffer.Type // nothing to send or receive needs no type
		case h == TypeNull:
			a.wrong(mpierr.ErrType, "%s[%d] is MPI_DATATYPE_NULL", name[3], i)
			return b
		case t == nil:
			a.wrong(mpierr.ErrType, "%s[%d]: handle %#x is not a datatype, or it has been freed", name[3], i, h)
			return b
		case !t.Committed():
			a.wrong(mpierr.ErrType, "%s[%d] is %s that has not been committed", name[3], i, t.Name())
		}
		b.Types[i] = t
	}
	a.tried = ""
	a.tryBlocks(&b, name, n, written)
	return b
}

func (a *Args) fillBlocks(b *partition.Blocks, room *blockRoom, name [4]string, counts, displs IntArray,
	n int) {
	a.Array(name[2], displs.Addr, int64(n), IntSize(displs.Wide))
	if b.Counts = a.fillCounts(&room.counts, name[1], counts, n); a.Err == nil {
		a.tried = name[2]
		b.Displs = displs.fill(&room.displs, n)
		a.tried = ""
	}
}

// tryBlocks touches the memory of all blocks, as buffer and target do.
func (a *Args) tryBlocks(b *partition.Blocks, name [4]string, n int, written bool) {
	buffer := name[0] + " " // as the names of a buffer are passed
	for i := 0; i < n && a.Err == nil; i++ {
		x := b.Of(i)
		first, size := x.Span()
		switch {
		case x.TooLarge():
			a.wrong(mpierr.ErrCount, "%s[%d] is %d: as many elements of %s are more than any memory", name[1], i, x.Count, x.Type.Name())
		case size == 0:
		case b.Addr == datatype.InPlace:
			a.wrong(mpierr.ErrBuffer, "%s is MPI_IN_PLACE, which is not allowed here or not at this rank", name[0])
		case b.Addr == 0 && int64(x.Addr)+first < lowest:
			a.wrong(mpierr.ErrBuffer, "%s is NULL, but %s[%d] is %d", name[0], name[1], i, x.Count)
		case written:
			a.writable(buffer, x.Addr+uintptr(first))
		default:
			a.readable(buffer, x.Addr+uintptr(first))
			a.readable(buffer, x.Addr+uintptr(first+size)-1)
		}
	}
	if a.noted != nil && a.Err == nil {
		a.usesBlocks(name[0], b, n, written)
	}
}

// InPlace is MPI_IN_PLACE.
const InPlace = datatype.InPlace

// InPlaceBlocks stands for blocks that are MPI_IN_PLACE.
func (a *Args) InPlaceBlocks() partition.Blocks {
	if a.noted != nil {
		a.noted.inPlace = true
	}
	return partition.Even(datatype.Buffer{Addr: InPlace, Type: NoBuffer.Type})
}

// RecvCounts reads the counts of a reduction that scatters its result over n ranks.
func (a *Args) RecvCounts(name string, counts IntArray, n int) []int64 {
	return a.fillCounts(&a.blockRoom().counts, name, counts, n)
}

// Shares are the elements of all ranks, and those of recvbuf, in a reduction whose outcome is divided. With
// MPI_IN_PLACE the receive buffer holds the input, so it has all of them.
func Shares(counts []int64, sendbuf uintptr, c *comm.Comm) (all, own int64) {
	for _, n := range counts {
		all += n
	}
	if sendbuf == InPlace {
		return all, all
	}
	if c.Rank() < len(counts) {
		own = counts[c.Rank()]
	}
	return all, own
}
