package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/tool"
)

// windowSize is the number of messages in flight at once where a rank deals with many others. More would only
// fill the rings of the others sooner.
const windowSize = 32

// window is a set of messages under way together, which do not touch each other's memory.
type window struct {
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

// emptyRanks is the size of a group up to which messages without data are sent. Then a rank that expects data
// of one that sends none gets an error instead of waiting. In larger groups it may wait, because in
// operations whose counts are mostly 0 these messages would be nearly all.
const emptyRanks = 64

// leavesOut reports whether a message between two ranks whose counts come from the program has no data and is
// left out. Both sides find the same: that depends on the groups alone.
func (t *Team) leavesOut(b datatype.Buffer) bool {
	return b.Bytes() == 0 && max(t.c.Size(), t.c.Targets()) > emptyRanks
}

// leavesOut reports whether a message has no data and is left out.
func (w *window) leavesOut(t *Team, b datatype.Buffer) bool {
	if w.empty == leftOut {
		return b.Bytes() == 0
	}
	return w.empty == sentToFew && t.leavesOut(b)
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

// isSelf reports whether messages to and from a rank would be this rank's with itself.
func (t *Team) isSelf(rank int) bool { return rank == t.rank && t.x == &t.c.Coll }

// partner is with whom this rank exchanges blocks in a round of a number of rounds, one for each rank. In
// round r the numbers of two partners add up to r, modulo the number of rounds, so that each is the other's;
// in one or two rounds a rank is its own partner.
func (t *Team) partner(round, rounds int) int { return (round - t.rank + rounds) % rounds }

// pairwise has every rank send something to each other and receive something from it, some at a time: with
// those of its group, or with all of the other group.
func (t *Team) pairwise(empty empties, out, in func(peer int) datatype.Buffer) {
	w := window{empty: empty}
	rounds := max(t.size, t.x.Size)
	for round := range rounds {
		if p := t.partner(round, rounds); p < t.x.Size && !t.isSelf(p) {
			w.recv(t, in(p), p)
			w.send(t, out(p), p)
			w.room(t)
		}
	}
	w.wait(t)
}

// ring passes parts round a ring of all ranks, in which this one has number at, until everybody has them all.
// rank is the rank with a number, and part what it begins with.
func (t *Team) ring(at int, rank func(i int) int, part func(i int) datatype.Buffer) {
	t.countAlgorithm(tool.Ring)
	p := t.size
	right, left := rank((at+1)%p), rank((at+p-1)%p)
	for k := range p - 1 {
		t.exchange(part((at-k+p)%p), right, part((at-k-1+p)%p), left)
	}
}
