package fast

// Request is what C and Go know of a nonblocking operation, or of a blocking receive that other receives are
// ahead of. What Go alone needs stands in the request of the same number of package request, which there is
// as long as the state says so (Extended, ExtendedPosted); it decides then.
type Request struct {
	State uint32
	Gen   uint32 // generation: how often the number has been used
	// in a bin; NoRequest ends it. Of a free one: how much further than i+1 the next
	// free one is; of one that is Received: the source; Collective or Repeats: the number of its CollRequest
	Next uint32
	Prev uint32 // in a bin, unless it is the first; of one that is Received: the tag
	Ctx  uint32 // matching context
	Src  int32  // receives: the source wanted; sends: the sender's rank
	Tag  int32
	Self int32 // own rank in the context; of a partitioned receive: the tag for its status
	// sends: node rank of the receiver, or Nobody; receives that are Persistent or Typed: the handle of their
	// datatype; partitioned receives: how many partitions there are
	Peer  uint32
	Flags uint32  // see below
	Buf   uintptr // receives, persistent sends, and sends that are Offered or Unmatched
	Size  uint64  // of these, in bytes
	// receives: counts those that were posted before; of one that is Received: bytes received; of sends that
	// are Persistent or Unmatched: the handle of their datatype; of partitioned ones: the address of Parts
	Order uint64
}

// RequestTable is the requests of an endpoint, and which are free.
type RequestTable struct {
	Requests     *Request
	RequestsMade uint32 // how many requests there is memory for
	Free         uint32 // the first free request; RequestsMade when there is none
	InUse        uint32 // requests that are not free
	Unmatched    uint32 // synchronous sends whose receive has not been found
	Unready      uint32 // partitioned sends of which partitions are not ready
	Partial      uint32 // those of them of which others are ready
	// persistent requests that name the record of a datatype
	TypedPersistent uint32
}

// Flags of a request. Those of a free one are 0.
const (
	InCall      uint32 = 1 << iota // of a blocking call, which no handle names
	Paired                         // of MPI_Isendrecv, whose message has gone
	Persistent                     // see persistent.go
	Sends                          // persistent: a send
	Synch                          // a send in synchronous mode that is persistent, or Offered
	Begun                          // persistent: started by an MPI_Startall that goes on in package p2p
	Partitioned                    // persistent: see partitioned.go
	Cancelled                      // of a receive that has been given up, and is Received
	Buffered                       // a send in buffered mode
	Repeats                        // persistent: see collpersistent.go
	Typed       uint32 = 1 << 30   // of data with gaps: the record of its datatype moves it
	FarReceive  uint32 = 1 << 31   // its message may come from another node or job
)

// MaxRequests is how many requests an endpoint has room for. There is memory for the first
// Endpoint.RequestsMade of them; package p2p makes more. Memory that is zero holds all of them free.
const (
	MaxRequests   = 1 << (IndexBits - 1)
	FirstRequests = 2048
)

// NoRequest is the number of no request.
const NoRequest uint32 = 1<<32 - 1

// States of a request. The first two after Free are of those that are done, the next four of those that wait
// for something, and these six are the states in which this package can end a request.
const (
	Free           uint32 = iota
	Sent                  // a send that is done: the message is in the ring
	Received              // a receive that is done
	Posted                // a receive that has found no message
	Collective            // a nonblocking collective operation that waits for others: CollRequest
	Unmatched             // a synchronous send whose receive has not been found
	Unready               // a partitioned send of which partitions are not ready
	Extended              // the request of package request stands for the operation
	ExtendedPosted        // the same of a receive that has found no message
	Returned              // a blocking receive that has to be posted again: package p2p could not end it
	Offered               // a send to this rank itself that waits for its receive
	Inactive              // persistent, and not started
)

// NoMessage in Request.Self of one that is Sent says that no message belongs to it: a collective operation
// is done.
const NoMessage int32 = -1

// A handle of a request: its number, its generation, and a bit that tells it from other handles.
const (
	IndexBits = 22
	GenBits   = 7
	indexMask = 1<<IndexBits - 1
	genMask   = 1<<GenBits - 1
)

// handle is the handle of request i.
func (t *RequestTable) handle(i uint32) uintptr {
	return 1<<(IndexBits+GenBits) | uintptr(t.Request(i).Gen&genMask)<<IndexBits | uintptr(i)
}

