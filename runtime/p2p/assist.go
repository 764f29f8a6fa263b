package p2p

import (
	"runtime/debug"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// assistant makes progress while no thread of the program is inside MPI: a goroutine on a thread of its own.
// There is one if the user has asked for it, as soon as active messages may come for an object of this
// process (the progress of windows does not depend on calls at the target, MPI 5.0, 12.7.3), and as soon as a
// call ends before the network has taken what it has sent. It works only as long as something is under way
// and nobody waits for it inside; until then it sleeps on a word of its own.
// It sleeps on the doorbell, as a thread that waits does, while it waits for peers.
type assistant struct {
	on     bool
	all    bool // it looks after all that is under way, not only active messages and what was refused
	inside int  // threads that wait inside package p2p, itself included
	stop   bool
	gone   chan struct{}
}

// Assist has the assistant look after all that is under way. The engine was made for several threads.
func (e *Engine) Assist() {
	e.lock()
	defer e.unlock()
	e.progressThread.all = true
	e.startAssistant()
}

// rest is the bell on which it sleeps while nothing needs it (fast.Endpoint.Rest).
func (e *Engine) rest() shm.Bell { return shm.BellAt(&e.endpoint.Rest.Word) }

// share prepares the engine for a second thread. It does no harm while the program has one inside alone.
func (e *Engine) share() {
	if !e.multi {
		e.multi, e.endpoint.Shared = true, 1
	}
}

// alone reports whether the program has one thread inside, and nothing is left for the progress thread that
// share has prepared for. The lock is held.
func (e *Engine) alone() bool {
	return e.multi && !e.threads && e.amObjects == 0 && (e.flusher == nil || !e.flusher.Refused())
}

// unshare is the end of share. It is called by the thread of the program.
func (e *Engine) unshare() {
	e.Dismiss()
	e.multi, e.endpoint.Shared = false, 0
}

// startAssistant starts the assistant if there is none. The lock is held.
func (e *Engine) startAssistant() {
	if !e.progressThread.on {
		e.progressThread.on, e.progressThread.stop, e.progressThread.gone = true, false, make(chan struct{})
		go e.assist(e.progressThread.gone)
	}
}

// Dismiss stops it, and returns when it has.
func (e *Engine) Dismiss() {
	e.lock()
	on := e.progressThread.on
	e.progressThread.on, e.progressThread.all, e.progressThread.stop = false, false, true
	e.unlock()
	if on {
		e.rest().Wake()
		e.waiter.Nudge()
		<-e.progressThread.gone
	}
}

// deserted reports whether the assistant is needed: something is under way that may need this rank, and
// nobody inside looks after it.
func (e *Engine) deserted() bool {
	return e.progressThread.inside == 0 && e.endpoint.BackingOffNow() == 0 && e.unfinished()
}

// endRest wakes the assistant, which rests, if it is needed; where others are inside they do that when they
// leave. The lock is held.
func (e *Engine) endRest() {
	word := &e.endpoint.Rest.Word
	if e.deserted() {
		e.rest().Wake()
	} else if rests := atomic.LoadUint32(word); rests != 0 && e.unfinished() {
		atomic.CompareAndSwapUint32(word, rests, fast.UntilLeft) // unless it has been woken meanwhile
	}
}

// unfinished reports whether anything is under way that may need this rank, of what the assistant looks
// after.
func (e *Engine) unfinished() bool {
	if !e.progressThread.all {
		return e.amObjects > 0 || e.flusher != nil && e.flusher.Refused()
	}
	if e.endpoint.Sending > 0 || e.endpoint.Posted > 0 || e.endpoint.Collectives > 0 || len(e.busy) > 0 ||
		len(e.watched) > 0 || e.filling > 0 || e.amObjects > 0 || e.flusher != nil && e.flusher.Held() {
		return true
	}
	return false
}

func (e *Engine) assist(gone chan struct{}) {
	defer close(gone)
	debug.SetPanicOnFault(true) // handlers of active messages answer with an error for bad memory
	e.lock()
	defer e.unlock()
	for !e.progressThread.stop {
		if e.deserted() {
			e.progressThread.inside++
			_, err := progressUntil(e, relieved{e}, 0) // the program does not wait
			e.progressThread.inside--
			if err != nil {
				return // a rank has died: the program hears of it when it calls
			}
			continue
		}
		until := fast.UntilCalled
		switch {
		case e.unfinished():
			until = fast.UntilLeft
		case e.progressThread.all:
			until = fast.UntilBegun
		}
		e.rest().Arm(until)
		e.unlock()
		e.rest().Sleep(until, 0)
		e.lock()
	}
}

// relieved is the condition that the assistant has nothing more to do.
type relieved struct{ e *Engine }

// Ready implements Condition.
func (c relieved) Ready() bool {
	t := &c.e.progressThread
	return t.inside > 1 || c.e.endpoint.BackingOffNow() > 0 || t.stop || !c.e.unfinished()
}
