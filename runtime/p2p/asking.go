package p2p

import (
	"slices"
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/shm"
	"gompi/wire/state"
)

// What a rank tells that polls: its calls ask for something that is not there yet, again and again. Calls
// that the fast engine carries out count that alone. Every 64th of them, and the next ones after a question
// of the launcher, come here (docs/internals/hangs.md).

// asking is what the threads of this rank have asked for in vain, since some call did anything else last.
type asking struct {
	since uint64 // when that was found, in ns of shm.Now; 0 for never
	acts  uint64 // fast.Endpoint.Acts then
	count uint32 // *fast.Endpoint.Asks then
	here  uint32 // calls that have come here
	told  uint32 // number of the last question that has been answered so
	left  int    // how many more calls are told for it
	waits []Wait // what has been told, by thread
	still uint64 // since when this process does nothing else, in ns of shm.Now; 0 when that is not known
	last  reading
	least time.Duration // processor time of what follows here, at least
}

// reading is what a process has used of its processors by a time.
type reading struct {
	at      uint64 // in ns of shm.Now; 0 for none
	usage   shm.Usage
	count   uint32 // *fast.Endpoint.Asks
	here    uint32
	clocked uint32
}

// mostAsks is how many calls are told for one question, so that all is told that a loop asks for.
const mostAsks = 8

// inVain follows a call that asks for c, which is not there yet, and lets others run now and then. The lock
// is held on entry and exit.
func inVain[C Condition](e *Engine, c C) {
	e.endpoint.Undo()
	e.endpoint.CountAsk()
	a := &e.reports.asking
	if acts := atomic.LoadUint64(&e.endpoint.Acts); a.since == 0 || acts != a.acts {
		a.begin(e.endpoint, acts)
	}
	a.here++
	number := atomic.LoadUint32(e.endpoint.Asked)
	questioned := e.reports.report != nil && (number != a.told || a.left > 0)
	var begin time.Duration
	if questioned {
		e.reports.asked(number, any(c))
		begin = shm.ThreadTime()
	}
	e.handleFailures()
	e.unlock()
	e.waiter.YieldOccasionally()
	e.lock()
	if questioned {
		a.least = min(a.least, shm.ThreadTime()-begin)
	}
}

// InVain follows a call that asks for c, which is not there yet: for callers with conditions of their own.
func (e *Engine) InVain(c Condition) {
	e.lock()
	inVain(e, c)
	e.unlock()
}

// begin notes that something else has been done than to ask in vain.
func (a *asking) begin(p *fast.Endpoint, acts uint64) {
	if a.left > 0 {
		p.Told = a.told
	}
	*a = asking{since: shm.Now(), acts: acts, count: *p.Asks - 1, told: a.told, waits: a.waits[:0],
		least: longest}
}

// asked tells the launcher that the calling thread asks for c, and what it has asked for before.
func (q *reports) asked(number uint32, c any) {
	a, p := &q.asking, q.e.endpoint
	isNew := number != a.told
	if isNew {
		a.told, a.left = number, mostAsks
		q.measure()
	}
	if a.left--; a.left == 0 {
		p.Told = number
	}
	if q.e.small > 0 {
		q.e.takeIn()
	}
	one := q.needs(c)
	thread := shm.Thread()
	at := slices.IndexFunc(a.waits, func(w Wait) bool { return w.Thread == thread })
	if at < 0 {
		at = len(a.waits)
		a.waits = append(a.waits, Wait{Wait: state.Wait{Thread: thread}})
	}
	w := &a.waits[at]
	if !w.take(&one) && !isNew {
		return
	}
	w.Since, w.Still, w.Asks = a.since, a.still, *p.Asks-a.count
	w.Sent, w.Taken = q.frames()
	told := *w
	told.Needs = slices.Clone(w.Needs) // the reporter changes them
	q.report(number, &told, q.e.eachUnexpected)
	w.Call = told.Call
}

// take adds what a call asks for to what others have, and reports whether that is new.
func (w *Wait) take(one *Wait) (isNew bool) {
	several := len(w.Needs) > 0
	for i := range one.Needs {
		n := one.Needs[i]
		if slices.ContainsFunc(w.Needs, func(o state.Need) bool { return w.same(&o, &n, one.Groups) }) {
			continue
		}
		if isNew = true; len(w.Needs) == mostNeeds {
			break
		}
		if n.Kind == state.Window || n.Kind == state.WindowLock {
			w.Groups = append(w.Groups, one.Groups[n.Comm])
			n.Comm = uint32(len(w.Groups) - 1)
		}
		w.Needs = append(w.Needs, n)
	}
	w.Any = w.Any || one.Any || several && isNew
	return isNew
}

// same reports whether a need of w is the one that a call asks for, whose windows are those of groups.
func (w *Wait) same(o, n *state.Need, groups []Group) bool {
	if o.Kind == state.Window || o.Kind == state.WindowLock {
		return n.Kind == o.Kind && w.Groups[o.Comm] == groups[n.Comm] && n.Text == o.Text
	}
	return o.Kind == n.Kind && o.Comm == n.Comm && o.Peer == n.Peer && o.Tag == n.Tag && o.Bytes == n.Bytes &&
		o.Name == n.Name && o.Text == n.Text
}

// How a process that polls is told from one that computes between its questions.
const (
	shortest = 50 * time.Millisecond // between two readings
	longest  = time.Microsecond      // bounds what follows a question here
	// processor time of a pause between two questions, of the crossing of a call to here and back, and of an
	// answer to the launcher
	pauseTime  = 30 * time.Microsecond
	crossTime  = 600 * time.Nanosecond
	answerTime = 2 * time.Millisecond
)

// measure finds out whether the process has done nothing but to ask in vain, and to sleep, since the last
// question. It has to have used no more of its processors than that takes.
func (q *reports) measure() {
	a, p := &q.asking, q.e.endpoint
	was := a.last
	now := reading{shm.Now(), shm.UsageNow(), *p.Asks, a.here, atomic.LoadUint32(&p.Clocked)}
	span := time.Duration(now.at - was.at)
	if was.at != 0 && span < shortest {
		return
	}
	a.last = now
	asks, here := time.Duration(now.count-was.count), time.Duration(now.here-was.here)
	used := now.usage.Processor - was.usage.Processor
	pauses := time.Duration(now.usage.Pauses - was.usage.Pauses)
	if was.at == 0 || asks == 0 || now.clocked != was.clocked {
		a.still = 0
		return
	}
	asking := asks*q.lookTime() + here*(a.least+crossTime)
	switch {
	case pauses >= asks && used <= asks*pauseTime+answerTime && used <= span/5,
		used <= asking+answerTime && asking >= answerTime:
		if a.still == 0 {
			a.still = was.at
		}
	case used <= asking+answerTime:
		a.last = was // it has got too little of a processor to tell
	default:
		a.still = 0
	}
}

// lookTime is how long a look takes that finds nothing. The lock is held.
func (q *reports) lookTime() time.Duration {
	const times, looks = 4, 16
	least := time.Duration(1<<63 - 1)
	for range times {
		begin := shm.Now()
		for range looks {
			if q.e.poll() {
				q.e.endpoint.Act()
			}
		}
		least = min(least, time.Duration(shm.Now()-begin))
	}
	return least / looks
}
