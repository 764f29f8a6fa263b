package p2p

import (
	"fmt"
	"slices"
	"sync/atomic"

	"gompi/launch/state"
	"gompi/runtime/group"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// What a thread that waits tells when the launcher asks. All of it is derived then, from what the thread
// waits for and from the state of the engine, so that waits and operations write nothing down beforehand.

// Describer is a Condition that says what would make it ready. The need names a context in the place of a
// communicator, and ranks of that context.
type Describer interface{ Describe(*state.Need) }

// absentees is a Condition of an operation that ranks have to take part in: its context, and those of its
// ranks who have not yet.
type absentees interface {
	Absent() (ctx uint32, ranks []int32)
}

// Grouped is a Describer whose need names ranks of a group, that of a window of that name.
type Grouped interface {
	Describer
	Group() (name string, g *group.Group)
}

// Program is an operation that the program ends, by a call that EndedBy names.
type Program interface{ EndedBy() string }

// Wait is what a thread waits for. Needs of kind Window and WindowLock name one of the groups in the place of
// a communicator.
type Wait struct {
	state.Wait
	Groups      []Group
	Sent, Taken uint32 // frames, see state.Rank
}

// Group is the ranks of a window.
type Group struct {
	Name  string
	Ranks *group.Group
}

// Report tells what a thread waits for, as the report of that number. It is called by that thread, with the
// engine's lock held, and may not call the engine. unexpected goes through the messages that no receive was
// posted for, as long as it is told to. It adds the call to w, whose needs it may change.
type Report func(number uint32, w *Wait, unexpected func(yield func(*Unexpected) bool))

// Unexpected is a message that no receive was posted for.
type Unexpected struct {
	Ctx      uint32
	Src, Tag int32
	Bytes    int64
	Text     string // its type signature, and who has sent it, where that is checked
}

// SetReport says who writes down what threads wait for. It comes before any does.
func (e *Engine) SetReport(f Report) { e.reporter = f }

// rest is how a wait has gone by so far.
type rest struct {
	naps  uint32 // in a row that nobody has ended
	since uint64 // when it fell asleep, by shm.Now; 0 while it does not sleep
	told  uint32 // number of the last report
	heard bool   // the bells had rung for the last question when the present sleep began
	away  bool   // it has slept at the sleeper
}

// asleep notes that the thread is about to sleep.
func (r *rest) asleep() {
	if r.since == 0 {
		r.since = shm.Now()
	}
}

// woken notes that somebody has ended a sleep; asked is the number of the last question. A ring for a
// question leaves the wait as old as it is. It may come after the answer, as the launcher counts the question
// first.
func (r *rest) woken(asked uint32) {
	if r.naps = 0; r.heard && asked == r.told {
		r.since = 0
	}
}

// moved notes that something has come, of whatever a thread waits for: it has not waited for long, also where
// it has slept in the fast engine and come here because of a question.
func (e *Engine) moved(r *rest) {
	r.naps, r.since, e.endpoint.Handed = 0, 0, 0
}

// othersMoved is pollOthers while a thread waits.
func (e *Engine) othersMoved(r *rest) bool {
	if !e.pollOthers() {
		return false
	}
	e.moved(r)
	return true
}

// tell tells what the thread waits for if the launcher has asked once more. The lock is held.
func tell[C Condition](e *Engine, c C, r *rest) {
	number := atomic.LoadUint32(e.endpoint.Asked)
	if number == r.told || e.reporter == nil {
		return
	}
	r.told = number
	now := shm.Now()
	// ns: the thread has come from the fast engine, where it slept, and has waited for a processor meanwhile.
	const recent = 1e9
	if h := e.endpoint.Handed; h != 0 && now-e.endpoint.HandedAt < recent {
		r.since = h
	}
	e.endpoint.Handed, e.endpoint.Told = 0, number
	r.asleep()
	w := Wait{Wait: state.Wait{Thread: shm.Thread(), Since: r.since}}
	if _, program := any(c).(relieved); program {
		return // the assistant: no thread of the program
	}
	if g, ok := inner(any(c)).(Grouped); ok {
		name, ranks := g.Group()
		w.Groups = append(w.Groups, Group{name, ranks})
	}
	e.describe(any(c), &w.Wait)
	w.Sent, w.Taken = e.frames()
	e.reporter(number, &w, e.eachUnexpected)
}

// frames is how many messages of networks this rank has sent and taken.
func (e *Engine) frames() (sent, taken uint32) {
	for i := range e.links {
		if c, ok := e.links[i].Provider.(transport.Counter); ok {
			s, t := c.Frames()
			sent, taken = sent+s, taken+t
		}
	}
	return sent, taken
}

func (e *Engine) eachUnexpected(yield func(*Unexpected) bool) {
	for _, i := range e.endpoint.InOrder() {
		m, text := e.messageAt(i), ""
		if m.sig != nil {
			text = m.sig.text
		}
		if !yield(&Unexpected{m.key.Ctx, m.key.Src, m.key.Tag, m.bytes, text}) {
			return
		}
	}
}

// inner is the condition that c stands for.
func inner(c any) any {
	if c, ok := c.(within); ok {
		return c.Condition
	}
	return c
}

// describe adds what condition c needs.
func (e *Engine) describe(c any, w *state.Wait) {
	switch c := c.(type) {
	case *request.Request:
		e.describeRequest(c, w)
	case oneOf:
		for _, r := range c.all {
			if waitable(r) && !r.Done {
				e.describeRequest(r, w)
			}
		}
	case anyDone:
		w.Any = true
		for _, r := range c {
			if waitable(r) {
				e.describeRequest(r, w)
			}
		}
	case partition:
		before := len(w.Needs)
		if e.describeRequest(c.r, w); len(w.Needs) > before {
			w.Needs[before].Text = fmt.Sprintf("partition %d of ", c.i)
		}
	case taken:
		w.Any = c.one
		for _, name := range c.names {
			t := e.endpoint.Request(name.Index)
			w.Needs = append(w.Needs, state.Need{Kind: state.Receive, Comm: t.Ctx, Peer: t.Src, Tag: t.Tag,
				Bytes: int64(t.Size), Root: state.NoRoot})
			if len(w.Needs) >= mostNeeds {
				break
			}
		}
	case found:
		w.Needs = append(w.Needs, state.Need{Kind: state.Probe, Comm: c.x.ID, Peer: int32(c.src),
			Tag: int32(c.tag), Bytes: -1})
	case drained, quiet, flushed:
		e.describeSends(w)
	case within:
		e.describe(c.Condition, w)
	case either:
		e.describeRequest(c.r, w)
	case absentees:
		ctx, ranks := c.Absent()
		w.Needs = append(w.Needs, state.Need{Kind: state.Collective, Comm: ctx, Bytes: -1,
			Root: state.NoRoot, Absent: ranks})
	case Describer:
		n := state.Need{Bytes: -1, Root: state.NoRoot}
		c.Describe(&n)
		w.Needs = append(w.Needs, n)
	case sentAM:
		w.Needs = append(w.Needs, state.Need{Text: "room at another rank"})
	default: // a goroutine of the library that asks the system, for one
		w.Needs = append(w.Needs, state.Need{Kind: state.Elsewhere, Text: "something that is no message"})
	}
}

// mostNeeds bounds what is told of one wait.
const mostNeeds = 64

// describeRequest adds what a request that is not done needs.
func (e *Engine) describeRequest(r *request.Request, w *state.Wait) {
	if len(w.Needs) >= mostNeeds {
		return
	}
	n := state.Need{Comm: r.Key.Ctx, Peer: r.Key.Src, Tag: r.Key.Tag, Root: state.NoRoot, Bytes: -1}
	switch r.Kind {
	case request.Recv:
		n.Kind = state.Receive
		if n.Bytes = r.Buf.Bytes(); r.State == request.Filling {
			n.Text = "its data"
		}
	case request.Send:
		n.Kind, n.Bytes = state.Send, r.Bytes
		n.Peer = e.rankOf(r)
		n.Sync, n.Full = r.Sync || r.State == request.Announced, r.State == request.Queued
	case request.Flush:
		n.Text = "messages of an attached buffer"
	default:
		e.describeParts(r, w)
		return
	}
	if t := r.Buf.Type; t != nil && n.Bytes >= 0 {
		n.Count, n.Type = r.Buf.Count, t.Name()
	}
	w.Needs = append(w.Needs, n)
}

// rankOf is the rank, in the context, of the receiver of a send; AnySource when nothing tells it.
func (e *Engine) rankOf(r *request.Request) int32 {
	if e.rankIn != nil {
		return e.rankIn(r.Key.Ctx, r.Peer)
	}
	return AnySource
}

// SetRankIn says how a peer is found in a context, by its rank there; AnySource for who is not there. It may
// not call the engine.
func (e *Engine) SetRankIn(f func(ctx uint32, peer int) int32) { e.rankIn = f }

// describeParts adds what a request of several parts needs, or what its operation says.
func (e *Engine) describeParts(r *request.Request, w *state.Wait) {
	switch op := r.Op.(type) {
	case *partSend:
		w.Needs = append(w.Needs, op.need(r))
		return
	case *partRecv:
		w.Needs = append(w.Needs, state.Need{Kind: state.Receive, Comm: op.key.Ctx, Peer: op.key.Src,
			Tag: op.key.Tag, Bytes: op.buf.Bytes(), Count: op.buf.Count, Type: op.buf.Type.Name(),
			Root: state.NoRoot})
		return
	}
	before := len(w.Needs)
	e.Pool.Any(func(part *request.Request) bool {
		if part.Parent == r && !part.Done {
			e.describeRequest(part, w)
		}
		return len(w.Needs) >= mostNeeds
	})
	for i := before; i < len(w.Needs); i++ {
		w.Needs[i].Name = r.Called
	}
	if len(w.Needs) > before {
		return
	}
	n := state.Need{Bytes: -1, Root: state.NoRoot, Comm: r.Key.Ctx, Name: r.Called}
	switch op := request.Behind(r.Op).(type) {
	case Describer:
		op.Describe(&n)
	case Program:
		n.Kind, n.Text = state.Completion, op.EndedBy()
	default:
		n.Kind, n.Text = state.Elsewhere, "an operation that the system ends"
	}
	w.Needs = append(w.Needs, n)
}

// need is what a partitioned send waits for: its partitions to be ready or, when all are, the receiver.
func (s *partSend) need(r *request.Request) state.Need {
	n := state.Need{Kind: state.Send, Comm: r.Key.Ctx, Peer: int32(s.dst), Bytes: s.buf.Bytes(),
		Count: s.buf.Count, Type: s.buf.Type.Name(), Root: state.NoRoot}
	if s.offer != nil {
		n.Tag = s.offer.key.Tag
	}
	if s.left > 0 {
		n.Kind = state.Partition
		n.Text = fmt.Sprintf("MPI_Pready of partition %d", slices.Index(s.ready, false))
		if s.left > 1 {
			n.Text += fmt.Sprintf(" and %d more", s.left-1)
		}
	}
	return n
}

// describeSends adds the sends that are not done.
func (e *Engine) describeSends(w *state.Wait) {
	e.Pool.Any(func(r *request.Request) bool {
		if r.Kind == request.Send && !r.Done {
			e.describeRequest(r, w)
		}
		return len(w.Needs) >= mostNeeds
	})
	if len(w.Needs) == 0 {
		w.Needs = append(w.Needs, state.Need{Text: "packets for which there is no room"})
	}
}
