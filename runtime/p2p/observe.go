package p2p

import (
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// What the tool interface sees of the engine.

// What package tool says of the reasons is in the order of the fast engine's.
var (
	_ = [1]struct{}{}[int(tool.NotPlain)-int(fast.NotPlain)]
	_ = [1]struct{}{}[int(tool.NoRoom)-int(fast.NoRoom)]
	_ = [1]struct{}{}[int(tool.Waiting)-int(fast.Waiting)]
	_ = [1]struct{}{}[int(tool.NeedsEngine)-int(fast.NeedsEngine)]
	_ = [1]struct{}{}[int(tool.SentOnly)-int(fast.SentOnly)]
	_ = [1]struct{}{}[int(tool.OtherNodes)-int(fast.OtherNodes)]
	_ = [1]struct{}{}[int(tool.Reasons)-int(fast.Reasons)]
)

// Counters is what this engine has counted, and how much there is of what comes and goes.
func (e *Engine) Counters() tool.Counters {
	e.lock()
	defer e.unlock()
	c := e.count
	c.EagerSent += e.endpoint.Sent
	c.EagerBytes += e.endpoint.SentBytes
	c.WaitedNanoseconds += atomic.LoadUint64(&e.endpoint.Waited)
	c.Sleeps += e.endpoint.Sleeps
	c.AsleepNanoseconds += e.endpoint.Asleep
	for r := range c.Refused {
		c.Refused[r] = atomic.LoadUint64(&e.endpoint.Refused[r])
	}
	c.Unexpected, c.UnexpectedMost = e.endpoint.Arrivals, uint64(e.endpoint.MostEver)
	c.UnexpectedNow = uint64(e.endpoint.Unexpected)
	c.PostedNow = uint64(e.endpoint.Posted)
	c.RequestsNow = uint64(e.endpoint.InUse)
	c.QueuedNow = uint64(len(e.busy))
	for i := range e.links {
		if r := e.links[i].remote; r != nil {
			c.Crossed += r.Crossed()
		}
	}
	return c
}

// EagerLimit is the size in bytes up to which a message travels with its header.
func (t *transports) EagerLimit() int {
	t.lock()
	defer t.unlock()
	return int(t.eager)
}

// SetEagerLimit changes it, for messages whose sending begins from now on; at most to the largest payload
// of a packet.
func (e *Engine) SetEagerLimit(n int) {
	e.lock()
	defer e.unlock()
	if int64(n) != e.eager {
		e.setEager(int64(n))
		e.learnsEager = false
	}
}

// SetRendezvous has the data of long messages come by one protocol from now on, where it can be used
// (tool.RendezvousRead and so on), or by the quickest as far as that is known, with 0.
func (p *protocols) SetRendezvous(protocol int) {
	p.lock()
	defer p.unlock()
	p.pinned = protocol
	p.learnsEager = p.learnsEager && protocol == 0
}

// Observe has r record events from now on.
func (v *observer) Observe(r *tool.Recorder) {
	v.lock()
	defer v.unlock()
	v.recorder.Store(r)
	v.endpoint.Observed = 1
}

// observer tells tools of messages.
type observer struct {
	*core
	recorder atomic.Pointer[tool.Recorder] // nil as long as nobody wants events
	pending  bool                          // events have been recorded
	telling  bool                          // somebody is being told of them
}

// observe records an event about a message, if somebody wants it.
func (v *observer) observe(kind int, peer, tag int32, context uint32, bytes int64) {
	if r := v.recorder.Load(); r.Wanted(kind) {
		r.Message(kind, peer, tag, context, bytes)
		v.pending = true
	}
}

// deliver tells of the events that were recorded, and reports whether there were any. Calls that need not
// poll end with it.
func (v *observer) deliver() bool {
	if !v.pending || v.telling {
		return false
	}
	v.tell()
	return true
}

// tell tells of the events while nothing is locked. What happens meanwhile is told afterwards.
func (v *observer) tell() {
	v.telling = true
	for v.pending {
		v.pending = false
		v.unlock()
		v.recorder.Load().Tell()
		v.lock()
	}
	v.telling = false
}

// sleep is the waiter's Sleep, or that of a link; counted. It reports whether somebody has ended it before
// that time. The lock is held on entry and exit. wakes is what arm has reported.
func (e *Engine) sleep(r *rest, mark uint32, nap time.Duration, wakes bool) (ended bool) {
	e.unlock()
	begin := time.Now()
	if wakes && e.sleeper != nil && e.sleeper.Sleep(mark, nap) {
		r.away = true
	} else {
		e.waiter.Sleep(mark, nap)
	}
	d := time.Since(begin)
	e.lock()
	e.count.Sleeps++
	e.count.AsleepNanoseconds += uint64(d)
	return d < nap
}
