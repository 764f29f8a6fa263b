package p2p

import (
	"math/bits"
	"time"

	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/runtime/tune"
)

// The data of a message that was announced comes by one of three protocols. The receiver chooses.
//
//	read      the receiver copies all of it out of the sender's memory, by the kernel
//	pipeline  the sender copies pieces into the ring, and the receiver out of it at the same time
//	both      both sides copy parts of it by the kernel: the receiver reads, the sender writes
//
// Which is the quickest depends on the processor, on where the two ranks are on it, and on what else it has
// to do. So the receiver measures what each takes (package tune). Only the first needs no help: it is taken
// for a sender that is not in MPI. Only the second needs no single copy, and is taken for data with gaps at
// the sender.
const (
	readProtocol     = tool.RendezvousRead
	pipelineProtocol = tool.RendezvousPipeline
	bothProtocol     = tool.RendezvousBoth
)

// leastClass and sizeClasses are the sizes of messages that are told apart: up to 32 KiB, and each power of
// two up to 16 MiB and more.
const (
	leastClass  = 15
	sizeClasses = 10
)

// protocols is what is known of the protocols, by size.
type protocols struct {
	pinned  int // by the setting; 0 for none
	choices [sizeClasses]tune.Choice
	until   time.Time // when the last of these messages ended
}

// class is the choice for messages of n bytes. The first of a size begin with what is known of the sizes next
// to it.
func (p *protocols) class(n int64) *tune.Choice {
	i := min(max(bits.Len64(uint64(n-1))-leastClass, 0), sizeClasses-1)
	c := &p.choices[i]
	for d := 1; !c.Known() && d < sizeClasses; d++ {
		for _, j := range [...]int{i - d, i + d} {
			if j >= 0 && j < sizeClasses && p.choices[j].Known() && !c.Known() {
				c.Resemble(&p.choices[j])
			}
		}
	}
	return c
}

// chooseProtocol chooses the protocol for a message of which n bytes are wanted.
func (e *Engine) chooseProtocol(r *request.Request, m *message, n int64) {
	r.Choice = nil
	l, pinned := e.to(m.peer), uint8(e.protocols.pinned)
	ways := uint8(1<<readProtocol | 1<<pipelineProtocol)
	if n == m.bytes && r.Buf.Contiguous() {
		ways |= 1 << bothProtocol
	}
	switch {
	case n == 0:
		r.Protocol = readProtocol
	case m.kind != inSender || l.reach(m.peer) == nil:
		r.Protocol = pipelineProtocol
	case len(e.copies) >= mostCopies || !l.isInside(m.peer):
		r.Protocol = readProtocol
	case pinned == 0:
		r.Choice = e.protocols.class(n)
		r.Protocol, r.Since = uint8(r.Choice.Pick(ways, pipelineProtocol)), time.Now()
	case ways>>pinned&1 != 0:
		r.Protocol = pinned
	default:
		r.Protocol = pipelineProtocol
	}
	e.count.Fetched[r.Protocol-1]++
}

// ended notes what it has taken to fetch the data of r, if its protocol was chosen. Messages that are under
// way together go one after the other, so each takes the time since the last one ended.
func (e *Engine) ended(r *request.Request) {
	if r.Choice == nil {
		return
	}
	now, from := time.Now(), r.Since
	if from.Before(e.protocols.until) {
		from = e.protocols.until
	}
	e.protocols.until = now
	r.Choice.Note(int(r.Protocol), float64(now.Sub(from))/float64(r.Status.Bytes))
}
