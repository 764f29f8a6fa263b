// Package fabric says what gompi wants of a network beyond the node: endpoints that send messages to
// addresses, without connections that a program would see. Package libfabric below it has them by the
// library of that name, package builtin by sockets, and package mock of internal/testjob in memory, for
// tests. Which of the providers of libfabric is taken, and how they differ, stands here (providers.go).
//
// It knows messages of bytes. What is in them, credits and order of packets are in runtime/transport/network.
package fabric

import "time"

// Endpoint sends and receives messages. Messages to one peer arrive in the order in which they were sent, and
// whole. Its methods are called by one thread at a time.
//
// Operations under way are named by numbers below Options.Numbers: whoever begins one chooses a number that
// names none. Memory that is sent from or received into lies in registered chunks of the endpoint's memory,
// and stays as it is until the operation is done.
type Endpoint interface {
	// Address is where others find this endpoint.
	Address() []byte
	// Insert makes the endpoint with an address a peer.
	Insert(address []byte) (Peer, error)

	// Memory is where the memory of the endpoint begins: Options.Chunks of Options.Chunk bytes each.
	Memory() uintptr
	// Register makes a chunk of the memory fit for use.
	Register(chunk int) error
	// SendsTwo reports whether SendTwo may be used.
	SendsTwo() bool

	// Receive offers n bytes at an address for messages: as many as fit, until less than Options.Least bytes
	// are left.
	Receive(number uint32, at uintptr, n int) Result
	// Send sends the n bytes at an address.
	Send(number uint32, to Peer, at uintptr, n int) Result
	// SendTwo sends as one message the n bytes at an address and the more bytes at from, which is any memory
	// of the program but Go's.
	SendTwo(number uint32, to Peer, at uintptr, n int, from uintptr, more int) Result

	// Done makes progress and looks which operations are done. The slice is good until the next call.
	Done() []Completion

	// Arm has the bell rung as soon as Done may find something, once.
	Arm() Watch
	// Sleep sleeps on the bell's behalf after an Arm that rings, where the rank is alone: until Done may find
	// something or the bell is rung, at most for that time. It does not sleep if the word of the bell is no
	// longer mark. It reports whether it has taken the sleep upon itself: where not, the bell is to be slept
	// on. It may be called while another method is.
	Sleep(mark uint32, most time.Duration) bool

	Close()
}

// Options says how an endpoint is made. Sizes are in bytes.
type Options struct {
	Peers         int  // ranks in the job
	Least         int  // free bytes below which memory for receives is given back
	Chunk, Chunks int  // the memory of the endpoint
	Numbers       int  // operations that can be under way
	Alone         bool // no other rank is on the node
	// Bell is the word of a shm.Bell by which sleepers are woken, in memory that is not Go's
	Bell *uint32
}

// Peer names a peer of an endpoint.
type Peer uint64

// Result is 0 when an operation has begun, otherwise the negative number of an error of the system's.
type Result int

// Again is the result of what cannot begin now, but later.
const Again = Result(-11)

// Completion is an operation that is done. A receive has one for each message.
type Completion struct {
	At       uint64 // receives: where the message is
	Size     uint64 // of the message, 0 if there is none
	Number   uint32 // of the operation
	Error    int32  // 0, or the negative number of an error of the system's
	Received uint32 // 1 for a receive
	Ended    uint32 // 1 when the number is free again
}

// Watch is what Endpoint.Arm promises.
type Watch int

// What Arm promises.
const (
	Blind   Watch = -1 // nobody rings: short naps
	Stirred Watch = 0  // there is something already
	Rings   Watch = 1
)
