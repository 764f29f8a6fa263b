package node

import (
	"gompi/runtime/collseg"
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// combineNbc combines what this rank and others publish, in the order of the package.
func (s *Operation) combineNbc(r *request.Request, b *collseg.Nbc) error {
	defer s.Caught(r)
	w := &s.nbc
	var values [collseg.MaxRanks]uintptr
	if w.pattern == fast.PrefixIn || w.pattern == fast.PrefixEx {
		to := w.Recv.Buffer
		n := w.rank
		if err := contributions(w.row, w.k, values[:n], to.Bytes(), 0); err != nil {
			return err
		}
		if w.pattern == fast.PrefixIn {
			values[n] = s.packedOwn(r)
			n++
		}
		combinePrefix(w.Op, values[:n], to, b.Scratch)
		return nil
	}
	skip := uintptr(w.Share.From * w.Recv.Type.Size())
	err := contributions(w.row, w.k, values[:w.size], w.Send.Bytes(), skip)
	if err == nil {
		combineInTree(w.Op, values[:w.size], w.Recv.Buffer, b.Scratch)
	}
	return err
}

// packedOwn is where the data of this rank's contribution stands without gaps.
func (s *Operation) packedOwn(r *request.Request) uintptr {
	send := s.nbc.Send.Buffer
	if send.Contiguous() {
		return send.Start()
	}
	s.nbc.packed = make([]byte, send.Bytes())
	at := shm.Address(s.nbc.packed)
	s.Pack(r, at, send, 0, send.Bytes())
	return at
}
