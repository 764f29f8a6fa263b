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
	n     int
	empty bool // messages without data are sent in groups of any size
	rs    [windowSize]*request.Request
	want  [windowSize]int64 // bytes to be received, -1 for a send
}

// leavesOut reports whether a message has no data and is left out.
func (w *window) leavesOut(t *Team, b datatype.Buffer) bool { return !w.empty && t.leavesOut(b) }

// emptyRanks is the size of a group up to which messages without data are sent. Then a rank that expects data
// of one that sends none gets an error instead of waiting. In larger groups it may wait, because in
// operations whose counts are mostly 0 these messages would be nearly all.
const emptyRanks = 64

// leavesOut reports whether a message between two ranks whose counts come from the program has no data and is
// left out. Both sides find the same: that depends on the groups alone.
func (t *Team) leavesOut(b datatype.Buffer) bool {
	return b.Bytes() == 0 && max(t.c.Size(), t.c.Targets()) > emptyRanks
}

// room waits for all messages of the window if there is no room for a send and a receive more.
func (w *window) room(t *Team) {
	if w.n > windowSize-2 {
		w.wait(t)
	}
}

func (w *window) add(t *Team, r *request.Request, err error, want int64) {
	if err != nil {
		t.note(err)
		return
	}
	w.rs[w.n], w.want[w.n] = r, want
	w.n++
}

// planned adds a message to the plan, if there is one.
func (w *window) planned(t *Team, do action, b datatype.Buffer, peer int) bool {
	if t.plan == nil {
		return false
	}
	if w.n == 0 {
		t.plan.settle()
	}
	t.plan.together(t, do, b, peer)
	w.n++
	return true
}

// send sends b unless it may be left out.
func (w *window) send(t *Team, b datatype.Buffer, to int) {
	if t.dead || w.leavesOut(t, b) || w.planned(t, sendIt, b, to) {
		return
	}
	r, err := t.e.Isend(t.x, t.passes(b), to, t.tag)
	w.add(t, r, err, -1)
}

// recv receives b unless it may be left out.
func (w *window) recv(t *Team, b datatype.Buffer, from int) {
	if t.dead || w.leavesOut(t, b) || w.planned(t, recvIt, b, from) {
		return
	}
	r, err := t.e.Irecv(t.x, b, from, t.tag)
	w.add(t, r, err, b.Bytes())
}

// wait waits for all messages of the window, which is empty then. Those that a failure has ended are waited
// for as well: one that a living rank has been told of may use the program's memory until that rank has
// answered.
func (w *window) wait(t *Team) {
	if t.plan != nil {
		t.plan.settle()
		w.n = 0
	}
	for i := range w.n {
		if t.dead && !p2p.IsLoss(t.err) {
			break
		}
		var st request.Status
		err := t.e.Wait(w.rs[i], &st)
		if w.want[i] < 0 {
			t.note(err)
		} else {
			t.received(err, &st, w.want[i])
		}
	}
	w.n = 0
}
