package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// windowSize is the number of messages in flight at once where a rank deals with many others. More would only
// fill the rings of the others sooner.
const windowSize = 32

// window is a set of messages under way together, which do not touch each other's memory.
type window struct {
	x     *exchange
	n     int
	empty empties
	rs    [windowSize]*request.Request
	want  [windowSize]int64 // bytes to be received, -1 for a send
}

// empties is what becomes of messages without data.
type empties uint8

const (
	sentToFew  empties = iota // their counts come from the program: see leavesOut
	sentAlways                // in groups of any size
	leftOut                   // all ranks know of them
)

// leavesOut reports whether a message has no data and is left out.
func (w *window) leavesOut(b datatype.Buffer) bool {
	if w.empty == leftOut {
		return b.Bytes() == 0
	}
	return w.empty == sentToFew && w.x.leavesOut(b)
}

// room waits for all messages of the window if there is no room for a send and a receive more.
func (w *window) room() {
	if w.n > windowSize-2 {
		w.wait()
	}
}

func (w *window) add(r *request.Request, err error, want int64) {
	if err != nil {
		w.x.note(err)
		return
	}
	w.rs[w.n], w.want[w.n] = r, want
	w.n++
}

// planned adds a message to the plan, if there is one.
func (w *window) planned(do action, b datatype.Buffer, peer int) bool {
	if w.x.plan == nil {
		return false
	}
	if w.n == 0 {
		w.x.plan.settle()
	}
	w.x.plan.together(w.x, do, b, peer)
	w.n++
	return true
}

// send sends b unless it may be left out.
func (w *window) send(b datatype.Buffer, to int) {
	if w.x.dead || w.leavesOut(b) || w.planned(sendIt, b, to) {
		return
	}
	r, err := w.x.e.Isend(w.x.context, w.x.passes(b), to, w.x.tag)
	w.add(r, err, -1)
}

// recv receives b unless it may be left out.
func (w *window) recv(b datatype.Buffer, from int) {
	if w.x.dead || w.leavesOut(b) || w.planned(recvIt, b, from) {
		return
	}
	r, err := w.x.e.Irecv(w.x.context, b, from, w.x.tag)
	w.add(r, err, b.Bytes())
}

// wait waits for all messages of the window, which is empty then. Those that a failure has ended are waited
// for as well: one that a living rank has been told of may use the program's memory until that rank has
// answered.
func (w *window) wait() {
	if w.x.plan != nil {
		w.x.plan.settle()
		w.n = 0
	}
	for i := range w.n {
		if w.x.dead && !p2p.IsLoss(w.x.err) {
			break
		}
		var st request.Status
		err := w.x.e.Wait(w.rs[i], &st)
		if w.want[i] < 0 {
			w.x.note(err)
		} else {
			w.x.received(err, &st, w.want[i])
		}
	}
	w.n = 0
}
