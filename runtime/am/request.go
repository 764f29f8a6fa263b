package am

import (
	"math"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Request is an operation of this rank on memory of a target, as messages carry it.
type Request struct {
	Rank          int
	Kind          uint32           // fast.PacketPut to fast.PacketSwap
	Type, Op      uint32           // of accumulates: handles
	Memory        datatype.Buffer  // at the target, at addresses there
	First, Bytes  int64            // the bytes of that data that are meant
	Unit          int64            // bytes of an element, which go in one message
	Data, Compare *datatype.Buffer // of the origin; nil for none
	Result        *datatype.Buffer // where what the target had goes; nil for nowhere
}

// Most that one message to a far rank is about, in bytes.
const (
	farPiece = 32 << 10 // two of them are under way while a third is copied
	// FarOperation is that of accumulates, which are carried out as one.
	FarOperation = 16 << 10
)

// next is the message about the bytes from at on. list has room for its runs.
func (r *Request) next(at int64, list []shm.Piece, far bool) (h Header, all []shm.Piece) {
	most, room := int64(fast.PacketRoom), int64(fast.PacketRoom)
	if far {
		room = math.MaxInt64
		switch r.Kind {
		case fast.PacketPut:
			most = farPiece
		case fast.PacketGet, fast.PacketSwap:
			most = r.Bytes
		default:
			most = FarOperation
		}
	}
	all, first, k := collectRuns(list, &r.Memory, r.First+at, r.Bytes-at, most, room, r.Unit)
	if far && all == nil && r.Data == nil && r.Kind >= fast.PacketAccumulate { // nothing says how much it is
		all = append(list, shm.Piece{Addr: uintptr(first), Size: uint64(k)})
	}
	h = Header{Kind: r.Kind, Runs: uint32(len(all)), Addr: first, Bytes: uint64(k), Type: r.Type, Op: r.Op}
	return h, all
}

// write writes what stands behind the header of a message about the bytes from at on: the list of runs, the
// data and, compare bytes behind where that begins, the element to compare with. It returns where the data
// is.
func (r *Request) write(body uintptr, list []shm.Piece, at, n int64, compare uintptr) (data uintptr,
	err error) {
	data = body + writeRuns(list, body)
	if r.Data != nil {
		err = r.Data.PackAt(at, data, n)
	}
	if err == nil && r.Compare != nil {
		err = r.Compare.PackAt(0, data+compare, n)
	}
	return data, err
}

// Do carries an operation out by messages. Puts and accumulates may be under way when it returns, all others
// are done. Those to near ranks are sent between LockRings and UnlockRings.
func (w *Window) Do(r *Request) error {
	if w.Away(r.Rank) {
		return w.far.do(r)
	}
	return w.exchange(r)
}
