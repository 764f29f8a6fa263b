package p2p

import (
	"sync/atomic"

	"gompi/runtime/request"
	"gompi/shm"
)

// Ranks of other nodes are reached over a link of their own, which the fast engine does not know. It carries
// out what needs the node alone, and has a call come here from time to time (fast.Endpoint.FarDue).

// isFarSource reports whether the source of a receive is one rank, of another node.
func (c *core) isFarSource(x *Context, src int) bool {
	return src >= 0 && c.peers[x.Peers.Of(src)].far
}

// mayBeFar reports whether the message of a receive may come from another node.
func (t *transports) mayBeFar(r *request.Request) bool {
	return r.Far || r.Key.Src == AnySource && len(t.links) > 1
}

// farActive tells the fast engine that something may be under way with another node.
func (c *core) farActive() { atomic.StoreUint32(&c.endpoint.FarActive, 1) }

// FarDue reports whether Attend is to be called. It takes no lock.
func (c *core) FarDue() bool { return atomic.LoadUint32(&c.endpoint.FarDue) != 0 }

// Attend deals with what peers have sent that the fast engine does not reach. It is called by a thread of the
// program that enters the library.
func (e *Engine) Attend() {
	e.lock()
	atomic.StoreUint32(&e.endpoint.FarDue, 0)
	for i := 1; i < len(e.links); i++ {
		l := &e.links[i]
		for range progressLimit {
			peer, p, payload := l.Poll()
			if p == nil {
				break
			}
			e.take(l, peer, p, payload)
		}
	}
	if e.zeroCopy != nil {
		e.takeCompleted()
	}
	if len(e.busy) > 0 {
		e.flush()
	}
	if e.bridged > 0 {
		e.ProgressLocked()
	}
	e.looked()
	alone := e.alone()
	e.unlock()
	if alone {
		e.unshare()
	}
}

// looked notes that peers have been looked at that the fast engine does not reach, and whether anything is
// under way with them still.
func (e *Engine) looked() {
	atomic.StoreUint64(&e.endpoint.FarLooked, shm.Now())
	waits := e.endpoint.FarPosted > 0 || e.bridged > 0 && e.endpoint.Posted > 0
	sends := e.endpoint.Sending > 0 || len(e.busy) > 0 || e.held()
	if !waits && !sends {
		atomic.StoreUint32(&e.endpoint.FarActive, 0)
	}
}
