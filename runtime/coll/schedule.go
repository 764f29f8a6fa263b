package coll

import (
	"sync"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
	"gompi/runtime/tool"
)

// Schedule is a collective operation written down: what this rank has to do in it, in order. The engine goes
// on with it whenever its messages have come (request.Operation).
type Schedule struct {
	e     *p2p.Engine
	steps []step
	next  int // the step to go on with
	turns int // how often Advance was called since the operation began
	// found while the operation was written down; reported, but others are served as if there were none
	fault error

	open   uint8 // what the steps since the last that waits have begun
	fence  bool  // the next step has to wait
	chunks []*scratch.Chunk
	spare  *sync.Pool // where the schedule goes when it is done with

	team       Team // that writes it down
	persistent bool

	// What follows the steps where the ranks of a node show each other what they have.
	nbc     nbc
	onNbc   *nbcComm
	x       *p2p.Context
	numbers []int64 // of the blocks of post
	types   []*datatype.Type
}

// step is one thing to do.
type step struct {
	do        action
	wait      bool // all messages begun before have to be done first
	peer, tag int32
	x         *p2p.Context
	a, b      datatype.Buffer
	op        *op.Op
}

type action uint8

const (
	sendIt  action = iota // send a
	recvIt                // receive a
	copyIt                // copy b to a
	applyIt               // combine b with a
)

// What messages are under way, in Schedule.open.
const (
	sends = 1 << iota
	receives
)

func (s *Schedule) add(st step) {
	st.wait = s.fence
	s.fence = false
	s.steps = append(s.steps, st)
}

// settle has the next step wait for all messages.
func (s *Schedule) settle() {
	if s.open != 0 {
		s.open, s.fence = 0, true
	}
}

func (s *Schedule) message(x *exchange, do action, b datatype.Buffer, peer int) {
	s.add(step{do: do, a: b, x: x.context, peer: int32(peer), tag: int32(x.tag)})
}

// send comes after what was received, and may be under way together with sends.
func (s *Schedule) send(x *exchange, b datatype.Buffer, to int) {
	if s.open&receives != 0 {
		s.settle()
	}
	s.open |= sends
	s.message(x, sendIt, b, to)
}

// recv comes after what was sent, and may be under way together with receives.
func (s *Schedule) recv(x *exchange, b datatype.Buffer, from int) {
	if s.open&sends != 0 {
		s.settle()
	}
	s.open |= receives
	s.message(x, recvIt, b, from)
}

func (s *Schedule) sendrecv(x *exchange, out datatype.Buffer, to int, in datatype.Buffer, from int) {
	s.settle()
	s.together(x, recvIt, in, from)
	s.together(x, sendIt, out, to)
}

// together adds a message that may be under way with all others since the last settle.
func (s *Schedule) together(x *exchange, do action, b datatype.Buffer, peer int) {
	s.open |= sends | receives
	s.message(x, do, b, peer)
}

func (s *Schedule) copy(dst, src datatype.Buffer) {
	if dst.Bytes() > 0 && src.Bytes() > 0 {
		s.settle()
		s.add(step{do: copyIt, a: dst, b: src})
	}
}

func (s *Schedule) apply(o *op.Op, in, inout datatype.Buffer) {
	if inout.Count > 0 {
		s.settle()
		s.add(step{do: applyIt, a: inout, b: in, op: o})
	}
}

// Start goes back to the first step (request.Starter).
func (s *Schedule) Start(*request.Request) error {
	s.next, s.turns = 0, 0
	s.team.c.Count(s.team.op, s.algorithm())
	return nil
}

// algorithm is how the operation goes.
func (s *Schedule) algorithm() tool.Algorithm {
	if s.nbc.pattern != fast.PatternNone {
		return tool.NbcCells
	}
	return s.team.algorithm
}

// begin begins the operation, which is not persistent, and counts it.
func (s *Schedule) begin(c *comm.Comm) (*request.Request, error) {
	o, algorithm := s.team.op, s.algorithm() // s may be gone soon
	r, err := s.e.Ops.Begin(s, c.Coll.ID)
	if err == nil {
		c.Count(o, algorithm)
	}
	return r, err
}

