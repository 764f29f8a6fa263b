package fast

import (
	"testing"

	"pgregory.net/rapid"

	"gompi/shm"
)

// newColl makes the endpoint of rank 1 of 2, which knows a coll segment and one for nonblocking operations,
// and the views that rank 0 has of them.
func newColl(t *rapid.T) (*shm.Segment, *Endpoint, *CellRing, *CellRing) {
	s, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	descriptions, err := NewRings(4, 2)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(s, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	e.Open, e.Sizes[1], e.Reductions[1][1] = Opened, 1, ElementUint8
	block, err := s.MapFirst()
	if err != nil {
		t.Fatal(err)
	}
	var colls, nbcs [2]*CellRing
	for me := range 2 {
		colls[me], nbcs[me] = descriptions.Coll(2*me, me, 2), descriptions.Nbc(2*me+1, me, 2)
		for r := range 2 {
			bell := shm.BellOf(s, r).Word()
			*colls[me].Peer(uint32(r)) = CollPeer{block + shm.CollOffset(r), bell}
			*nbcs[me].Peer(uint32(r)) = CollPeer{block + shm.NbcOffset(2, r), bell}
		}
	}
	for p := range Patterns {
		colls[1].Most[p], nbcs[1].Most[p] = 1<<16, MaxNbcData
		if p >= Reduction {
			colls[1].Most[p], nbcs[1].Most[p] = 1<<13, 1<<13
		}
	}
	addComm(t, e, Comm{Handle: 1, Rank: 1, Size: 2, Targets: 2, Stride: 1})
	e.AddCollRing(1, colls[1])
	e.AddNbcRing(1, nbcs[1])
	nbcs[1].SetNeighbors(e, []int32{0, -1, 0}, []int32{0, 0}, false, MaxNbcData)
	return s, e, colls[0], nbcs[0]
}

// words are numbers at which bounds break.
func words(bound uint64) *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 2*bound),
		rapid.SampledFrom([]uint64{0, 1, bound - 1, bound, bound + 1, 1 << 31, 1<<32 - 1, 1 << 60,
			1 << 61, 1 << 62, 1 << 63, 1<<64 - 1, 1<<63 | bound}))
}

// What another rank has published is never read outside of its segment, whatever it says there: the operation
// is left to package coll, which reports it, or takes as much as this rank expects.
func TestBlocksOfATableAreWithinIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint32Range(1, 8).Draw(t, "entries")
		length := uint32(words(256).Draw(t, "length"))
		table := make([]byte, 64)
		for i := range n {
			*EntryAt(shm.Address(table), i) = uint32(words(uint64(length)).Draw(t, "end"))
		}
		i := rapid.Uint32Range(0, 8).Draw(t, "which")
		offset, size := BlockIn(shm.Address(table), length, n, i)
		if size < TableMessage && (uint64(offset)+uint64(size) > uint64(length) || offset < n*TableEntry ||
			i >= n) {
			t.Fatalf("block %d of %d at %d, %d bytes, in %d", i, n, offset, size, length)
		}
	})
}

func TestDataIsWithinTheSegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, e, coll, _ := newColl(t)
		defer s.Close()
		mine := e.known(1).Coll
		c := coll.Cell(0, 1)
		c.Number, c.Length, c.Data[0] = 1, words(shm.CollPayloadSize).Draw(t,
			"length"), words(shm.CollPayloadSize).Draw(t, "where")
		said := mine.Said(0, 1)
		at, n := mine.Data(0, 1, said), uintptr(said&shm.CellBytes)
		base := mine.Peer(0).Base
		inCell := at == c.data() && n <= shm.CellInline
		inPayload := at >= base+shm.CollPayload && at+n <= base+shm.CollPayload+shm.CollPayloadSize &&
			at+n >= at
		if at != NoData && !inCell && !inPayload {
			t.Fatalf("length %#x, where %#x: %d bytes at %#x of the segment", c.Length, c.Data[0], n, at-base)
		}
	})
}

// The calls of one rank find garbage in the cells of the other one. They end, and write nothing outside of
// the buffer.
func TestGarbageInCells(t *testing.T) {
	const room = 64
	rapid.Check(t, func(t *rapid.T) {
		s, e, coll, nbc := newColl(t)
		defer s.Close()
		c, x := coll.Cell(0, 1), nbc.Cell(0, 1)
		c.Number, c.Length, c.Data[0] = 1, words(room).Draw(t, "length"), words(shm.CollPayloadSize).Draw(t, "where")
		x.Number, x.Length = 1, words(room).Draw(t, "bytes")
		for i := range uint32(8) {
			*EntryAt(x.data(), i) = uint32(words(room).Draw(t, "end"))
		}
		mem := make([]byte, 3*room)
		to, from := shm.Address(mem)+room, shm.Address(make([]byte, 2*room))
		n := rapid.Int32Range(0, room/2).Draw(t, "n")
		counts, displs, request := []int32{n, n, n}, []int32{0, n, n}, make([]byte, 8)
		const kind, op, comm = FirstType + 1, FirstOp + 1, 1
		e.SetKernel(func(_ uintptr, _ uint32, out, a, b uintptr, n uint32) { shm.Copy(out, a, int64(n)) })
		forms := []uintptr{Blocking, shm.Address(request)}
		form := rapid.SampledFrom(forms).Draw(t, "request")
		switch rapid.IntRange(0, 8).Draw(t, "operation") {
		case 0:
			Bcast(e, to, n, kind, 0, comm, form)
		case 1:
			Allgather(e, from, n, kind, to, n, kind, comm, form)
		case 2:
			Scatter(e, 0, 0, 0, to, n, kind, 0, comm, form)
		case 3:
			Scatterv(e, 0, nil, nil, 0, to, n, kind, 0, comm, form)
		case 4:
			Alltoallv(e, from, &counts[0], &displs[0], kind, to, &counts[0], &displs[0], kind, comm, form)
		case 5:
			Allreduce(e, from, to, n, kind, op, comm, form)
		case 6:
			NeighborAllgather(e, from, n, kind, to, n/2, kind, comm, form)
		case 7:
			NeighborAlltoall(e, from, n, kind, to, n/2, kind, comm, form)
		case 8:
			NeighborAlltoallv(e, from, &counts[0], &displs[0], kind, to, &counts[0], &displs[0], kind, comm,
				form)
		}
		for i, b := range mem {
			if b != 0 && (i < room || i >= 2*room) {
				t.Fatalf("byte %d was written", i-room)
			}
		}
	})
}
