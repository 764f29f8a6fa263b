package schedule

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
)

// Schedule is what a rank has to do by itself and by messages in a collective operation, in order.
type Schedule struct {
	Engine *p2p.Engine
	steps  []step
	next   int // the step to go on with
	turns  int // how often it was gone on with since the operation began
	// found while the operation was written down; reported, but others are served as if there were none
	Fault      error
	PartFailed bool // was then so

	open   uint8 // what the steps since the last that waits have begun
	fence  bool  // the next step has to wait
	chunks []*scratch.Chunk
}

// step is one thing to do.
type step struct {
	do        Action
	wait      bool // all messages begun before have to be done first
	peer, tag int32
	x         *p2p.Context
	a, b      datatype.Buffer
	op        *op.Op
}

// Action is what a step does.
type Action uint8

const (
	Send  Action = iota // send a
	Recv                // receive a
	Copy                // copy b to a
	Apply               // combine b with a
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

// Fence has the next step wait for all messages.
func (s *Schedule) Fence() {
	if s.open != 0 {
		s.open, s.fence = 0, true
	}
}

func (s *Schedule) message(x *Exchange, do Action, b datatype.Buffer, peer int) {
	s.add(step{do: do, a: b, x: x.Context, peer: int32(peer), tag: int32(x.Tag)})
}

// send comes after what was received, and may be under way together with sends.
func (s *Schedule) send(x *Exchange, b datatype.Buffer, to int) {
	if s.open&receives != 0 {
		s.Fence()
	}
	s.open |= sends
	s.message(x, Send, b, to)
}

// recv comes after what was sent, and may be under way together with receives.
func (s *Schedule) recv(x *Exchange, b datatype.Buffer, from int) {
	if s.open&sends != 0 {
		s.Fence()
	}
	s.open |= receives
	s.message(x, Recv, b, from)
}

func (s *Schedule) sendrecv(x *Exchange, out datatype.Buffer, to int, in datatype.Buffer, from int) {
	s.Fence()
	s.Together(x, Recv, in, from)
	s.Together(x, Send, out, to)
}

// Together adds a message that may be under way with all others since the last Fence.
func (s *Schedule) Together(x *Exchange, do Action, b datatype.Buffer, peer int) {
	s.open |= sends | receives
	s.message(x, do, b, peer)
}

func (s *Schedule) copy(dst, src datatype.Buffer) {
	if dst.Bytes() > 0 && src.Bytes() > 0 {
		s.Fence()
		s.add(step{do: Copy, a: dst, b: src})
	}
}

func (s *Schedule) apply(o *op.Op, in, inout datatype.Buffer) {
	if inout.Count > 0 {
		s.Fence()
		s.add(step{do: Apply, a: inout, b: in, op: o})
	}
}

// Rewind goes back to the first step.
func (s *Schedule) Rewind() { s.next, s.turns = 0, 0 }

// Run takes all steps up to one that has to wait, for one of the messages of r; true when there is none left.
func (s *Schedule) Run(r *request.Request) bool {
	s.turns++
	if s.next == 0 && r.Err == nil {
		r.Err = s.Fault
	}
	for s.next < len(s.steps) {
		st := &s.steps[s.next]
		if st.wait && r.Left > 1 { // one stands for the caller
			return false
		}
		s.next++
		switch st.do {
		case Send:
			s.Engine.Ops.PartSend(r, st.x, s.passes(r, st.a), int(st.peer), int(st.tag))
		case Recv:
			s.Engine.Ops.PartRecv(r, st.x, st.a, int(st.peer), int(st.tag), nil)
		case Copy:
			s.copies(r, st)
		case Apply:
			s.applies(r, st)
		}
	}
	return true
}

// passes is Failure.passes for an operation that has begun.
func (s *Schedule) passes(r *request.Request, b datatype.Buffer) datatype.Buffer {
	if s.PartFailed || r.Err != s.Fault && IsLength(r.Err) {
		return datatype.Raw(0, 0)
	}
	return b
}

// Clear gives back its memory, and leaves nothing in it.
func (s *Schedule) Clear() {
	for _, c := range s.chunks {
		s.Engine.Scratch.Put(c)
	}
	clear(s.steps) // nobody needs what they refer to any more
	clear(s.chunks)
	*s = Schedule{steps: s.steps[:0], chunks: s.chunks[:0]}
}

// Empty reports whether there is nothing to be done.
func (s *Schedule) Empty() bool { return len(s.steps) == 0 }

// OnlyCopy is what the only step copies. ok says that there is no other step, and none that does not copy.
func (s *Schedule) OnlyCopy() (dst, src datatype.Buffer, ok bool) {
	if len(s.steps) == 0 {
		return datatype.Raw(0, 0), datatype.Raw(0, 0), true
	}
	st := &s.steps[0]
	return st.a, st.b, len(s.steps) == 1 && st.do == Copy
}

// Skip goes behind the last step.
func (s *Schedule) Skip() { s.next, s.turns = len(s.steps), 1 }
