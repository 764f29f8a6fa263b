// Package request is the slab of requests: what an operation in flight keeps, and by which number the user
// names it. It knows what a point-to-point transfer has to remember, but not how one is carried out.
package request

import (
	"gompi/runtime/datatype"
	"gompi/runtime/p2p/match"
	"gompi/runtime/tune"
)

// Kind says which operation a request stands for.
type Kind uint8

// The kinds of request.
const (
	Free Kind = iota // not in use
	Send
	Recv
	Pair      // a send and a receive in one, whose parts are requests of their own
	Composite // an Operation, whose parts are requests of their own
)

// Request is one operation in flight. It lives in a Pool and is given back by Pool.Put; Index and Gen
// together name it as long as it is in use.
type Request struct {
	Status  Status
	Err     error // why the operation failed, nil so far
	Done    bool
	Kind    Kind
	Then    bool // something follows when it is done: one of the four below
	Orphan  bool // the user has freed it: it is given back when it is done
	Active  bool // persistent: has been started and not been completed
	Listed  bool // of a call that looks for requests that its array holds twice
	Left    int32
	Begun   int32     // parts that a composite request has begun so far
	Parent  *Request  // of a part; Left says how many parts of the parent are not done yet
	Storage Storage   // of a buffered send; nil otherwise
	Plan    *Plan     // of a persistent request; nil otherwise
	Op      Operation // of a composite request; nil otherwise
	Called  string    // the collective function that has made it, for reports; "" when it is not known
	Transfer
	index, gen uint32
}

// Storage is memory that a request occupies until it is done.
type Storage interface{ Release() }

// Sized is a Storage that takes a message of any size that fits. It is told of the size first.
type Sized interface {
	Storage
	Took(bytes int64)
}

// Plan is what makes a request persistent (MPI 5.0, 3.9): what is needed to start it again, beyond its buffer
// and key.
type Plan struct {
	Peer    int     // job rank that a send goes to
	Null    bool    // the other side is MPI_PROC_NULL
	Starter Starter // starts it in the engine's place; nil for the engine
}

// Persistent reports whether the request outlives its completion.
func (r *Request) Persistent() bool { return r.Plan != nil }

// BegunAs is the kind of operation that the program has begun: a receive may be what is left of a send and
// receive.
func (r *Request) BegunAs() Kind {
	if r.Paired {
		return Pair
	}
	return r.Kind
}

// Inactive reports whether the request is persistent and not started (MPI 5.0, 3.9): completion calls pass
// over it.
func (r *Request) Inactive() bool { return r.Plan != nil && !r.Active }

// Transfer is what a point-to-point operation remembers.
type Transfer struct {
	Buf    datatype.Buffer
	Staged []byte // of a send and receive in one: memory that is kept for the send
	Key    match.Key
	Peer   int   // the other rank, by its number in the job; -1 as long as it is unknown
	Self   int32 // own rank in the context: the source that the receiver sees
	// receives: the message of the same call has gone (MPI_Isendrecv), so nothing is to be cancelled
	Paired bool
	Far    bool // receives: from one rank, of another node
	Sync   bool // completes only once the receive has been found (MPI 5.0, 3.4)
	State  State
	Bytes  int64  // size of the message in bytes
	Moved  int64  // bytes moved so far, when they go in pieces
	Remote uint32 // index of the other side's request
	Copy   uint32 // number of the copy that both sides carry out; 0 when there is none
	// of such a copy: where this side reads in the other one's memory or, for a send, writes; 0 for nowhere
	From   uintptr
	Pieces int32 // sends: pieces that the network has in the program's memory
	Own    bool  // receives: this side has taken part in the copy
	Lost   bool  // receives: it could not read some of the data
	// the protocol by which the data of an announced message goes; receives: of which choice if it was
	// free to choose
	Protocol uint8
	Choice   *tune.Choice
	Since    uint64 // when the message began, by shm.Now; sends: 0 unless the call waits for their end
	Spent    uint64 // receives: ns that both sides have worked on it

	Signed bool // the type signature has gone ahead
	// the send of the message that this one has left in an attached buffer, given back with this one
	Inner *Request
}

// State is the step that a transfer waits in.
type State uint8

// The states of a transfer.
const (
	Idle   State = iota
	Queued       // sends: the first packet found no room yet
	// sends: the message has gone whole, and can only be taken back if the receiver has it still
	Sent
	Announced  // sends: the receiver has been told and will fetch the data or ask for it
	Pushing    // sends: data goes out in pieces
	Posted     // receives: waits for a match
	Filling    // receives: data comes in pieces
	Fetched    // sends: the receiver has all the data, but a piece still waits for room
	Watched    // composite requests: every poll goes on with it
	Deferred   // composite requests: nothing goes on with it until its turn has come
	Ending     // composite requests: nothing more is to begin
	Completing // sends: all pieces are on their way, some out of the program's memory
)

// Index is the request's index in its pool.
func (r *Request) Index() uint32 { return r.index }

// Gen is how often that slot has been used, modulo 2^32.
func (r *Request) Gen() uint32 { return r.gen }

// Ready is Done, for those who wait for conditions.
func (r *Request) Ready() bool { return r.Done }

// Finish marks r as done with the given error, nil for success.
func (r *Request) Finish(err error) {
	if err != nil && r.Err == nil {
		r.Err = err
	}
	r.Done = true
}