// Advance takes all steps up to one that has to wait (request.Operation).
func (s *Schedule) Advance(r *request.Request) (done bool, err error) {
	s.turns++
	if s.next == 0 && r.Err == nil {
		r.Err = s.fault
	}
	for s.next < len(s.steps) {
		st := &s.steps[s.next]
		if st.wait && r.Left > 1 { // one stands for the caller
			return false, nil
		}
		s.next++
		switch st.do {
		case sendIt:
			s.e.Ops.PartSend(r, st.x, s.passes(r, st.a), int(st.peer), int(st.tag))
		case recvIt:
			s.e.Ops.PartRecv(r, st.x, st.a, int(st.peer), int(st.tag), nil)
		case copyIt:
			s.copies(r, st)
		case applyIt:
			s.applies(r, st)
		}
	}
	return s.nbc.pattern == fast.PatternNone || s.advanceNbc(r), nil
}

// passes is failure.passes for an operation that has begun.
func (s *Schedule) passes(r *request.Request, b datatype.Buffer) datatype.Buffer {
	if s.team.partFailed || r.Err != s.fault && isLength(r.Err) {
		return datatype.Raw(0, 0)
	}
	return b
}

// Release gives back the memory of the operation (request.Releaser).
func (s *Schedule) Release() {
	for _, c := range s.chunks {
		s.e.Scratch.Put(c)
	}
	if s.persistent && s.onNbc != nil {
		s.onNbc.segment.GiveBack(s.nbc.row)
	}
	spare := s.spare
	clear(s.steps) // nobody needs what they refer to any more
	clear(s.chunks)
	*s = Schedule{steps: s.steps[:0], chunks: s.chunks[:0], numbers: s.numbers[:0], types: s.types[:0]}
	spare.Put(s)
}

// write has plan write down an operation on c. plan calls one method of Team that is an operation.
func write(c *comm.Comm, persistent bool, plan func(t *Team) error) (*Schedule, error) {
	n := c.Serial()
	s, err := writeUnder(c, tagOf(n), persistent, plan)
	if err != nil {
		c.Unserial(n)
	}
	return s, err
}

// writeUnder is write for an operation with a tag that all ranks know.
func writeUnder(c *comm.Comm, tag int, persistent bool, plan func(t *Team) error) (*Schedule, error) {
	s := blank(c, tag, persistent)
	err := plan(&s.team)
	switch {
	case err != nil:
	case s.onNbc != nil:
		err = s.onNbc.open(c)
	case len(s.steps) == 0:
		offerEmpty(c)
	}
	if err != nil {
		s.Release()
		return nil, err
	}
	s.fault = s.team.err
	return s, nil
}

// blank is a schedule of an operation on c in which nothing stands.
func blank(c *comm.Comm, tag int, persistent bool) *Schedule {
	s, ok := c.Spare.Get().(*Schedule)
	if !ok {
		s = new(Schedule)
	}
	s.e, s.spare, s.x, s.persistent = c.Engine(), &c.Spare, &c.Coll, persistent
	s.team = newTeam(c, tag)
	s.team.plan = s
	return s
}

// serials is how many operations can be told apart.
const serials = 1 << 28

// tagOf is the tag of the operation with a number that comm.Comm.Serial has given.
func tagOf(serial uint32) int { return firstSerialTag + 2*int(serial%serials) }

// Begin starts a nonblocking operation on c: what plan does to a Team, such as calling Team.Allreduce.
func Begin(c *comm.Comm, plan func(t *Team) error) (*request.Request, error) {
	s, err := write(c, false, plan)
	if err != nil {
		return nil, err
	}
	return s.begin(c)
}

// Prepare makes a persistent request for an operation on c (MPI 5.0, 6.13). It is inactive until it is
// started.
func Prepare(c *comm.Comm, plan func(t *Team) error) (*request.Request, error) {
	s, err := write(c, true, plan)
	if err != nil {
		return nil, err
	}
	return s.e.Ops.Prepare(s, c.Coll.ID)
}
