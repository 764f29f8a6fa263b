package shm

// Ticket is a nonblocking operation that a stub has begun, or a blocking receive that other receives are ahead of. Tickets stand in the lane, so a stub can also end them. Each
// belongs to the request of the same number in the Go part of the library, which takes an operation over as soon as it
// needs more than the stubs do (Lent); from then on the ticket says nothing any more until it is given back.
type Ticket struct {
	State uint32
	Gen   uint32 // generation: how often the number has been used
	Next  uint32 // in a bin; NoTicket ends it. Of a free ticket: how many the next free one is further than the one behind
	Ctx   uint32 // matching context
	Src   int32  // receives: the source wanted, and once Received the one got; sends: the sender's rank in the context
	Tag   int32  // likewise
	Self  int32  // own rank in the context
	Peer  uint32 // sends: node rank of the receiver
	Buf   uintptr
	Size  uint64 // receives: room in bytes, and once Received the size of the message
	Order uint64 // receives: counts those that were posted before
	Call  uint32 // 1: a blocking receive, which no handle names
	Pair  uint32 // 1: the receive of MPI_Isendrecv, whose message has gone
}

// Bin is the receives and messages with a context and tag that lead to it. Posted receives stand in it as tickets, oldest first;
// of what has become Go's it knows the number. The last bin is for receives with any tag, and counts all messages, so
// what can match a message or a receive with a tag is in two bins.
//
// Of a receive in Go and a ticket that one message could match, the one in Go was posted first.
type Bin struct {
	First, Last uint32 // tickets
	Waiting     uint32 // receives posted in Go
	Unexpected  uint32 // messages unexpected in Go
}

// Bins is how many bins a lane has. BinFactor spreads the others: see BinOf.
const (
	Bins      = 1<<binBits + 1
	BinShift  = 32 - binBits
	BinFactor = 0x61c88647 // the golden ratio
	binBits   = 6
)

// AnyTag and AnySource in a ticket stand for all.
const (
	AnySource int32 = -1
	AnyTag    int32 = -2
)

// BinOf is the bin of what has that context and tag.
func (l *Lane) BinOf(ctx uint32, tag int32) *Bin {
	if tag == AnyTag {
		return l.AnyBin()
	}
	return &l.Bins[(uint32(tag)+31*ctx)*BinFactor>>BinShift]
}

// AnyBin is the bin of receives with any tag.
func (l *Lane) AnyBin() *Bin { return &l.Bins[Bins-1] }

// Tickets is how many tickets a lane has. Memory that is zero holds all of them free, and only those that are used take some.
const Tickets = 2048

// NoTicket ends the tickets of a bin.
const NoTicket = ^uint32(0)

// States of a ticket.
const (
	TicketFree     uint32 = iota
	TicketSent            // a send that is done: the message is in the ring
	TicketPosted          // a receive that has found no message
	TicketReceived        // a receive that is done
	TicketExchange        // a nonblocking collective operation that waits for others: Exchange
	TicketLent            // the request of the same number stands for the operation
	TicketBack            // a blocking receive that has to be posted again: it was not done when all that was posted became Go's
)

// NoMessage in Ticket.Self of a ticket that is TicketSent says that no message belongs to it: a collective operation is done.
const NoMessage = -1

// Route is a space of messages as the stubs know it: which node rank is behind each of its ranks.
type Route struct {
	Handle       uintptr // by which the program names it; 0 when this place is empty
	Ctx          uint32  // matching context
	Rank         int32   // own rank in it
	Size         uint32  // ranks that messages can be sent to
	Base, Stride int32   // node rank of a rank r: Base + Stride*r
}

// Routes is how many places for routes there are. A route stands in the place that the low bits of its handle say.
const Routes = 16

// initBins makes all bins empty.
func (l *Lane) initBins() {
	for i := range l.Bins {
		l.Bins[i] = Bin{First: NoTicket, Last: NoTicket}
	}
}

// Draw takes the first free ticket; NoTicket when there is none.
func (l *Lane) Draw() uint32 {
	i := l.Free
	if i == Tickets {
		return NoTicket
	}
	l.Free = i + 1 + l.Ticket(i).Next
	return i
}

