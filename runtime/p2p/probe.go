package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/wire/state"
)

// Probe waits until there is a message that a receive from src with tag would get, and tells about it in st
// (MPI_Probe, MPI 5.0, 3.8.1).
func (e *Engine) Probe(x *Context, src, tag int, st *request.Status) error {
	e.lock()
	defer e.unlock()
	return probe{e, x, src, tag}.wait(st)
}

// Iprobe reports whether there is such a message, without waiting (MPI_Iprobe, MPI 5.0, 3.8.1).
func (e *Engine) Iprobe(x *Context, src, tag int, st *request.Status) (bool, error) {
	e.lock()
	defer e.unlock()
	return probe{e, x, src, tag}.ask(st)
}

// probe looks for a message that a receive would get. As a condition it is ready when there is one, or none
// will come.
type probe struct {
	e        *Engine
	x        *Context
	src, tag int
}

// Ready implements Condition.
func (p probe) Ready() bool {
	var st request.Status
	return p.found(&st) || p.hopeless() != nil
}

// Describe implements Describer.
func (p probe) Describe(n *state.Need) {
	n.Kind, n.Comm, n.Peer, n.Tag = state.Probe, p.x.ID, int32(p.src), int32(p.tag)
}

// wait makes progress until there is such a message. The lock is held.
func (p probe) wait(st *request.Status) error {
	err := wait(p.e, p, 0)
	if err == nil && !p.found(st) {
		err = p.hopeless()
	}
	return certain(err)
}

// ask reports whether there is such a message after some progress. The lock is held.
func (p probe) ask(st *request.Status) (bool, error) {
	look(p.e, p)
	if p.found(st) {
		return true, nil
	}
	inVain(p.e, p)
	return false, certain(p.hopeless())
}

// found reports whether there is such a message, and tells about it in st.
func (p probe) found(st *request.Status) bool {
	if p.src == ProcNull {
		*st = procNullStatus
		return true
	}
	i := p.e.firstUnexpected(pattern(p.x, p.src, p.tag))
	if i == fast.NoRequest {
		return false
	}
	t := p.e.endpoint.Message(i)
	*st = request.Status{Source: t.Src, Tag: t.Tag, Bytes: int64(t.Size)}
	return true
}

// hopeless is why no such message will come, nil when one may.
func (p probe) hopeless() error {
	if err := p.e.broken(p.x.ID); err != nil {
		return err
	}
	return p.e.refused(request.Recv, pattern(p.x, p.src, p.tag), -1)
}

// take takes a message that is found out of the matching. The lock is held.
func (p probe) take() Message {
	if p.src == ProcNull {
		return Message{p.e, fast.NoRequest}
	}
	i := p.e.firstUnexpected(pattern(p.x, p.src, p.tag))
	p.e.endpoint.TakeOut(i)
	return Message{p.e, i}
}

// pattern is what a receive or probe looks for.
func pattern(x *Context, src, tag int) match.Key {
	return match.Key{Ctx: x.ID, Src: int32(src), Tag: int32(tag)}
}
