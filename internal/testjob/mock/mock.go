// Package mock has a network in memory with all the freedoms that package fabric leaves to one: it
// refuses operations for now, at random; sends are done late, and in any order between peers; receives of
// messages are completed out of order where the provider does so; buffers are short and given back while
// messages are written there; peers fall silent; the first messages to a peer are lost.
// It is for tests of what sends over networks that are not here.
package mock

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"gompi/fabric"
	"gompi/shm"
)

// Behaviour is what a network is like. Chances are in percent.
type Behaviour struct {
	Like      string // the provider of libfabric whose entry in the table of package fabric holds
	Refuse    int    // operations that are refused for now
	Late      int    // messages that a look does not move on, each time
	Shuffle   int    // completions of receives that come after the next one
	Streams   int    // messages that are still written when later ones of other peers are whole
	Slow      int    // those of them that a look does not end
	Depth     int    // sends that an endpoint takes at a time, 0 for any number
	Forget    int    // messages that are lost at most before one arrives, from each endpoint to each other
	Registers bool   // memory has to be registered, and nothing is sent zero-copy
	Blind     bool   // there is no descriptor
	Longest   int    // bytes of the longest message; 0 for any
}

// Network is a network. Endpoints are numbered in the order in which they are made.
type Network struct {
	mu        sync.Mutex
	is        Behaviour
	random    *rand.Rand
	endpoints []*Endpoint
	forgets   map[[2]int]int // messages that are still to be lost, by sender and receiver
}

// New makes a network whose chances follow from the seed.
func New(is Behaviour, seed uint64) *Network {
	return &Network{is: is, random: rand.New(rand.NewPCG(seed, 0)), forgets: make(map[[2]int]int)}
}

// Opener opens endpoints of a new network, whose chances follow from the seed.
func Opener(is Behaviour, seed uint64) fabric.Opener {
	n := New(is, seed)
	return func(o fabric.Opening) (fabric.Opened, error) {
		e, err := n.Open(o.Options)
		return fabric.Opened{Endpoint: e, Provider: is.Like}, err
	}
}

// Endpoint implements fabric.Endpoint.
type Endpoint struct {
	net        *Network
	number     int
	options    fabric.Options
	memory     uintptr
	registered []bool
	inUse      []bool // numbers of operations
	buffers    []buffer
	sending    []message // that have not arrived, oldest first
	arrived    []message // that found no buffer
	writing    []written // messages of which a half stands in a buffer
	done       []fabric.Completion
	told       []fabric.Completion
	armed      bool
	silent     bool
	gone       bool
}

type buffer struct {
	number uint32
	at     uintptr
	free   int
}

type message struct {
	from   int
	to     int
	number uint32     // of the send
	parts  [2]uintptr // where it lies until it arrives
	sizes  [2]int64
	bytes  []byte
}

// written is a message with the completion that comes when it is whole.
type written struct {
	message
	fabric.Completion
}

var _ fabric.Endpoint = (*Endpoint)(nil)

// Open makes an endpoint.
func (n *Network) Open(o fabric.Options) (*Endpoint, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	memory, err := shm.Obtain(int64(o.Chunk) * int64(o.Chunks))
	if err != nil {
		return nil, err
	}
	e := &Endpoint{net: n, number: len(n.endpoints), options: o, memory: memory,
		registered: make([]bool, o.Chunks), inUse: make([]bool, o.Numbers)}
	n.endpoints = append(n.endpoints, e)
	return e, nil
}

// Silence makes a peer one that neither takes nor sends anything any more, as when its machine has stopped:
// nobody is told.
func (e *Endpoint) Silence() {
	e.net.mu.Lock()
	e.silent = true
	e.net.mu.Unlock()
}

// chance is true in so many percent of the cases.
func (n *Network) chance(percent int) bool { return n.random.IntN(100) < percent }

// loses reports whether a message is lost with a connection that has just been made. Its sender may hear of
// that or not.
func (n *Network) loses(from, to int) bool {
	if n.is.Forget == 0 {
		return false
	}
	left, known := n.forgets[[2]int{from, to}]
	if !known {
		left = n.random.IntN(n.is.Forget + 1)
	}
	n.forgets[[2]int{from, to}] = max(left-1, 0)
	return left > 0
}

