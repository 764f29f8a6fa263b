package shm

// Ticket is a nonblocking operation that a stub has begun. Tickets stand in the lane, so a stub can also end them. Each
// belongs to the request of the same number in the Go part of the library, which takes an operation over as soon as it
// needs more than the stubs do (Lent); from then on the ticket says nothing any more until it is given back.
type Ticket struct {
	State uint32
	Gen   uint32 // generation: how often the number has been used
	Next  uint32 // in the list of free tickets or of posted ones; NoTicket ends it
	Ctx   uint32 // matching context
	Src   int32  // receives: the source wanted, and once Received the one got; sends: the sender's rank in the context
	Tag   int32  // likewise
	Self  int32  // own rank in the context
	Peer  uint32 // sends: node rank of the receiver
	Buf   uintptr
	Size  uint64 // receives: room in bytes, and once Received the size of the message
}

// Tickets is how many tickets a lane has.
const Tickets = 512

// NoTicket ends the lists of tickets.
const NoTicket = ^uint32(0)

// States of a ticket.
const (
	TicketFree     uint32 = iota
	TicketSent            // a send that is done: the message is in the ring
	TicketPosted          // a receive that has found no message
	TicketReceived        // a receive that is done
	TicketLent            // the request of the same number stands for the operation
)

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

// initTickets makes all tickets free.
func (l *Lane) initTickets() {
	l.First, l.Last, l.Free = NoTicket, NoTicket, 0
	for i := range uint32(Tickets) {
		l.Ticket(i).Next = i + 1
	}
	l.Ticket(Tickets - 1).Next = NoTicket
}

// TakePosted takes the oldest posted receive out of the list; NoTicket when there is none. The ticket is Lent then.
func (l *Lane) TakePosted() uint32 {
	i := l.First
	if i == NoTicket {
		return i
	}
	t := l.Ticket(i)
	if l.First = t.Next; l.First == NoTicket {
		l.Last = NoTicket
	}
	l.Posted--
	t.State = TicketLent
	return i
}

// Return gives back a ticket that was Lent. gen is the generation of its next use.
func (l *Lane) Return(i, gen uint32) {
	t := l.Ticket(i)
	t.State, t.Gen, t.Next = TicketFree, gen, l.Free
	l.Free = i
}

// AddRoute lets the stubs use a space of messages, if its place is empty.
func (l *Lane) AddRoute(r Route) {
	if at := &l.Routes[r.Handle%Routes]; at.Handle == 0 {
		*at = r
	}
}

// DropRoute makes the stubs forget the space of messages behind a handle, and its area.
func (l *Lane) DropRoute(handle uintptr) {
	if at := &l.Routes[handle%Routes]; at.Handle == handle {
		*at = Route{}
	}
	l.dropArea(handle)
}
