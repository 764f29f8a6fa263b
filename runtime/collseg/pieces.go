package collseg

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Pieces are how long data goes in an operation that does not block. They stand in chunks (chunks.go). In its
// cell of the operation a rank says of how many bytes the data is, how many pieces it has published so far,
// and where they are. In a word of its own it counts the pieces that it has read.

// OwnPiece is where piece i of this rank's data is to stand in operation k, of which the ranks from first up
// to, not including, end read it, this one if too; fast.NoData when there is no room before they have read
// more. The operation has its cell.
//
// Chunks of the communicator's own are for the oldest operation alone, which does not wait for those behind
// it.
func (b *Nbc) OwnPiece(k, i uint64, first, end int, too bool) uintptr {
	where, ok := b.place(held{by: &b.chunks, number: k, pieces: i + 1, first: first, end: end, too: too})
	if !ok {
		return fast.NoData
	}
	*shm.Word64(b.cell(b.me, k) + shm.PiecePlaces + 8*uintptr(i)) = where
	return b.chunk(b.me, where)
}

// cell is where rank r's cell of operation k begins.
func (b *Nbc) cell(r int, k uint64) uintptr {
	return b.Data(uint32(r), k, 0) - shm.CellData
}

// PublishPiece publishes piece i of this rank's data, which is of total bytes. Pairs with Piece.
func (b *Nbc) PublishPiece(k, i uint64, total int64) {
	shm.StoreRel64(shm.Word64(b.cell(b.me, k)+shm.PieceCount), i+1)
	if i == 0 {
		b.Cell(b.Me, k).Length = uint64(total) | shm.CellPipelined
		b.Publish(k)
	}
}

// PiecesOf is the size in bytes of what rank r has published in operation k, and whether it is published in
// pieces.
func (b *Nbc) PiecesOf(r int, k uint64) (total int64, are bool) {
	said := b.Said(uint32(r), k)
	total = int64(said & shm.CellBytes)
	return total, said == uint64(total)|shm.CellPipelined
}

// Piece is where piece i of what rank r publishes in operation k in pieces stands; fast.NoData when it has
// not been published yet.
func (b *Nbc) Piece(r int, k, i uint64) uintptr {
	cell := b.cell(r, k)
	if i >= min(atomic.LoadUint64(shm.Word64(cell+shm.PieceCount)), shm.MostPieces) {
		return fast.NoData
	}
	return b.chunk(r, *shm.Word64(cell + shm.PiecePlaces + 8*uintptr(i)))
}

// SetRead says that this rank has read so many pieces of each rank that it reads in operation k. Pairs with
// held.over.
func (b *Nbc) SetRead(k, pieces uint64) {
	shm.StoreRel64(b.reads(b.Me, k), k<<shm.NbcReadShift|pieces)
	b.WakeBlocked()
}

// reads is how many pieces rank r has read in operation k, or in one that had its cell before.
func (c *chunks) reads(r uint32, k uint64) *uint64 {
	return shm.Word64(c.ring.Peer(r).Base + shm.NbcReads + 8*uintptr(k%shm.NbcCellCount))
}
