package p2p

import (
	"sync/atomic"

	"gompi/shm"
)

// assistant makes progress while no thread of the program is inside MPI: a goroutine on a thread of its own.
// There is one if the user has asked for it, as soon as active messages may come for an object of this
// process (the progress of windows does not depend on calls at the target, MPI 5.0, 12.7.3), and as soon as a
// call ends before the network has taken what it has sent. It works only as long as something is under way
// and nobody waits for it inside; until then it sleeps on a word of its own.
// It sleeps on the doorbell, as a thread that waits does, while it waits for peers.
type assistant struct {
	on      bool
	all     bool   // it looks after all that is under way, not only active messages and what was refused
	inside  int    // threads that wait inside, itself included
	resting uint32 // futex: 1 while it sleeps on this word
	stop    bool
	gone    chan struct{}
}

// Assist has the assistant look after all that is under way. The engine was made for several threads.
func (e *Engine) Assist() {
	e.lock()
	defer e.unlock()
	e.progressThread.all = true
	e.startAssistant()
}

// share prepares the engine for a second thread. It does no harm while the program has one inside alone.
func (e *Engine) share() {
	if !e.multi {
		e.multi, e.endpoint.Shared = true, 1
	}
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
		e.rouse()
		e.waiter.Nudge()
		<-e.progressThread.gone
	}
}

// rouse ends the assistant's rest.
func (e *Engine) rouse() {
	if atomic.SwapUint32(&e.progressThread.resting, 0) != 0 {
		shm.FutexWake(&e.progressThread.resting, 1)
	}
}

// deserted reports whether the assistant is needed: something is under way that may need this rank, and
// nobody inside looks after it.
func (e *Engine) deserted() bool { return e.progressThread.inside == 0 && e.unfinished() }

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
	for _, n := range e.nPosted {
		if n > 0 {
			return true
		}
	}
	return false
}

func (e *Engine) assist(gone chan struct{}) {
	defer close(gone)
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
		atomic.StoreUint32(&e.progressThread.resting, 1)
		e.unlock()
		shm.FutexWait(&e.progressThread.resting, 1, 0)
		e.lock()
	}
}

// relieved is the condition that the assistant has nothing more to do.
type relieved struct{ e *Engine }

// Ready implements Condition.
func (c relieved) Ready() bool {
	return c.e.progressThread.inside > 1 || c.e.progressThread.stop || !c.e.unfinished()
}
