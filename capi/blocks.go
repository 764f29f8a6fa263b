package main

import (
	"slices"
	"strings"
	"sync"

	"gompi/runtime/coll"
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
func (a *args) blockRoom() *blockRoom {
	r := blockRooms.Get().(*blockRoom)
	if a.rooms[0] == nil {
		a.rooms[0] = r
	} else {
		a.rooms[1] = r
	}
	return r
}

// giveBack ends that.
func (a *args) giveBack() {
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

// noBlocks stands for blocks that are significant at the root only.
var noBlocks = coll.Even(noBuffer)

// fill reads n numbers into room.
func (a intArray) fill(room *[]int64, n int) []int64 {
	all := grown(room, n)
	for i := range all {
		all[i] = a.at(i)
	}
	return all
}

// fillCounts reads the counts of n blocks.
func (a *args) fillCounts(room *[]int64, name string, counts intArray, n int) []int64 {
	a.array(name, counts.addr, int64(n), intSize(counts.wide))
	if a.err != nil {
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

// blocks checks n blocks of one datatype. names are those of the four parameters, with spaces between.
func (a *args) blocks(names string, addr uintptr, counts, displs intArray, handle uintptr, n int,
	written bool) coll.Blocks {
	name, room := fields(names), a.blockRoom()
	t := lookupType(handle)
	if t == nil || !t.Committed() {
		a.oddBuffer(name[0]+" "+name[1]+" "+name[3], datatype.Buffer{Addr: addr, Type: t}, handle)
		return noBlocks
	}
	b := coll.Blocks{Buffer: datatype.Buffer{Addr: addr, Type: t}}
	a.fillBlocks(&b, room, name, counts, displs, n)
	a.tryBlocks(&b, name, n, written)
	return b
}

// typedBlocks checks n blocks of a datatype each.
func (a *args) typedBlocks(names string, addr uintptr, counts, displs intArray, types typeArray, n int,
	written bool) coll.Blocks {
	name, room := fields(names), a.blockRoom()
	a.array(name[3], uintptr(types), int64(n), handleSize)
	b := coll.Blocks{Buffer: datatype.Buffer{Addr: addr, Type: noBuffer.Type}}
	a.fillBlocks(&b, room, name, counts, displs, n)
	if a.err != nil {
		return b
	}
	b.Types = grown(&room.types, n)
	a.tried = name[3]
	for i := range b.Types {
		h := types.at(i)
		t := lookupType(h)
		switch {
		case t == nil && b.Counts[i] == 0:
			t = noBuffer.Type // nothing to send or receive needs no type
		case h == typeNull:
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

func (a *args) fillBlocks(b *coll.Blocks, room *blockRoom, name [4]string, counts, displs intArray, n int) {
	a.array(name[2], displs.addr, int64(n), intSize(displs.wide))
	if b.Counts = a.fillCounts(&room.counts, name[1], counts, n); a.err == nil {
		a.tried = name[2]
		b.Displs = displs.fill(&room.displs, n)
		a.tried = ""
	}
}

// tryBlocks touches the memory of all blocks, as buffer and target do.
func (a *args) tryBlocks(b *coll.Blocks, name [4]string, n int, written bool) {
	buffer := name[0] + " " // as the names of a buffer are passed
	for i := 0; i < n && a.err == nil; i++ {
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
}

// inPlace is MPI_IN_PLACE.
const inPlace = datatype.InPlace

// inPlaceBlocks stands for blocks that are MPI_IN_PLACE.
var inPlaceBlocks = coll.Even(datatype.Buffer{Addr: inPlace, Type: noBuffer.Type})

// shares are the elements of all ranks and of this one in a reduction whose outcome is divided.
func shares(counts []int64, c *comm.Comm) (all, own int64) {
	for _, n := range counts {
		all += n
	}
	if c.Rank() < len(counts) {
		own = counts[c.Rank()]
	}
	return all, own
}