// named is the request behind a handle, whatever its state; nil when there is none.
//
//fast:hot
func (t *RequestTable) named(handle uintptr) *Request {
	i := handle & indexMask
	if handle>>(IndexBits+GenBits) != 1 || i >= uintptr(t.RequestsMade) {
		return nil
	}
	r := t.Request(uint32(i))
	if (uintptr(r.Gen)^handle>>IndexBits)&genMask != 0 {
		return nil
	}
	return r
}

// find is the request behind a handle; nil when there is none, or when package p2p has to end it.
//
//fast:hot
func (t *RequestTable) find(handle uintptr) *Request {
	r := t.named(handle)
	if r == nil || r.State-Sent > Unready-Sent {
		return nil
	}
	return r
}

// pending reports whether a request waits for something.
func (r *Request) pending() bool { return r.State-Posted <= Unready-Posted }

// done reports whether the operation of a request is done.
func (r *Request) done() bool { return r.State-Sent <= Received-Sent }

// Datatype is the handle of the datatype of a request that keeps it.
func (r *Request) Datatype() uintptr {
	if r.Flags&Sends != 0 || r.State == Unmatched {
		return uintptr(r.Order)
	}
	return uintptr(r.Peer)
}

// firstFree takes the first free request, which there is.
func (t *RequestTable) firstFree() *Request {
	r := t.Request(t.Free)
	t.Free += 1 + r.Next
	t.InUse++
	return r
}

// Draw takes the first free request; NoRequest when there is none that memory has been made for.
func (t *RequestTable) Draw() uint32 {
	i := t.Free
	if i == t.RequestsMade {
		return NoRequest
	}
	t.firstFree()
	return i
}

// Return gives a request back. gen is the generation of its next use.
func (t *RequestTable) Return(r *Request, gen uint32) {
	i := t.index(r)
	r.State = Free
	r.Flags = 0
	r.Gen = gen
	r.Next = t.Free - i - 1
	t.Free = i
	t.InUse--
}

// giveBack gives a request back.
func (t *RequestTable) giveBack(r *Request) { t.Return(r, r.Gen+1) }

// reap hands out the status of a request that is done, gives it back and takes its handle away. One that is
// persistent stays.
func (t *RequestTable) reap(r *Request, handle *uintptr, status *Status) {
	r.tell(status)
	if unlikely(r.Flags&Persistent != 0) {
		r.State = Inactive
		return
	}
	t.giveBack(r)
	*handle = NullRequest
}

// passed reports whether completion calls pass over a handle: a null request, or one that is Inactive
// (MPI 5.0, 3.7.3).
func (t *RequestTable) passed(handle uintptr) bool {
	return handle == NullRequest || unlikely(t.IsInactive(handle))
}

// IsInactive reports whether a handle names a persistent request that is not started.
//
//fast:cold
func (t *RequestTable) IsInactive(handle uintptr) bool { return t.findInactive(handle) != nil }

// findInactive is the request that is Inactive behind a handle; nil when there is none.
func (t *RequestTable) findInactive(handle uintptr) *Request {
	r := t.named(handle)
	if r == nil || r.State != Inactive {
		return nil
	}
	return r
}

// receive makes a receive one that is done.
//
//fast:hot
func (r *Request) receive(source, tag int32, size uint32) {
	r.State = Received
	r.Next = uint32(source)
	r.Prev = uint32(tag)
	r.Order = uint64(size)
}

// tell fills in a status, if there is one, for a request that is done.
func (r *Request) tell(status *Status) {
	if status != nil {
		if r.State == Received {
			status.set(r.Source(), r.GotTag(), r.Order)
			if unlikely(r.Flags&Cancelled != 0) {
				status.Internal[2] = 1
			}
		} else {
			status.set(AnySource, AnyTag, 0)
		}
	}
}

// setNull fills in a status, if there is one, for a null request, whose error is MPI_SUCCESS (MPI 5.0,
// 3.7.3).
func (s *Status) setNull() {
	if s != nil {
		s.set(AnySource, AnyTag, 0)
		s.Error = 0
	}
}

// Status is a status of the standard ABI (MPI 5.0, 20.3.1).
type Status struct {
	Source, Tag, Error int32
	Internal           [5]int32 // [0] and [1] are the number of bytes, low half first; [2]: cancelled
}

const statusSize = 32 // bytes

// set fills in a status but for its error field, which calls with one status leave alone (MPI 5.0, 3.2.5).
func (s *Status) set(source, tag int32, size uint64) {
	s.Source = source
	s.Tag = tag
	s.Internal[0] = int32(size)
	s.Internal[1] = int32(size >> 32)
	s.Internal[2] = 0
	s.Internal[3] = 0
	s.Internal[4] = 0
}
