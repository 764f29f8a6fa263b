package am

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// Forge sends a packet to a near target that asks for whatever the message says, with the given data behind
// it, and waits until it is done or refused.
func (w *Window) Forge(rank int, m fast.Message, data []byte) error {
	p, err := w.begin(rank)
	if err != nil {
		return err
	}
	p.Type, p.Op, p.Runs = m.Type, m.Op, m.Runs
	for i := range p.Small {
		p.Small[i] = 0x0101010101010101
	}
	n := min(len(data), fast.PacketRoom)
	shm.Copy(p.Data(fast.PacketRoom), shm.Address(data[:n]), int64(n))
	w.Desc.Post(&w.Targets[rank], p, m.Kind, m.Addr, m.Bytes)
	return w.SettleRing(rank)
}

// FarPacket gives a packet of a far rank to this one, as if it had come.
func (w *Window) FarPacket(from int, what uint32, words [4]uint64, body []byte) {
	h := p2p.AMHeader{Ctx: w.far.ctx, Src: int32(from), What: int32(what), Words: words}
	at := uintptr(0)
	if len(body) > 0 {
		at = shm.Address(body)
	}
	w.worker.Receive(w.far.ranks[from].peer, h, at, int64(len(body)))
}

// Active reports whether a target is reached by rings.
func (w *Window) Active(rank int) bool { return w.Targets[rank].Ring != 0 }

// Reply is the kind of an answer.
const Reply = reply

// Ask opens a question to a far rank that is never done, whose answers bring n bytes at addr, and returns its
// number.
func (w *Window) Question(rank int, addr uintptr, n int64) uint64 {
	c := w.far.begin(rank, datatype.Raw(addr, n))
	c.open.Add(1 << 20)
	return uint64(c.number)
}