// Address implements fabric.Endpoint.
func (e *Endpoint) Address() []byte { return binary.LittleEndian.AppendUint32(nil, uint32(e.number)) }

// Insert implements fabric.Endpoint.
func (e *Endpoint) Insert(address []byte) (fabric.Peer, error) {
	e.net.mu.Lock()
	defer e.net.mu.Unlock()
	if len(address) != 4 || int(binary.LittleEndian.Uint32(address)) >= len(e.net.endpoints) {
		return 0, fmt.Errorf("% x is no address", address)
	}
	return fabric.Peer(binary.LittleEndian.Uint32(address)), nil
}

// Memory implements fabric.Endpoint.
func (e *Endpoint) Memory() uintptr { return e.memory }

// Register implements fabric.Endpoint.
func (e *Endpoint) Register(chunk int) error {
	e.registered[chunk] = true
	return nil
}

// SendsTwo implements fabric.Endpoint.
func (e *Endpoint) SendsTwo() bool { return !e.net.is.Registers }

// begin checks what every operation has to keep, and reports whether it is refused.
func (e *Endpoint) begin(number uint32, at uintptr, n int) (refused bool) {
	first, last := int(at-e.memory)/e.options.Chunk, int(at-e.memory+uintptr(n)-1)/e.options.Chunk
	switch {
	case first != last || !e.registered[first]:
		panic("mock: memory that is not registered")
	case e.inUse[number]:
		panic("mock: two operations of one number")
	}
	if e.net.chance(e.net.is.Refuse) {
		return true
	}
	e.inUse[number] = true
	return false
}

// Receive implements fabric.Endpoint.
func (e *Endpoint) Receive(number uint32, at uintptr, n int) fabric.Result {
	e.net.mu.Lock()
	defer e.net.mu.Unlock()
	if e.begin(number, at, n) {
		return fabric.Again
	}
	e.buffers = append(e.buffers, buffer{number: number, at: at, free: n})
	return 0
}

// Send implements fabric.Endpoint.
func (e *Endpoint) Send(number uint32, to fabric.Peer, at uintptr, n int) fabric.Result {
	return e.SendTwo(number, to, at, n, 0, 0)
}

// SendTwo implements fabric.Endpoint. The message is copied when it arrives, so that memory which changes too
// early shows.
func (e *Endpoint) SendTwo(number uint32, to fabric.Peer, at uintptr, n int, from uintptr,
	more int) fabric.Result {
	e.net.mu.Lock()
	defer e.net.mu.Unlock()
	switch {
	case more > 0 && e.net.is.Registers:
		panic("mock: memory that is not registered")
	case e.net.is.Longest > 0 && n+more > e.net.is.Longest, n+more > e.options.Least:
		panic("mock: a message that is too long")
	case e.net.is.Depth > 0 && len(e.sending) >= e.net.is.Depth, e.begin(number, at, n):
		return fabric.Again
	}
	e.sending = append(e.sending, message{from: e.number, to: int(to), number: number,
		parts: [2]uintptr{at, from}, sizes: [2]int64{int64(n), int64(more)}})
	return 0
}

// Done implements fabric.Endpoint.
func (e *Endpoint) Done() []fabric.Completion {
	e.net.mu.Lock()
	defer e.net.mu.Unlock()
	e.move()
	for i := range e.net.endpoints {
		e.net.endpoints[i].move()
	}
	e.told = append(e.told[:0], e.done...)
	e.done = e.done[:0]
	for _, c := range e.told {
		if c.Ended != 0 {
			e.inUse[c.Number] = false
		}
	}
	return e.told
}

