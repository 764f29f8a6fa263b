package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// waveSize is the number of messages in flight at once where a rank deals with many others. More would only fill
// the rings of the others sooner.
const waveSize = 32

// wave is a set of messages under way together.
type wave struct {
	n    int
	rs   [waveSize]*request.Request
	want [waveSize]int64 // bytes to be received, -1 for a send
}

// full tells whether there is no room for a send and a receive more.
func (w *wave) full() bool { return w.n > waveSize-2 }

func (w *wave) add(t *team, r *request.Request, err error, want int64) {
	if err != nil {
		t.note(err)
		return
	}
	w.rs[w.n], w.want[w.n] = r, want
	w.n++
}

func (w *wave) send(t *team, b datatype.Buffer, to int) {
	if !t.dead {
		r, err := t.e.Isend(t.x, b, to, t.tag)
		w.add(t, r, err, -1)
	}
}

func (w *wave) recv(t *team, b datatype.Buffer, from int) {
	if !t.dead {
		r, err := t.e.Irecv(t.x, b, from, t.tag)
		w.add(t, r, err, b.Bytes())
	}
}

// wait waits for all messages of the wave, which is empty then.
func (w *wave) wait(t *team) {
	for i := range w.n {
		if t.dead {
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
