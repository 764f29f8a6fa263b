package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Probe waits until there is a message that a receive from src with tag would get, and tells about it in st
// (MPI_Probe, MPI 5.0, 3.8.1).
func (e *Engine) Probe(x *Context, src, tag int, st *request.Status) error {
	e.lock()
	defer e.unlock()
	return e.awaitMessage(x, src, tag, st)
}

// awaitMessage makes progress until there is such a message. The lock is held.
func (e *Engine) awaitMessage(x *Context, src, tag int, st *request.Status) error {
	err := wait(e, found{e, x, src, tag}, 0)
	if err == nil && !e.seen(x, src, tag, st) {
		err = e.hopeless(x, src, tag)
	}
	return certain(err)
}

// found is the condition that there is a message for a probe.
type found struct {
	e        *Engine
	x        *Context
	src, tag int
}

// Ready implements Condition.
func (f found) Ready() bool {
	var st request.Status
	return f.e.seen(f.x, f.src, f.tag, &st) || f.e.hopeless(f.x, f.src, f.tag) != nil
}

// hopeless is why no message for a probe will come, nil when one may.
func (e *Engine) hopeless(x *Context, src, tag int) error {
	if err := e.broken(x.ID); err != nil {
		return err
	}
	return e.refused(request.Recv, pattern(x, src, tag), -1)
}

// Iprobe reports whether there is such a message, without waiting (MPI_Iprobe, MPI 5.0, 3.8.1).
func (e *Engine) Iprobe(x *Context, src, tag int, st *request.Status) (bool, error) {
	e.lock()
	defer e.unlock()
	look(e, found{e, x, src, tag})
	if e.seen(x, src, tag, st) {
		return true, nil
	}
	inVain(e, found{e, x, src, tag})
	return false, certain(e.hopeless(x, src, tag))
}

// pattern is what a receive or probe looks for.
func pattern(x *Context, src, tag int) match.Key {
	return match.Key{Ctx: x.ID, Src: int32(src), Tag: int32(tag)}
}

func (e *Engine) seen(x *Context, src, tag int, st *request.Status) bool {
	if src == ProcNull {
		*st = procNullStatus
		return true
	}
	i := e.firstUnexpected(pattern(x, src, tag))
	if i == fast.NoRequest {
		return false
	}
	t := e.endpoint.Message(i)
	*st = request.Status{Source: t.Src, Tag: t.Tag, Bytes: int64(t.Size)}
	return true
}