// move moves messages on, and puts what has arrived into buffers.
func (e *Endpoint) move() {
	if e.silent || e.gone {
		return
	}
	held := make(map[int]bool) // peers to which a message is late: those behind it are as well
	kept := e.sending[:0]
	for _, m := range e.sending {
		to := e.net.endpoints[m.to]
		switch {
		case held[m.to] || to.silent || e.net.chance(e.net.is.Late):
			held[m.to] = true
			kept = append(kept, m)
		case to.gone:
			e.complete(fabric.Completion{Number: m.number, Error: -111, Ended: 1})
		case e.net.loses(m.from, m.to):
			canceled := int32(-125 * e.net.random.IntN(2)) // or nobody says so
			e.complete(fabric.Completion{Number: m.number, Error: canceled, Ended: 1})
		default:
			for i, part := range m.parts {
				m.bytes = append(m.bytes, shm.Bytes(part, m.sizes[i])...)
			}
			to.arrived = append(to.arrived, m)
			e.complete(fabric.Completion{Number: m.number, Ended: 1})
			to.fill()
		}
	}
	e.sending = kept
	e.write()
	e.fill()
}

// write ends messages of which a half was written. Those of peers that are gone have failed.
func (e *Endpoint) write() {
	kept := e.writing[:0]
	for _, w := range e.writing {
		switch c := w.Completion; {
		case e.net.endpoints[w.from].gone:
			e.complete(fabric.Completion{Number: c.Number, Error: -107, Received: 1, Ended: c.Ended})
		case e.net.chance(e.net.is.Slow):
			kept = append(kept, w)
		default:
			copy(shm.Bytes(uintptr(c.At), int64(len(w.bytes))), w.bytes)
			e.complete(c)
		}
	}
	e.writing = kept
}

// streams reports whether a message of a peer is still written.
func (e *Endpoint) streams(peer int) bool {
	return slices.ContainsFunc(e.writing, func(w written) bool { return w.from == peer })
}

// fill puts messages into buffers, and gives back those with too little room, together with the last message
// that has found some.
func (e *Endpoint) fill() {
	for i := 0; i < len(e.arrived) && len(e.buffers) > 0; {
		b, m := &e.buffers[0], e.arrived[i]
		if e.streams(m.from) {
			i++
			continue
		}
		if len(m.bytes) > b.free {
			panic("mock: a message that is longer than the least room")
		}
		c := fabric.Completion{At: uint64(b.at), Size: uint64(len(m.bytes)), Number: b.number, Received: 1}
		into := shm.Bytes(b.at, int64(len(m.bytes)))
		b.at += uintptr(len(m.bytes))
		b.free -= len(m.bytes)
		e.arrived = slices.Delete(e.arrived, i, i+1)
		if b.free < e.options.Least {
			c.Ended = 1
			e.buffers = e.buffers[1:]
		}
		if e.net.chance(e.net.is.Streams) {
			copy(into, m.bytes[:len(m.bytes)/2])
			e.writing = append(e.writing, written{m, c})
			continue
		}
		copy(into, m.bytes)
		e.complete(c)
	}
}

// complete notes a completion, and rings. That of a message may come after the one that is noted next, be it
// that its buffer is given back with that.
func (e *Endpoint) complete(c fabric.Completion) {
	e.done = append(e.done, c)
	if n := len(e.done); n > 1 && c.Size > 0 && e.done[n-2].Size > 0 && e.net.chance(e.net.is.Shuffle) {
		e.done[n-1], e.done[n-2] = e.done[n-2], e.done[n-1]
	}
	if e.armed {
		e.armed = false
		shm.BellAt(e.options.Bell).Wake()
	}
}

// Arm implements fabric.Endpoint. Messages move only while their sender looks.
func (e *Endpoint) Arm() fabric.Watch {
	e.net.mu.Lock()
	defer e.net.mu.Unlock()
	switch {
	case e.net.is.Blind, e.options.Bell == nil, len(e.sending) > 0:
		return fabric.Blind
	case len(e.done) > 0 || len(e.arrived) > 0 && len(e.buffers) > 0:
		return fabric.Stirred
	}
	e.armed = true
	return fabric.Rings
}

// Sleep implements fabric.Endpoint.
func (e *Endpoint) Sleep(uint32, time.Duration) bool { return false }

// Close implements fabric.Endpoint.
func (e *Endpoint) Close() {
	e.net.mu.Lock()
	defer e.net.mu.Unlock()
	if !e.gone {
		e.gone = true
		shm.Return(e.memory, int64(e.options.Chunk)*int64(e.options.Chunks))
	}
}
