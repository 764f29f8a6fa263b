// Package request is the slab of requests: what an operation in flight keeps, and by which number the user names it.
// It knows what a point-to-point transfer has to remember, but not how one is carried out.
package request

import (
	"gompi/runtime/datatype"
	"gompi/runtime/p2p/match"
)

// Kind says which operation a request stands for.
type Kind uint8

// The kinds of request.
const (
	Free Kind = iota // not in use
	Send
	Recv
)

// Request is one operation in flight. It lives in a Pool and is given back by Pool.Put; Index and Gen together name
// it as long as it is in use.
type Request struct {
	Status Status
	Err    error // why the operation failed, nil so far
	Done   bool
	Kind   Kind
	Transfer
	index, gen uint32
	next       *Request // free list
}

// Transfer is what a point-to-point operation remembers.
type Transfer struct {
	Buf    datatype.Buffer
	Staged []byte // packed copy of Buf when its data is not contiguous; sends only
	Key    match.Key
	Node   match.Node[Request] // posted receives
	Peer   int                 // the other rank, by its number in the job; -1 as long as it is unknown
	Self   int32               // own rank in the context: the source that the receiver sees
	Sync   bool                // completes only once the receive has been found (MPI 5.0, 3.4)
	State  State
	Bytes  int64    // size of the message in bytes
	Moved  int64    // bytes moved so far, when they go in pieces
	Remote uint32   // index of the other side's request
	Queue  *Request // next in the peer's queue of packets that found no room
}

// State is the step that a transfer waits in.
type State uint8

// The states of a transfer.
const (
	Idle      State = iota
	Queued          // sends: the first packet found no room yet
	Announced       // sends: the receiver has been told and will fetch the data or ask for it
	Pushing         // sends: data goes out in pieces
	Posted          // receives: waits for a match
	Filling         // receives: data comes in pieces
)

// Index is the request's place in its pool.
func (r *Request) Index() uint32 { return r.index }

// Gen is how often the place has been used, modulo 2^32.
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
