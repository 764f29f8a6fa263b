package network

import (
	"gompi/fabric"
	"gompi/runtime/transport"
)

// The memory of the endpoint: its first chunk has the buffers for receives, the next ones have slots, one for
// each frame that is filled, waits or is under way. A slot that was used last is used again first, so those
// that are never needed cost no memory. The last chunks have memory for buffers in the place of torn ones.
const (
	chunk       = 1 << 20
	buffers     = 4
	bufferSize  = chunk / buffers
	slotChunks  = 63
	slotStride  = 68 << 10
	chunkSlots  = chunk / slotStride
	mostSlots   = slotChunks * chunkSlots
	slotsNumber = buffers // the operation of slot 0; those of receives have the number of their buffer
	mostSpare   = 64      // chunks
)

// spareChunks are enough for a buffer torn by each peer, or for many.
func spareChunks(ranks int) int { return min((ranks+buffers-1)/buffers, mostSpare) }

// The room of a slot holds a frame.
const _ = uint(slotStride - frameRoom)

// Options is how the endpoint of a provider has to be opened, by a rank that is alone on its node or not.
func Options(ranks int, alone bool, bell *uint32) fabric.Options {
	return fabric.Options{Peers: ranks, Least: frameRoom, Chunk: chunk,
		Chunks:  1 + slotChunks + spareChunks(ranks),
		Numbers: buffers + mostSlots, Alone: alone, Bell: bell}
}

// memory is that of the endpoint, and what is known of the slots.
type memory struct {
	base   uintptr
	slots  []slot
	free   int32 // the slots that are free, by next; none
	spares int   // spare buffers in use
}

// slot is a frame on its way.
type slot struct {
	to     *peer
	next   int32 // in the list of free ones, or of frames that wait
	used   int32 // bytes of the frame that are in the slot
	kind   uint32
	more   int32   // bytes of the last payload, which lies in the program's memory
	from   uintptr // there
	number uint32  // the number by which that payload is named
}

func (m *memory) begin(e fabric.Endpoint) error {
	m.base, m.free = e.Memory(), none
	return e.Register(0)
}

// slotAt is where the memory of a slot is.
func (m *memory) slotAt(s int32) uintptr {
	return m.base + uintptr(1+s/chunkSlots)*chunk + uintptr(s%chunkSlots)*slotStride
}

// take is a slot with an empty frame for a peer; none when all are in use, or the memory for more cannot be
// had.
func (p *Provider) take(q *peer) int32 {
	if p.free == none && !p.grow() {
		return none
	}
	s := p.free
	p.free = p.slots[s].next
	p.slots[s] = slot{to: q, next: none, used: frameHead}
	return s
}

// grow makes the slots of one chunk more.
func (p *Provider) grow() bool {
	n := len(p.slots)
	if n == mostSlots || p.e.Register(1+n/chunkSlots) != nil {
		return false
	}
	for s := n + chunkSlots - 1; s >= n; s-- {
		p.slots = append(p.slots, slot{})
	}
	for s := n + chunkSlots - 1; s >= n; s-- {
		p.release(int32(s))
	}
	return true
}

// spare is memory for a buffer in the place of a torn one; ok is false when there is none.
func (p *Provider) spare() (at uintptr, ok bool) {
	n, in := p.spares, 1+slotChunks+p.spares/buffers
	if n == buffers*spareChunks(p.c.Size) || n%buffers == 0 && p.e.Register(in) != nil {
		return 0, false
	}
	p.spares++
	return p.base + uintptr(in)*chunk + uintptr(n%buffers)*bufferSize, true
}

func (p *Provider) release(s int32) {
	p.slots[s] = slot{next: p.free}
	p.free = s
}

// room is where the next packet of a frame begins, and its header there.
func (p *Provider) room(s int32) (*transport.Packet, uintptr) {
	at := p.slotAt(s) + uintptr(p.slots[s].used)
	return packetAt(at), at + packetHead
}
