package p2p

import (
	"runtime/debug"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// progressThread makes progress while no thread of the program is inside MPI: a goroutine on a thread of its
// own. There is one if the user has asked for it, as soon as active messages may come for an object of this
// process (the progress of windows does not depend on calls at the target, MPI 5.0, 12.7.3), and as soon as a
// call ends before the network has taken what it has sent. It works only as long as something is under way
// and nobody waits for it inside; until then it sleeps on a word of its own.
// It sleeps on the doorbell, as a thread that waits does, while it waits for peers.
type progressThread struct {
	*core
	transports *transports
	queues     *queues
	engine     *Engine // which it makes progress in
	on         bool
	all        bool // it looks after all that is under way, not only active messages and what was refused
	inside     int  // threads that wait inside package p2p, itself included
	stop       bool
	gone       chan struct{}
}

// Assist has the progress thread look after all that is under way. The engine was made for several threads.
func (h *progressThread) Assist() {
	h.lock()
	defer h.unlock()
	h.all = true
	h.startThread()
}

// rest is the bell on which it sleeps while nothing needs it (fast.Endpoint.Rest).
func (h *progressThread) rest() shm.Bell { return shm.BellAt(&h.endpoint.Rest.Word) }

// share prepares the engine for a second thread. It does no harm while the program has one inside alone.
func (h *progressThread) share() {
	if !h.multi {
		h.multi, h.endpoint.Shared = true, 1
	}
}

// alone reports whether the program has one thread inside, and nothing is left for the progress thread that
// share has prepared for. The lock is held.
func (h *progressThread) alone() bool {
	return h.multi && !h.threads && h.engine.AM.expected == 0 && !h.transports.untaken()
}

// unshare is the end of share. It is called by the thread of the program.
func (h *progressThread) unshare() {
	h.Dismiss()
	h.multi, h.endpoint.Shared = false, 0
}

// startThread starts the progress thread if there is none. The lock is held.
func (h *progressThread) startThread() {
	if !h.on {
		h.on, h.stop, h.gone = true, false, make(chan struct{})
		go h.assist(h.gone)
	}
}

// Dismiss stops it, and returns when it has.
func (h *progressThread) Dismiss() {
	h.lock()
	on := h.on
	h.on, h.all, h.stop = false, false, true
	h.unlock()
	if on {
		h.rest().Wake()
		h.waiter.Nudge()
		<-h.gone
	}
}

// noThreadInside reports whether the progress thread is needed: something is under way that may need this
// rank, and nobody inside looks after it.
func (h *progressThread) noThreadInside() bool {
	return h.inside == 0 && h.endpoint.BackingOffNow() == 0 && h.unfinished()
}

// wakeIfNeeded wakes the progress thread, which rests, if it is needed; where others are inside they do that
// when they leave. The lock is held.
func (h *progressThread) wakeIfNeeded() {
	word := &h.endpoint.Rest.Word
	if h.noThreadInside() {
		h.rest().Wake()
	} else if rests := atomic.LoadUint32(word); rests != 0 && h.unfinished() {
		atomic.CompareAndSwapUint32(word, rests, fast.UntilLeft) // unless it has been woken meanwhile
	}
}

// unfinished reports whether anything is under way that may need this rank, of what the progress thread looks
// after.
func (h *progressThread) unfinished() bool {
	if !h.all {
		return h.engine.AM.expected > 0 || h.transports.untaken()
	}
	t := h.endpoint
	return t.Sending > 0 || t.Posted > 0 || t.Collectives > 0 || t.Watched > 0 || len(h.queues.busy) > 0 ||
		h.filling > 0 || h.engine.AM.expected > 0 || h.transports.held()
}

func (h *progressThread) assist(gone chan struct{}) {
	defer close(gone)
	debug.SetPanicOnFault(true) // handlers of active messages answer with an error for bad memory
	h.lock()
	defer h.unlock()
	for !h.stop {
		if h.noThreadInside() {
			h.inside++
			_, err := progressUntil(h.engine, relieved{h}, 0) // the program does not wait
			h.inside--
			if err != nil {
				return // a rank has died: the program hears of it when it calls
			}
			continue
		}
		until := fast.UntilCalled
		switch {
		case h.unfinished():
			until = fast.UntilLeft
		case h.all:
			until = fast.UntilBegun
		}
		h.rest().Arm(until)
		h.unlock()
		h.rest().Sleep(until, 0)
		h.lock()
	}
}

// relieved is the condition that the progress thread has nothing more to do.
type relieved struct{ h *progressThread }

// Ready implements Condition.
func (c relieved) Ready() bool {
	return c.h.inside > 1 || c.h.endpoint.BackingOffNow() > 0 || c.h.stop || !c.h.unfinished()
}

// sendHeld has providers send what they keep back: this thread is about to wait, or to leave the library. The
// lock is held. What the network goes on to refuse, as it does until there is a connection, is left to the
// progress thread: its receiver may wait, and the program may not call for long.
func (h *progressThread) sendHeld() {
	if h.transports.flusher == nil {
		return
	}
	h.transports.flusher.Flush()
	if h.transports.flusher.Refused() && !h.on {
		if !h.multi {
			h.share()
			h.endpoint.Acquire() // as unlock expects it from now on
		}
		h.startThread()
	}
}
