package collseg

import (
	"testing"

	"gompi/runtime/fast"
	"gompi/shm"
)

// nonblocking is the views that ranks have of the nonblocking segments of communicator cid, which they have
// entered.
func nonblocking(t *testing.T, all []*Node, cid int) []*Nbc {
	t.Helper()
	views := make([]*Nbc, len(all))
	for r, n := range all {
		if views[r] = n.NewNbc(cid, r, len(all), itself); views[r] == nil {
			t.Fatalf("no segment in coll block %d", cid)
		}
		views[r].Open(0)
	}
	return views
}

// put has a rank publish piece i of operation k, if there is room for it: full of a number of its own.
func put(b *Nbc, k, i uint64) bool {
	at := b.OwnPiece(k, i, 0, b.n, false)
	if at == fast.NoData {
		return false
	}
	for at, end := at, at+uintptr(b.size); at < end; at += 512 {
		*shm.Word64(at) = k<<16 | i
	}
	b.PublishPiece(k, i, 1<<20)
	return true
}

// finds reports whether piece i of what rank r publishes in operation k is that.
func finds(b *Nbc, r int, k, i uint64) bool {
	at := b.Piece(r, k, i)
	for j := uintptr(0); at != fast.NoData && j < uintptr(b.size); j += 512 {
		if *shm.Word64(at + j) != k<<16|i {
			return false
		}
	}
	total, are := b.PiecesOf(r, k)
	return at != fast.NoData && total == 1<<20 && are
}

// begin has all ranks begin the next operation.
func begin(all []*Nbc) (k uint64) {
	for _, b := range all {
		k = b.Number(b.Draw(1))
	}
	return k
}

// Pieces of operations that do not block stand in the same area as the steps of those that do, and neither
// waits for those who read the other.
func TestPiecesAmongSteps(t *testing.T) {
	all := nodes(t, 2)
	steps, pieces := communicator(t, all, 1), nonblocking(t, all, 1)
	steps[0].Begin()
	for k := range uint64(3) {
		if !fill(steps[0], k, 1000+k) {
			t.Fatalf("no room for step %d", k)
		}
	}
	for range 50 {
		k := begin(pieces)
		for i := range uint64(10) {
			if !put(pieces[0], k, i) || !pieces[1].Published(0, k) || !finds(pieces[1], 0, k, i) {
				t.Fatalf("piece %d of operation %d does not arrive", i, k)
			}
			pieces[1].SetRead(k, i+1)
		}
		for _, b := range pieces {
			b.End(k)
		}
	}
	steps[1].Begin()
	for k := range uint64(3) {
		if !holds(steps[1], 0, k, 1000+k) {
			t.Errorf("step %d has been written over", k)
		}
	}
}

// without is nonblocking segments of ranks that have not mapped the chunk areas.
func without(t *testing.T, ranks int) []*Nbc {
	all := nodes(t, ranks)
	for _, n := range all {
		*n.mapped(n.me), n.areas = 0, 0
	}
	communicator(t, all, 1)
	return nonblocking(t, all, 1)
}

// Where the areas are not mapped, pieces stand in chunks of the communicator's own, and those that do not fit
// there wait.
func TestPiecesWithoutArea(t *testing.T) {
	all := without(t, 3)
	k := begin(all)
	read := uint64(0)
	for i := range uint64(10 * shm.CollChunkCount) {
		if put(all[0], k, i) {
			if i >= read+shm.CollChunkCount {
				t.Fatalf("piece %d has room where the others have read %d", i, read)
			}
			continue
		}
		for r := 1; r < 3; r++ {
			if put(all[0], k, i) {
				t.Fatalf("piece %d has room before all have read", i)
			}
			if !finds(all[r], 0, k, read) {
				t.Errorf("piece %d has been written over", read)
			}
			all[r].SetRead(k, read+1)
		}
		if read++; !put(all[0], k, i) {
			t.Fatalf("there is no room for piece %d once others have read %d", i, read)
		}
	}
}

