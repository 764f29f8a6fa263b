package scaling

import (
	"testing"

	"gompi/runtime/fast"
	"gompi/shm"
)

// connect opens the ring from one rank to another one.
func (w *world) connect(t testing.TB, from, to int) {
	t.Helper()
	n := int(w.n)
	err := w.ends[from].Peer(uint32(to)).Tx.Open(w.seg, n, to, from)
	if err == nil {
		err = w.ends[to].Peer(uint32(from)).Rx.Open(w.seg, n, to, from)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.ends[to].Activate(from)
	at, _, err := w.seg.Pair(n, to, from)
	if err != nil {
		t.Fatal(err)
	}
	w.machine.Share(at, shm.PairStride)
}

// A message moves one line, and gives one back now and then, however many ranks there are and however many of
// them have ever sent something.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		n        uint32
		everyone bool // has sent to everybody before
	}{{2, true}, {8, true}, {16, true}, {32, false}, {64, false}, {128, false}} {
		w := newWorld(t, c.n)
		for from := range int(c.n) {
			for to := range int(c.n) {
				if from != to && (c.everyone || w.next(from) == int32(to)) {
					w.connect(t, from, to)
				}
			}
		}
		in, out := w.buffers(t, 8), w.buffers(t, 8)
		w.measure(t, func(r int) fast.Reason {
			left := int32((uint32(r) + c.n - 1) % c.n)
			return all(
				func() fast.Reason { return fast.Send(w.ends[r], in[r], 1, number, w.next(r), 3, comm) },
				func() fast.Reason { return fast.Recv(w.ends[r], out[r], 1, number, left, 3, comm, nil) })
		})
		// The slot, and once for eight messages the word that says which slots are empty again.
		const fetched, taken = 2, 2
		most := w.machine.Most()
		if got := perCall(most.Fetched); got > fetched {
			t.Errorf("%d ranks: %d lines are fetched per message, the law is %d", c.n, got, fetched)
		}
		if most.Fetched < calls {
			t.Errorf("%d ranks: %d lines are fetched for %d messages: not all are counted", c.n, most.Fetched, calls)
		}
		if got := perCall(most.Taken); got > taken {
			t.Errorf("%d ranks: %d lines are taken per message, the law is %d", c.n, got, taken)
		}
		if writers := w.machine.Writers(); writers != 1 {
			t.Errorf("%d ranks: one line is written by %d", c.n, writers)
		}
	}
}
