package am

import (
	"gompi/runtime/fast"
	"gompi/runtime/scratch"
	"gompi/shm"
)

// Kinds of messages to far ranks, beside those of operations (fast.PacketPut to fast.PacketSwap).
const (
	Check     uint32  = fast.PacketKinds + iota // is the memory attached to a dynamic window? Answered
	Lock                                        // takes the target's lock, exclusively with Addr 1. Answered
	Unlock                                      // gives it back
	Fence                                       // how often the sender has come to a fence
	Posted                                      // how often it has exposed its memory to the receiver
	Completed                                   // how often it has ended accesses there
	Flush                                       // answered when everything that came before is done
	nothing                                     // the origin could not read its data
	reply                                       // what was asked for
	handled   = Flush                           // the kinds below it have handlers
)

// Header is what a message says beside its data.
type Header struct {
	Kind     uint32
	Runs     uint32 // of the target's memory, which are listed in front of the data; 0: there is one, at Addr
	Addr     uint64 // of the memory, or the one word of a message that is about none
	Bytes    uint64 // of the memory
	Type, Op uint32 // of the elements of accumulates, and the operation: handles
	Call     uint32 // of a far origin, which is answered; 0 for none
	At       uint64 // where the answer begins in the data of the call. With Call 0: that of the next flush
}

// Message is a message at its target.
type Message struct {
	Header
	From    int         // its origin, if that is far
	Memory  []shm.Piece // its runs, which the handler has to check
	Data    uintptr     // of the origin, as many bytes as of the memory
	Compare uintptr     // of fast.PacketSwap: the element to compare with
	Guarded bool        // whoever carries the message out holds the target's guard
	window  *Window

	// of near ranks
	packet *fast.Packet // by which it has come; nil for far ones
	words  fast.Message // as they were when they were looked at
	old    *scratch.Chunk

	answer *answer // to a far rank; nil for none
}

// readRing reads a message that has come by a ring; false when it makes no sense: its words may be anything,
// if memory is corrupted.
func (m *Message) readRing(w *Window, p *fast.Packet, words *fast.Message) bool {
	m.window, m.packet, m.words, m.old, m.Guarded = w, p, *words, nil, true
	m.Header = Header{Kind: words.Kind, Runs: words.Runs, Addr: words.Addr, Bytes: uint64(words.Bytes),
		Type: words.Type, Op: words.Op}
	size := m.Bytes + uint64(m.Runs)*runSize
	if m.Kind >= fast.PacketKinds || size > fast.PacketRoom ||
		!m.readRuns(p.Data(uint32(size)), int64(size)) {
		return false
	}
	if m.Compare = 0; m.Kind == fast.PacketSwap {
		m.Compare = m.Data + fast.PacketCompare
		return m.Runs == 0 && m.Bytes <= fast.PacketSmall/2
	}
	return true
}

// readBody reads what stands behind the header of a message that has come in a packet, n bytes at body; false
// when it makes no sense. Addresses count from base.
func (m *Message) readBody(base uint64, body uintptr, n int64) bool {
	if !m.readRuns(body, n) {
		return false
	}
	data := uint64(n) - uint64(m.Runs)*runSize
	m.Compare = 0
	switch m.Kind {
	case fast.PacketPut:
		m.Bytes = data
	case fast.PacketAccumulate, fast.PacketFetch:
		if m.Bytes = data; m.Op == fast.OpNoOp {
			m.Bytes = total(m.Memory)
		}
	case fast.PacketSwap:
		m.Bytes = data / 2
		m.Compare = m.Data + uintptr(m.Bytes)
	}
	if m.Runs == 0 {
		m.Memory[0].Size = m.Bytes
	}
	for i := range m.Memory {
		m.Memory[i].Addr += uintptr(base)
	}
	return true
}

// Reply answers with memory of this rank; false when that is not there.
func (m *Message) Reply(list []shm.Piece) bool {
	if m.answer == nil {
		return Gather(list, m.Data)
	}
	m.answer.runs = append(m.answer.runs, list...)
	return true
}

// Room is where what the memory had is to go, which is answered with; 0 when nobody wants it.
func (m *Message) Room() uintptr {
	switch {
	case m.answer != nil:
		return m.answer.makeRoom(int64(m.Bytes))
	case m.packet == nil || m.Kind == fast.PacketAccumulate:
		return 0
	}
	m.old = m.window.Engine.Scratch.Take(int64(m.Bytes)) // where it goes in the packet the operands are
	return m.old.Address()
}
