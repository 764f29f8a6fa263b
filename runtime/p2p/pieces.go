package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
	"gompi/shm"
)

// Data with gaps on the sender's side goes in pieces through the ring: the sender packs each straight into
// shared memory, the receiver takes it from there to where it belongs. So no byte is copied more than twice,
// no memory is needed, and the two copies of different pieces go on at the same time in two processes.

// Sizes of pieces, in bytes: a message is cut into several, so that both sides have something to do, but the
// work for a piece beside copying it (0.2 us) must not count. Measured on a 2-core VM with 64 KiB to 4 MiB of
// rows and of single doubles; of dense messages on far cores, both ways at once, with 8 KiB at least 64 KiB
// messages go at 15 GB/s and with 16 KiB at 18.
const (
	leastPiece = 16 << 10
	pieces     = 8 // a message is cut into, as long as they are not too small or too large
	// of data with gaps: 1 MiB in blocks of 64 doubles takes 75 us, with 32 KiB 110, with 64 KiB 190
	mostGapped = 16 << 10
	// of data in runs of leastRow or more: 4 MiB in rows of 5.7 KiB go to a far core in 239 us, with 16 KiB
	// 268, with 64 KiB 260
	mostCoarse = 32 << 10
)

// pieceSize is how much of r a piece holds, but for the last. With other messages behind it both sides have
// enough to do, and pieces are as large as they can be: on far cores each costs a microsecond beside the
// copies.
func (e *Engine) pieceSize(r *request.Request) int64 {
	most := e.to(r.Peer).most
	if scattered(r) {
		if r.Buf.Type.Coarse(leastRow) {
			return min(mostCoarse, most)
		}
		return min(mostGapped, most)
	}
	if e.peers[r.Peer].out.several() {
		return most
	}
	return min(max(r.Bytes/pieces, leastPiece), most)
}

// scattered reports whether a send has to be asked for its data, because it does not lie in one run.
func scattered(r *request.Request) bool { return !r.Buf.Contiguous() }

// gatherPiece is b.PackAt for a piece of a long message. The lines of its payload were last read by another
// processor, which may be far away: single stores to them wait for one line after the other. So short runs
// are put together nearby and then moved as one.
func (e *Engine) gatherPiece(b datatype.Buffer, at int64, payload uintptr, n int64) error {
	if b.Contiguous() || n > mostGapped || !shm.TakesLines() || b.Type.Coarse(leastRow) {
		return b.PackAt(at, payload, n)
	}
	c := e.Scratch.Take(mostGapped)
	defer e.Scratch.Put(c)
	if err := b.PackAt(at, c.Address(), n); err != nil {
		return err
	}
	shm.Copy(payload, c.Address(), n)
	return nil
}

// leastRow is the size in bytes from which on runs are moved one by one: as shm.Copy does it.
const leastRow = 2 << 10

// hand copies a message of this rank to itself, from the buffer of its send to that of its receive. A buffer
// that is no memory is the receive's error alone.
func hand(to, from datatype.Buffer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = datatype.Fault(p)
		}
	}()
	datatype.Copy(to, from)
	return nil
}
