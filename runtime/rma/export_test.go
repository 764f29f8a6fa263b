package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Forge sends a packet to a target that asks for whatever the message says, with the given data behind it,
// and waits until it is done or refused.
func (w *Window) Forge(rank int, m fast.Message, data []byte) error {
	p, err := w.requester.begin(rank)
	if err != nil {
		return err
	}
	p.Type, p.Op = m.Type, m.Op
	for i := range p.Small {
		p.Small[i] = 0x0101010101010101
	}
	n := min(len(data), fast.PacketRoom)
	shm.Copy(p.Data(fast.PacketRoom), shm.Address(data[:n]), int64(n))
	w.Desc.Post(&w.targets[rank], p, m.Kind, m.Addr, m.Bytes)
	return w.requester.settleTarget(rank)
}

// FarPacket gives a packet of a far rank to this one, as if it had come.
func (w *Window) FarPacket(from int, what int32, words [4]uint64, body []byte) {
	h := w.far.heading(what)
	h.Src, h.Words = int32(from), words
	at := uintptr(0)
	if len(body) > 0 {
		at = shm.Address(body)
	}
	w.space.Receive(w.far.ranks[from].peer, h, at, int64(len(body)))
}

// Active reports whether a target is reached by active messages.
func (w *Window) Active(rank int) bool { return w.targets[rank].Ring != 0 }

// LastWhat is the greatest number of what a packet is about.
const LastWhat = sayAnswer

// Ask opens a question to a far rank that is never done, whose answers bring n bytes at addr, and returns its
// number.
func (w *Window) Ask(rank int, addr uintptr, n int64) uint64 {
	c := w.far.begin(rank, datatype.Raw(addr, n))
	c.open.Add(1 << 20)
	return uint64(c.number)
}
