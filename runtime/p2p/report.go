package p2p

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
	"gompi/wire/state"
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

// reports tells the launcher what the threads of this rank wait for.
type reports struct {
	e      *Engine
	report Report                           // nil when nobody asks
	rankIn func(ctx uint32, peer int) int32 // the rank of a peer in a context; AnySource for who is not there
	asking asking                           // what the program polls for
}

// SetReport says who writes down what threads wait for, and how the rank of a peer in a context is found,
// AnySource for who is not there; rankIn may not call the engine. It comes before any thread waits.
func (e *Engine) SetReport(f Report, rankIn func(ctx uint32, peer int) int32) {
	e.reports.report, e.reports.rankIn = f, rankIn
}

// rest is how a wait has gone by so far.
type rest struct {
	naps  uint32 // in a row that nobody has ended
	since uint64 // when it fell asleep, by shm.Now; 0 while it does not sleep
	begun uint64 // since when the wait is counted, by shm.Now; 0 while it is not
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

// count has the wait counted from now on, if it is not yet.
func (r *rest) count() {
	if r.begun == 0 {
		r.begun = shm.Now()
	}
}

// waited is how long the wait has lasted since it is counted, in ns.
func (r *rest) waited() uint64 {
	if r.begun == 0 {
		return 0
	}
	return shm.Now() - r.begun
}

// woken notes that somebody has ended a sleep; asked is the number of the last question. A ring for a
// question leaves the wait as old as it is. It may come after the answer, as the launcher counts the question
// first.
func (r *rest) woken(asked uint32) {
	if r.naps = 0; r.heard && asked == r.told {
		r.since = 0
	}
}

// progressed notes whether something has come, of whatever a thread waits for, and reports that. Then it has
// not waited for long, also where it has slept in the fast engine and come here because of a question.
func (r *rest) progressed(some bool, p *fast.Endpoint) bool {
	if some {
		r.naps, r.since, p.Handed = 0, 0, 0
	}
	return some
}

// wait tells what a thread waits for, c, if the launcher has asked once more. The lock is held.
func (q *reports) wait(c any, r *rest) {
	p := q.e.endpoint
	number := atomic.LoadUint32(p.Asked)
	if number == r.told || q.report == nil {
		return
	}
	r.told = number
	now := shm.Now()
	// ns: the thread has come from the fast engine, where it slept, and has waited for a processor meanwhile.
	const recent = 1e9
	if h := p.Handed; h != 0 && now-p.HandedAt < recent {
		r.since = h
	}
	p.Handed, p.Told = 0, number
	r.asleep()
	if _, program := c.(relieved); program {
		return // the progress thread: no thread of the program
	}
	w := q.needs(c)
	w.Thread, w.Since = shm.Thread(), r.since
	w.Sent, w.Taken = q.frames()
	q.report(number, &w, q.e.eachUnexpected)
}

// needs is what condition c needs.
func (q *reports) needs(c any) (w Wait) {
	if g, ok := inner(c).(Grouped); ok {
		name, ranks := g.Group()
		w.Groups = append(w.Groups, Group{name, ranks})
	}
	q.describe(c, &w.Wait)
	return w
}

// frames is how many messages of networks this rank has sent and taken.
func (q *reports) frames() (sent, taken uint32) {
	for i := range q.e.links {
		if c, ok := q.e.links[i].Provider.(transport.Counter); ok {
			s, t := c.Frames()
			sent, taken = sent+s, taken+t
		}
	}
	return sent, taken
}

// inner is the condition that c stands for.
func inner(c any) any {
	if c, ok := c.(within); ok {
		return c.Condition
	}
	return c
}

// describe adds what condition c needs.
func (q *reports) describe(c any, w *state.Wait) {
	switch c := c.(type) {
	case *request.Request:
		q.describeRequest(c, w)
	case oneOf:
		for _, r := range c.all {
			if waitable(r) && !r.Done {
				q.describeRequest(r, w)
			}
		}
	case anyDone:
		w.Any = true
		for _, r := range c {
			if waitable(r) {
				q.describeRequest(r, w)
			}
		}
	case pending:
		if posted, only := c.posted(); only {
			w.Any = c.one
			w.Needs = append(w.Needs, posted...)
		} else if all := c.requests(); c.one && len(all) > 1 {
			q.describe(anyDone(all), w)
		} else if len(all) > 0 {
			q.describe(oneOf{all[0], all}, w)
		}
	case drained, quiet, flushed:
		q.describeSends(w)
	case within:
		q.describe(c.Condition, w)
	case either:
		q.describeRequest(c.r, w)
	case absentees:
		ctx, ranks := c.Absent()
		w.Needs = append(w.Needs, state.Need{Kind: state.Collective, Comm: ctx, Bytes: -1,
			Root: state.NoRoot, Absent: ranks})
	case Describer:
		n := state.Need{Bytes: -1, Root: state.NoRoot}
		c.Describe(&n)
		w.Needs = append(w.Needs, n)
	default: // a goroutine of the library that asks the system, for one
		w.Needs = append(w.Needs, state.Need{Kind: state.Elsewhere, Text: "something that is no message"})
	}
}

// mostNeeds bounds what is told of one wait.
const mostNeeds = 64

// describeRequest adds what a request that is not done needs.
func (q *reports) describeRequest(r *request.Request, w *state.Wait) {
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
		if n.Peer = AnySource; q.rankIn != nil {
			n.Peer = q.rankIn(r.Key.Ctx, r.Peer)
		}
		n.Sync, n.Full = r.Sync || r.State == request.Announced, r.State == request.Queued
	default:
		q.describeParts(r, w)
		return
	}
	if t := r.Buf.Type; t != nil && n.Bytes >= 0 {
		n.Count, n.Type = r.Buf.Count, t.Name()
	}
	w.Needs = append(w.Needs, n)
}

// describeParts adds what a request of several parts needs, or what its operation says.
func (q *reports) describeParts(r *request.Request, w *state.Wait) {
	op, before := request.Behind(r.Op), len(w.Needs)
	if _, whole := op.(Pairwise); !whole {
		q.e.Pool.Any(func(part *request.Request) bool {
			if part.Parent == r && !part.Done {
				q.describeRequest(part, w)
			}
			return len(w.Needs) >= mostNeeds
		})
	}
	for i := before; i < len(w.Needs); i++ {
		w.Needs[i].Name = r.Called
	}
	if len(w.Needs) > before {
		return
	}
	n := state.Need{Bytes: -1, Root: state.NoRoot, Comm: r.Key.Ctx, Name: r.Called}
	switch op := op.(type) {
	case Describer:
		op.Describe(&n)
	case Program:
		n.Kind, n.Text = state.Completion, op.EndedBy()
	default:
		n.Kind, n.Text = state.Elsewhere, "an operation that the system ends"
	}
	w.Needs = append(w.Needs, n)
}

// describeSends adds the sends that are not done.
func (q *reports) describeSends(w *state.Wait) {
	q.e.Pool.Any(func(r *request.Request) bool {
		if r.Kind == request.Send && !r.Done {
			q.describeRequest(r, w)
		}
		return len(w.Needs) >= mostNeeds
	})
	if len(w.Needs) == 0 {
		w.Needs = append(w.Needs, state.Need{Text: "packets for which there is no room"})
	}
}
