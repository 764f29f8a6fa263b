package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/fast"
)

// combineNbc combines what this rank and others publish, in the order of the package.
func (s *Schedule) combineNbc(b *collseg.Nbc) error {
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

// contributions finds where the ranks below end publish want bytes each, from byte skip on. It returns how
// many these are.
func (w *nbc) contributions(values *[collseg.MaxRanks]uintptr, end int, want int64, skip uintptr) (int,
	error) {
	for r := range end {
		cell := w.row.Cell(w.k, uint32(r))
		if n := int64(cell.Bytes); n != want {
			return 0, disagreement(r, n, want)
		}
		values[r] = cell.Data() + skip
	}
	return end, nil
}
