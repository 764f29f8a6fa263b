package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// combineNbc combines what this rank and others publish, in the order of the package.
func (s *Schedule) combineNbc(r *request.Request, b *collseg.Nbc) error {
	defer s.caught(r)
	w := &s.nbc
	var values [collseg.MaxRanks]uintptr
	if w.pattern == fast.PrefixIn || w.pattern == fast.PrefixEx {
		to := w.recv.Buffer
		n := w.rank
		if err := contributions(w.row, w.k, values[:n], to.Bytes(), 0); err != nil {
			return err
		}
		if w.pattern == fast.PrefixIn {
			values[n] = w.send.Start()
			n++
		}
		combinePrefix(w.op, values[:n], to)
		return nil
	}
	skip := uintptr(w.share.from * w.recv.Type.Size())
	err := contributions(w.row, w.k, values[:w.size], w.send.Bytes(), skip)
	if err == nil {
		combineInTree(w.op, values[:w.size], w.recv.Buffer, b.Scratch)
	}
	return err
}

// combinePiece combines what all publish in operation k, a piece of an operation of several.
func (s *Schedule) combinePiece(r *request.Request, k uint64) error {
	defer s.caught(r)
	w := &s.nbc
	at, want := w.partOf(k, &w.send.Buffer)
	var values [collseg.MaxRanks]uintptr
	err := contributions(w.row, k, values[:w.size], want, 0)
	if size := w.recv.Type.Size(); err == nil {
		combineInTree(w.op, values[:w.size], w.recv.Slice(at/size, want/size), s.onNbc.segment.Scratch)
	}
	return err
}