// Such chunks are for the oldest operation: one behind it, which others may have not begun yet, has none that
// it would wait for.
func TestPiecesInOrder(t *testing.T) {
	all := without(t, 2)
	k := begin(all)
	behind := begin(all)
	if put(all[0], behind, 0) {
		t.Error("an operation has room that the one before it may need")
	}
	if !put(all[0], k, 0) {
		t.Error("the oldest operation has no room")
	}
	for _, b := range all {
		b.End(k)
	}
	if !put(all[0], behind, 0) {
		t.Error("an operation has no room when the one before it has ended")
	}
}

// A rank that combines its own pieces with those of others has room when it has read them as well.
func TestPiecesReadByOwner(t *testing.T) {
	all := without(t, 2)
	k := begin(all)
	for i := range uint64(shm.CollChunkCount) {
		if all[0].OwnPiece(k, i, 0, 2, true) == fast.NoData {
			t.Fatalf("there is no room for piece %d", i)
		}
	}
	for _, r := range []int{1, 0} {
		if all[0].OwnPiece(k, shm.CollChunkCount, 0, 2, true) != fast.NoData {
			t.Errorf("a piece is written over that rank %d has not read", r)
		}
		all[r].SetRead(k, 1)
	}
	if all[0].OwnPiece(k, shm.CollChunkCount, 0, 2, true) == fast.NoData {
		t.Error("there is no room when both have read")
	}
}

// Data that is one piece stands in a wide chunk, which is written again when all have read it.
func TestWide(t *testing.T) {
	all := nodes(t, 2)
	communicator(t, all, 1)
	wide := nonblocking(t, all, 1)
	k := begin(wide)
	at := wide[0].OwnWide(k, WideSize)
	if at == fast.NoData {
		t.Fatal("there is no room")
	}
	*shm.Word64(at), *shm.Word64(at + WideSize - 8) = 3, 5
	wide[0].PublishPiece(k, 0, WideSize)
	got := wide[1].Wide(0, k, WideSize)
	if got == fast.NoData || *shm.Word64(got) != 3 || *shm.Word64(got + WideSize - 8) != 5 {
		t.Error("another rank does not find what was published")
	}
	behind := begin(wide)
	again := wide[0].OwnWide(behind, WideSize)
	if again != fast.NoData && again < at+WideSize && at < again+WideSize {
		t.Error("what nobody has read yet is written again")
	}
	*shm.Word64(wide[0].cell(0, k) + shm.PiecePlaces) = shm.ChunkAreaSize - 8
	if got := wide[1].Wide(0, k, WideSize); got != wide[1].Peer(0).Base+shm.NbcWide {
		t.Errorf("what is said to stand beyond the area is read at %#x", got)
	}
	for _, b := range wide {
		b.End(k)
	}
	if wide[0].OwnWide(behind, WideSize) == fast.NoData {
		t.Error("there is no room when all have read")
	}
}

// What another rank says of its pieces is read within its segment.
func TestPieceElsewhere(t *testing.T) {
	all := nodes(t, 2)
	communicator(t, all, 1)
	pieces := nonblocking(t, all, 1)
	k := begin(pieces)
	put(pieces[0], k, 0)
	const end = shm.ChunkAreaSize + shm.CollChunkCount*shm.CollChunkSize
	for _, where := range []uint64{1 << 63, shm.ChunkAreaSize - 8, end} {
		*shm.Word64(pieces[0].cell(0, k) + shm.PiecePlaces) = where
		at := pieces[1].Piece(0, k, 0)
		if base := pieces[1].Peer(0).Base; at < base || at+uintptr(pieces[1].size) > base+shm.NbcStride {
			t.Errorf("a piece at %x is read at %x, and the segment begins at %x", where, at, base)
		}
	}
	*shm.Word64(pieces[0].cell(0, k) + shm.PieceCount) = 1 << 40
	if pieces[1].Piece(0, k, shm.MostPieces) != fast.NoData {
		t.Error("a piece is read that cannot be there")
	}
	pieces[0].Cell(0, k).Length = 8
	if _, are := pieces[1].PiecesOf(0, k); are {
		t.Error("what is no piece is taken for one")
	}
}