// TakePosted takes the oldest posted receive out of its bin, of those that must not stay behind one with that context and tag;
// NoTicket when there is none. The ticket is Lent then. Receives of blocking calls go back to the threads that wait in them:
// other threads than the caller, so nothing says which receive comes first (MPI 5.0, 3.5).
func (l *Lane) TakePosted(ctx uint32, tag int32) uint32 {
	for l.Posted > 0 {
		from, before, i := l.BinOf(ctx, tag), NoTicket, NoTicket
		if tag == AnyTag || l.AnyBin().First != NoTicket { // one with any tag must neither stay behind nor overtake others
			from = l.oldest()
			i = from.First
		} else {
			for i = from.First; i != NoTicket && (l.Ticket(i).Ctx != ctx || l.Ticket(i).Tag != tag); i = l.Ticket(i).Next {
				before = i
			}
		}
		if i == NoTicket {
			break
		}
		if l.lend(l.take(from, before, i)) {
			return i
		}
	}
	return NoTicket
}

// TakeMatching takes the oldest receive out of its bin that a message matches; NoTicket when there is none. The ticket is Lent
// then. Those of blocking calls are passed over as in TakePosted: they are posted again. It gives up when it has looked at
// LongBin of a bin, and says so.
func (l *Lane) TakeMatching(ctx uint32, src, tag int32) (ticket uint32, long bool) {
	for l.Posted > 0 {
		bin, before, i := l.BinOf(ctx, tag), NoTicket, NoTicket
		for _, b := range [2]*Bin{bin, l.AnyBin()} {
			p, at, long := l.first(b, ctx, src, tag)
			if long {
				return NoTicket, true
			}
			if at != NoTicket && (i == NoTicket || l.Ticket(at).Order < l.Ticket(i).Order) {
				bin, before, i = b, p, at
			}
		}
		if i == NoTicket || l.lend(l.take(bin, before, i)) {
			return i, false
		}
	}
	return NoTicket, false
}

// LongBin is with how many receives of a bin a message is compared at most.
const LongBin = 64

// first is the first receive of a bin that a message matches, and the one ahead of it; NoTicket where there is none.
func (l *Lane) first(b *Bin, ctx uint32, src, tag int32) (before, at uint32, long bool) {
	before, at = NoTicket, b.First
	for range LongBin {
		if at == NoTicket {
			return before, at, false
		}
		t := l.Ticket(at)
		if t.Ctx == ctx && (t.Src == src || t.Src == AnySource) && (t.Tag == tag || t.Tag == AnyTag) {
			return before, at, false
		}
		before, at = at, t.Next
	}
	return before, at, at != NoTicket
}

// oldest is the bin whose first receive was posted before all others. There has to be one.
func (l *Lane) oldest() *Bin {
	var from *Bin
	for b := range l.Bins {
		if bin := &l.Bins[b]; bin.First != NoTicket && (from == nil || l.Ticket(bin.First).Order < l.Ticket(from.First).Order) {
			from = bin
		}
	}
	return from
}

// take takes ticket i out of a bin, where it stands behind before.
func (l *Lane) take(b *Bin, before, i uint32) uint32 {
	next := l.Ticket(i).Next
	if before == NoTicket {
		b.First = next
	} else {
		l.Ticket(before).Next = next
	}
	if next == NoTicket {
		b.Last = before
	}
	l.Posted--
	return i
}

// lend makes a receive that was posted Go's. It returns false for that of a blocking call, which goes back.
func (l *Lane) lend(i uint32) bool {
	t := l.Ticket(i)
	if t.Call != 0 {
		t.State = TicketBack
		return false
	}
	t.State = TicketLent
	return true
}

// Return gives back a ticket that was Lent. gen is the generation of its next use.
func (l *Lane) Return(i, gen uint32) {
	t := l.Ticket(i)
	t.State, t.Gen, t.Next = TicketFree, gen, l.Free-i-1
	l.Free = i
}

// AddRoute lets the stubs use a space of messages, if its place is empty.
func (l *Lane) AddRoute(r Route) {
	if at := &l.Routes[r.Handle%Routes]; at.Handle == 0 {
		*at = r
	}
}

// DropRoute makes the stubs forget the space of messages behind a handle, its area and its board.
func (l *Lane) DropRoute(handle uintptr) {
	if at := &l.Routes[handle%Routes]; at.Handle == handle {
		*at = Route{}
	}
	l.dropArea(handle)
	l.dropBoard(handle)
}
