package rma

import (
	"gompi/runtime/datatype"
	"gompi/shm"
)

// Forge sends an errand to a target that asks for whatever the order says, with the given data behind it, and
// waits until it is done or refused.
func (w *Window) Forge(rank int, o shm.Order, data []byte) error {
	e, err := w.room(rank)
	if err != nil {
		return err
	}
	e.Kind, e.Addr, e.Bytes, e.Type, e.Op = o.Kind, o.Addr, o.Bytes, o.Type, o.Op
	for i := range e.Small {
		e.Small[i] = 0x0101010101010101
	}
	n := min(len(data), shm.ErrandRoom)
	shm.Copy(e.Data(shm.ErrandRoom), shm.Address(data[:n]), int64(n))
	w.send(e, rank)
	return w.settleErrands(rank)
}

// Mail puts a request into the mailbox of a rank, as it is, and returns when it is answered.
func (w *Window) Mail(rank int, write bool, pieces []shm.Piece) (failed bool, err error) {
	if err := w.seize(w.word(rank, shm.WinDoor)); err != nil {
		return false, err
	}
	defer shm.StoreRel32(w.word(rank, shm.WinDoor), 0)
	box := w.mailbox(rank)
	for i, p := range pieces {
		at := box + mailPieces + uintptr(i)*16
		*shm.Word64(at), *shm.Word64(at + 8) = uint64(p.Addr), p.Size
	}
	s := spot{w: w, peer: &w.peers[rank], rank: rank, buf: datatype.Raw(0, 0)}
	err = s.post(box, len(pieces), shm.Address(make([]byte, mailRoom)), mailRoom, write)
	return err != nil, nil
}

// Parcel gives a packet of a far rank to this one, as if it had come.
func (w *Window) Parcel(from int, what int32, words [4]uint64, body []byte) {
	h := w.far.heading(what)
	h.Src, h.Words = int32(from), words
	at := uintptr(0)
	if len(body) > 0 {
		at = shm.Address(body)
	}
	w.space.Receive(w.far.ranks[from].peer, h, at, int64(len(body)))
}

// Errands reports whether a target is reached by errands.
func (w *Window) Errands(rank int) bool { return w.targets[rank].Errands != 0 }

// LastWhat is the greatest number of what a parcel is about.
const LastWhat = sayAnswer

// Ask opens a question to a far rank that is never done, whose answers bring n bytes at addr, and returns its
// number.
func (w *Window) Ask(rank int, addr uintptr, n int64) uint64 {
	c := w.far.begin(rank, datatype.Raw(addr, n))
	c.open.Add(1 << 20)
	return uint64(c.number)
}
