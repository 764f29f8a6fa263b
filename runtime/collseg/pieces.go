package collseg

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Pieces are how long data goes in an operation that does not block. They stand in chunks (chunks.go). In its
// cell of the operation a rank says of how many bytes the data is, how many pieces it has published so far,
// and where they are. In a word of its own it counts the pieces that it has read. Data of which each rank
// reads another part is one piece, in a wide chunk.

// WideSize is how many bytes of data that is one piece there are at most.
const WideSize = shm.CollWideSize

// OwnPiece is where piece i of this rank's data is to stand in operation k, of which the ranks from first up
// to, not including, end read it, this one if too; fast.NoData when there is no room before they have read
// more. The operation has its cell.
//
// Chunks of the communicator's own are for the oldest operation alone, which does not wait for those behind
// it.
func (b *Nbc) OwnPiece(k, i uint64, first, end int, too bool) uintptr {
	return b.ownIn(&b.chunks, held{number: k, pieces: i + 1, bytes: b.size, first: first, end: end, too: too})
}

// OwnWide is where the only piece of this rank's data of n bytes is to stand in operation k, which all others
// read; otherwise it is as OwnPiece.
func (b *Nbc) OwnWide(k uint64, n int64) uintptr {
	return b.ownIn(&b.wide, held{number: k, pieces: 1, bytes: n, end: b.n})
}

func (b *Nbc) ownIn(c *chunks, h held) uintptr {
	h.by = c
	where, ok := c.place(h)
	if !ok {
		return fast.NoData
	}
	*shm.Word64(b.cell(b.me, h.number) + shm.PiecePlaces + 8*uintptr(h.pieces-1)) = where
	return c.chunk(b.me, where, h.bytes)
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
func (b *Nbc) Piece(r int, k, i uint64) uintptr { return b.pieceIn(&b.chunks, r, k, i, b.size) }

// Wide is where the only piece of what rank r publishes in operation k stands, of n bytes; fast.NoData where
// these are too many.
func (b *Nbc) Wide(r int, k uint64, n int64) uintptr {
	if n > WideSize {
		return fast.NoData
	}
	return b.pieceIn(&b.wide, r, k, 0, n)
}

func (b *Nbc) pieceIn(c *chunks, r int, k, i uint64, n int64) uintptr {
	cell := b.cell(r, k)
	if i >= min(atomic.LoadUint64(shm.Word64(cell+shm.PieceCount)), shm.MostPieces) {
		return fast.NoData
	}
	return c.chunk(r, *shm.Word64(cell + shm.PiecePlaces + 8*uintptr(i)), n)
}

// SetRead says that this rank has read so many pieces of each rank that it reads in operation k. Pairs with
// held.over.
func (b *Nbc) SetRead(k, pieces uint64) {
	shm.StoreRel64(b.reads(b.Me, k), k<<shm.NbcReadShift|pieces)
	b.WakeBlocked()
}

// Reads reports whether rank r has read a piece in operation k.
func (b *Nbc) Reads(r int, k uint64) bool {
	return atomic.LoadUint64(b.reads(uint32(r), k))>>shm.NbcReadShift == k
}

// reads is how many pieces rank r has read in operation k, or in one that had its cell before.
func (c *chunks) reads(r uint32, k uint64) *uint64 {
	return shm.Word64(c.ring.Peer(r).Base + shm.NbcReads + 8*uintptr(k%shm.NbcCellCount))
}
