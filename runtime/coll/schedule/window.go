package schedule

import (
	"gompi/runtime/datatype"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// WindowSize is the number of messages in flight at once where a rank deals with many others. More would only
// fill the rings of the others sooner.
const WindowSize = 32

// Window is a set of messages under way together, which do not touch each other's memory.
type Window struct {
	Exchange *Exchange
	n        int
	Empty    Empties
	rs       [WindowSize]*request.Request
	want     [WindowSize]int64 // bytes to be received, -1 for a send
}

// Empties is what becomes of messages without data.
type Empties uint8

const (
	SentToFew  Empties = iota // their counts come from the program: see LeavesOut
	SentAlways                // in groups of any size
	LeftOut                   // all ranks know of them
)

// leavesOut reports whether a message has no data and is left out.
func (w *Window) leavesOut(b datatype.Buffer) bool {
	if w.Empty == LeftOut {
		return b.Bytes() == 0
	}
	return w.Empty == SentToFew && w.Exchange.LeavesOut(b)
}

// Room waits for all messages of the window if there is no room for a send and a receive more.
func (w *Window) Room() {
	if w.n > WindowSize-2 {
		w.Wait()
	}
}

func (w *Window) add(r *request.Request, err error, want int64) {
	if err != nil {
		w.Exchange.Note(err)
		return
	}
	w.rs[w.n], w.want[w.n] = r, want
	w.n++
}

// planned adds a message to the plan, if there is one.
func (w *Window) planned(do Action, b datatype.Buffer, peer int) bool {
	if w.Exchange.Plan == nil {
		return false
	}
	if w.n == 0 {
		w.Exchange.Plan.Fence()
	}
	w.Exchange.Plan.Together(w.Exchange, do, b, peer)
	w.n++
	return true
}

// Send sends b unless it may be left out.
func (w *Window) Send(b datatype.Buffer, to int) {
	if w.Exchange.Dead || w.leavesOut(b) || w.planned(Send, b, to) {
		return
	}
	r, err := w.Exchange.Engine.Isend(w.Exchange.Context, w.Exchange.passes(b), to, w.Exchange.Tag)
	w.add(r, err, -1)
}

// Recv receives b unless it may be left out.
func (w *Window) Recv(b datatype.Buffer, from int) {
	if w.Exchange.Dead || w.leavesOut(b) || w.planned(Recv, b, from) {
		return
	}
	r, err := w.Exchange.Engine.Irecv(w.Exchange.Context, b, from, w.Exchange.Tag)
	w.add(r, err, b.Bytes())
}

// Wait waits for all messages of the window, which is empty then. Those that a failure has ended are waited
// for as well: one that a living rank has been told of may use the program's memory until that rank has
// answered.
func (w *Window) Wait() {
	if w.Exchange.Plan != nil {
		w.Exchange.Plan.Fence()
		w.n = 0
	}
	for i := range w.n {
		if w.Exchange.Dead && !p2p.IsLoss(w.Exchange.Err) {
			break
		}
		var st request.Status
		err := w.Exchange.Engine.Wait(w.rs[i], &st)
		if w.want[i] < 0 {
			w.Exchange.Note(err)
		} else {
			w.Exchange.received(err, &st, w.want[i])
		}
	}
	w.n = 0
}

// emptyRanks is the size of a group up to which messages without data are sent. Then a rank that expects data
// of one that sends none gets an error instead of waiting. In larger groups it may wait, because in
// operations whose counts are mostly 0 these messages would be nearly all.
const emptyRanks = 64

// LeavesOut reports whether a message between two ranks whose counts come from the program has no data and is
// left out. Both sides find the same: that depends on the groups alone.
func (x *Exchange) LeavesOut(b datatype.Buffer) bool {
	return b.Bytes() == 0 && max(x.Comm.Size(), x.Comm.Targets()) > emptyRanks
}
