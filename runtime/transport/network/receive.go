package network

import (
	"errors"
	"slices"

	"gompi/fabric"
	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// received is what has come. Frames lie where the endpoint has put them, several in one buffer; a buffer is
// offered again when it is full and all its frames have been looked at.
type received struct {
	buffers  [buffers]buffer
	unposted int     // buffers that the endpoint has refused
	frames   []frame // that have come and were not opened
	first    int     // of frames
	open     frame   // the one that is looked at; size is 0 when there is none
	at       uintptr // its next packet
	shown    bool    // Poll has shown a packet
	head     transport.Packet
	payload  uintptr
}

type buffer struct {
	at     uintptr
	frames int  // in it that were not looked at to the end
	filled int  // bytes of messages that have come
	end    int  // of the last of them
	full   bool // the endpoint has given it back
	idle   bool // and does not take it again yet
	torn   bool // a message has ended halfway, as its sender has died
}

// holds reports whether memory is that of the buffer.
func (b *buffer) holds(at uintptr) bool { return at >= b.at && at < b.at+bufferSize }

type frame struct {
	at     uintptr
	size   int
	buffer int // none when it was replaced
	from   *peer
	head   head
	copied []byte // the frame, if it does not lie in a buffer any more
}

func (r *received) begin(base uintptr) {
	for i := range r.buffers {
		r.buffers[i].at = base + uintptr(i)*bufferSize
	}
}

// post offers a buffer to the endpoint. A torn one may have gaps into which messages are still written, as
// nobody tells where the one that has ended was: so its memory is not used again.
func (p *Provider) post(i int) {
	b := &p.buffers[i]
	if b.idle {
		p.unposted--
	} else if p.gaps && b.torn {
		at, ok := p.spare()
		if !ok {
			p.c.Unusable(errors.New("too many ranks have died while they sent"))
			return
		}
		b.at = at
	}
	b.full, b.idle, b.torn, b.filled, b.end = false, false, false, 0, 0
	switch r := p.e.Receive(uint32(i), b.at, bufferSize); {
	case r == fabric.Again:
		b.idle = true
		p.unposted++
	case r < 0:
		p.c.Unusable(errorOf("receives", r))
	}
}

// Poll implements transport.Provider.
func (p *Provider) Poll() (rank int, head *transport.Packet, payload uintptr) {
	for !p.shown {
		switch {
		case p.open.size > 0 && p.at < p.open.at+uintptr(p.open.size):
			p.show()
		case p.open.size > 0:
			p.close()
		case p.first < len(p.frames):
			p.next()
		case !p.glance():
			return 0, nil, 0
		}
	}
	return p.open.from.rank, &p.head, p.payload
}

// glance looks at the network. What waits in open frames goes when there is nothing, as nothing else is to be
// done.
func (p *Provider) glance() bool {
	if !p.look() {
		p.sendOpen()
		return false
	}
	return true
}

// look has the endpoint make progress. It returns true when frames have come.
func (p *Provider) look() bool {
	p.watching = false
	for _, c := range p.e.Done() {
		if c.Received == 0 {
			p.arrived(int32(c.Number-slotsNumber), c.Error != 0)
			continue
		}
		b := &p.buffers[c.Number]
		switch at, n := uintptr(c.At), int(c.Size); {
		case c.Error != 0:
			b.torn = true
		case n > 0 && !b.holds(at):
			p.came(frame{at: at, size: n, buffer: none})
		case n > 0:
			b.frames++
			b.filled += n
			b.end = max(b.end, int(at-b.at)+n)
			p.came(frame{at: at, size: n, buffer: int(c.Number)})
		}
		if c.Ended != 0 {
			b.full = true
		}
		if p.spent(b) {
			p.post(int(c.Number))
		}
	}
	if len(p.stuck) > 0 || len(p.owing) > 0 {
		p.retry()
	}
	for i := 0; p.unposted > 0 && i < buffers; i++ {
		if p.buffers[i].idle {
			p.post(i)
		}
	}
	return p.first < len(p.frames)
}

// came deals with a frame as soon as it is its turn. One of a stranger is dropped.
func (p *Provider) came(f frame) {
	h, ok := p.readHead(f.at, f.size)
	if !ok {
		p.finished(f)
		return
	}
	q := p.peerOf(h.rank)
	q.talked = true
	if p.greetedBy(q, h.kind) {
		p.finished(f)
		return
	}
	if f.from, f.head = q, h; h.number != q.due {
		q.early = append(q.early, p.aside(f))
		return
	}
	p.accept(f)
	for i := 0; i < len(q.early); i++ {
		if q.early[i].head.number == q.due {
			f := q.early[i]
			q.early = slices.Delete(q.early, i, i+1)
			p.accept(f)
			i = -1
		}
	}
}

// aside copies a frame that has come too early, and gives back its memory: what comes first may need that, or
// be behind something that does.
func (p *Provider) aside(f frame) frame {
	f.copied = append([]byte(nil), shm.Bytes(f.at, int64(f.size))...)
	f.at = shm.Address(f.copied)
	p.done(f.buffer)
	return f
}

// accept keeps a frame to be opened.
func (p *Provider) accept(f frame) {
	f.from.due++
	switch f.head.kind {
	case packets:
		f.from.left = false
	case bye:
		f.from.left = true
	default:
		p.c.Malformed(f.head.rank, "a frame of an impossible kind")
	}
	p.frames = append(p.frames, f)
}

// next opens the next frame.
func (p *Provider) next() {
	f := p.frames[p.first]
	if p.first++; p.first == len(p.frames) {
		p.frames, p.first = p.frames[:0], 0
	}
	p.open, p.at = f, f.at+frameHead
}

// show shows the next packet of the open frame. Its header is copied, and so read once, and then checked. The
// offset in the header of one with its payload behind it then says where it would stand at the end of a
// payload area, so that Packet.Holds knows how much has come.
func (p *Provider) show() {
	behind := int(p.open.at + uintptr(p.open.size) - p.at)
	if behind < packetHead {
		p.c.Malformed(p.open.from.rank, "a packet of an impossible size")
	}
	p.head = *packetAt(p.at)
	p.at += packetHead
	p.shown = true
	if !p.head.InBulk() {
		if p.head.Inline > fast.InlineSize {
			p.c.Malformed(p.open.from.rank, "a packet of an impossible size")
		}
		p.payload = shm.AddressOf(&p.head.Data[0])
		return
	}
	n := int(p.head.Bulk)
	if n < 0 || n > maxPayload || padded(n) > behind-packetHead {
		p.c.Malformed(p.open.from.rank, "a packet of an impossible size")
	}
	p.payload = p.at
	p.at += uintptr(padded(n))
	p.head.Bulk = uint32(shm.BulkSize - n)
}

// Release implements transport.Provider.
func (p *Provider) Release(int, *transport.Packet) {
	if p.shown = false; p.at == p.open.at+uintptr(p.open.size) {
		p.close()
	}
}

// close ends the open frame, and lets its sender send as much again. One who sends a lot may send more ahead.
// How much that peer takes itself counts from now on: one of the packets may have said that it wants less.
func (p *Provider) close() {
	q, n := p.open.from, uint32(p.open.size-frameHead)
	if limit := p.open.head.limit; int32(limit-q.limit) > 0 {
		q.limit = limit
	}
	p.finished(p.open)
	p.open = frame{}
	q.got += n
	if q.received += n; q.received > 8*q.window && q.window < largestWindow {
		q.window, q.received = 2*q.window, 0
	}
	p.pay(q)
}

// done gives back the memory of a frame in a buffer.
func (p *Provider) done(i int) {
	if i == none {
		return
	}
	b := &p.buffers[i]
	if b.frames--; p.spent(b) {
		p.post(i)
	}
}

// spent reports whether a buffer can be offered again. Some providers give it back while they still write a
// long message into it: then there is a gap between those that have come.
func (p *Provider) spent(b *buffer) bool {
	return b.full && b.frames == 0 && (!p.gaps || b.filled == b.end || b.torn)
}

// finished gives back the memory of a frame that was looked at to the end.
func (p *Provider) finished(f frame) {
	if f.copied == nil {
		p.done(f.buffer)
	}
}
