package p2p

import (
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Probe waits until there is a message that a receive from src with tag would get, and tells about it in st (MPI_Probe,
// MPI 5.0, 3.8.1).
func (e *Engine) Probe(x *Context, src, tag int, st *request.Status) error {
	e.lock()
	defer e.unlock()
	return e.awaitMessage(x, src, tag, st)
}

// awaitMessage makes progress until there is such a message. The lock is held.
func (e *Engine) awaitMessage(x *Context, src, tag int, st *request.Status) error {
	for n := 0; !e.seen(x, src, tag, st); {
		if e.poll() {
			n = 0
			continue
		}
		if err := e.idle(n, -1, packets{}); err != nil {
			return err
		}
		n++
	}
	return nil
}

// Iprobe tells whether there is such a message, without waiting (MPI_Iprobe, MPI 5.0, 3.8.1).
func (e *Engine) Iprobe(x *Context, src, tag int, st *request.Status) (bool, error) {
	e.lock()
	defer e.unlock()
	if e.seen(x, src, tag, st) {
		return true, nil
	}
	e.progress()
	return e.seen(x, src, tag, st), nil
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
	if e.unexpected.n == 0 {
		return false
	}
	u := e.unexpected.first(pattern(x, src, tag))
	if u == nil {
		return false
	}
	*st = request.Status{Source: u.key.Src, Tag: u.key.Tag, Bytes: u.bytes}
	return true
}
