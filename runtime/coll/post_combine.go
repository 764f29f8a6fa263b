package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// combinePosted combines what this rank and others show, in the order of the package.
func (s *Schedule) combinePosted(b *area.Board) error {
	w := &s.post
	if w.deal == prefixIn || w.deal == prefixEx {
		return w.combinePrefix()
	}
	want := w.send.Bytes()
	for r := range w.size {
		if n := w.row.Bytes(w.k, r); n != want {
			return mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", r, n, want)
		}
	}
	result := w.recv.Buffer
	n := result.Bytes()
	if n == 0 {
		return nil
	}
	skip := uintptr(w.share.from * result.Type.Size())
	lb := uintptr(result.Type.TrueLB())
	if w.size == 2 {
		shm.Copy(result.Start(), w.row.Data(w.k, 1)+skip, n)
		w.op.Apply(w.row.Data(w.k, 0)+skip-lb, result.Addr, result.Count, result.Type)
		return nil
	}
	g := arrange(w.size, -1)
	stride := (n + cacheLine - 1) &^ (cacheLine - 1)
	values := b.Scratch(int64(w.size) * stride)
	// at is where the value of a rank stands: in its slot as long as it is only read.
	at := func(r int) uintptr {
		switch {
		case r == w.size-1:
			return result.Start()
		case g.written(r):
			return values + uintptr(int64(r)*stride)
		}
		return w.row.Data(w.k, r) + skip
	}
	for r := range w.size {
		if r == w.size-1 || g.written(r) {
			shm.Copy(at(r), w.row.Data(w.k, r)+skip, n)
		}
	}
	g.combine(func(in, inout int) { w.op.Apply(at(in)-lb, at(inout)-lb, result.Count, result.Type) })
	return nil
}

// combinePrefix combines what the ranks below show, from the highest down: each with all above it, which are in recv.
func (w *post) combinePrefix() error {
	to := w.recv.Buffer
	n := to.Bytes()
	for r := range w.rank {
		if shown := w.row.Bytes(w.k, r); shown != n {
			return mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", r, shown, n)
		}
	}
	lb := uintptr(to.Type.TrueLB())
	begun := w.deal == prefixIn
	if begun && w.send.Addr != to.Addr {
		shm.Copy(to.Start(), w.send.Start(), n)
	}
	for r := w.rank - 1; r >= 0; r-- {
		if from := w.row.Data(w.k, r); begun {
			w.op.Apply(from-lb, to.Addr, to.Count, to.Type)
		} else {
			shm.Copy(to.Start(), from, n)
			begun = true
		}
	}
	return nil
}
