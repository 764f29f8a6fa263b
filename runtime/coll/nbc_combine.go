package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// combineNbc combines what this rank and others publish, in the order of the package.
func (s *Schedule) combineNbc(r *request.Request, b *collseg.Nbc) error {
	defer s.caught(r)
	w := &s.nbc
	var values [collseg.MaxRanks]uintptr
	if w.pattern == fast.PrefixIn || w.pattern == fast.PrefixEx {
		to := w.recv.Buffer
		n, err := w.contributions(&values, w.rank, to.Bytes(), 0)
		if err != nil {
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
	n, err := w.contributions(&values, w.size, w.send.Bytes(), skip)
	if err == nil {
		combineInTree(w.op, values[:n], w.recv.Buffer, b.Scratch)
	}
	return err
}

// combinePiece combines what all publish in operation k, a piece of an operation of several.
func (s *Schedule) combinePiece(r *request.Request, k uint64) error {
	defer s.caught(r)
	w := &s.nbc
	at, want := w.partOf(k, &w.send.Buffer)
	var values [collseg.MaxRanks]uintptr
	w.k = k
	n, err := w.contributions(&values, w.size, want, 0)
	if size := w.recv.Type.Size(); err == nil {
		combineInTree(w.op, values[:n], w.recv.Slice(at/size, want/size), s.onNbc.segment.Scratch)
	}
	return err
}

// contributions finds where the ranks below end publish want bytes each, from byte skip on. It returns how
// many these are.
func (w *nbc) contributions(values *[collseg.MaxRanks]uintptr, end int, want int64,
	skip uintptr) (int, error) {
	for r := range end {
		said := w.row.Said(uint32(r), w.k)
		if said != uint64(want) {
			return 0, disagreement(r, int64(said&shm.CellBytes), want)
		}
		values[r] = w.row.Data(uint32(r), w.k, said) + skip
	}
	return end, nil
}
