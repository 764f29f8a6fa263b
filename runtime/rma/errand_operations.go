package rma

import (
	"gompi/runtime/datatype"
	"gompi/shm"
)

// Operations by errands. Each of the following carries one out, if errands are the way; done is false otherwise, and nothing
// is under way at the target.

// putByErrand is Put of n bytes.
func (s *spot) putByErrand(o *datatype.Buffer, n int64) (done bool, err error) {
	if s.w.targets[s.rank].Errands == 0 {
		return false, nil
	}
	s.w.beginErrands()
	if done, err = s.errands(n <= shm.ErrandRoom); done {
		err = s.sendPuts(o, n)
	}
	s.sent(n, done, err)
	s.w.endErrands()
	return done, err
}

func (s *spot) sendPuts(o *datatype.Buffer, n int64) error {
	for at := int64(0); at < n; {
		e, err := s.w.room(s.rank)
		if err != nil {
			return err
		}
		k := min(n-at, shm.ErrandRoom)
		e.Kind, e.Addr, e.Bytes = shm.ErrandPut, uint64(s.buf.Start()+uintptr(at)), uint32(k)
		pack(e.Data(k), o, at, k)
		s.w.send(e, s.rank)
		at += k
	}
	return nil
}

// pack puts n bytes of the data, from byte at on, into an errand. A rank that has read them there last has their lines in its
// cache, and shm.Copy takes those over without reading them.
func pack(to uintptr, o *datatype.Buffer, at, n int64) {
	if o.Contiguous() {
		shm.Copy(to, o.Start()+uintptr(at), n)
	} else {
		o.Pack(at, shm.Bytes(to, n))
	}
}

// getByErrand is Get of n bytes.
func (s *spot) getByErrand(o *datatype.Buffer, n int64) (done bool, err error) {
	if s.w.targets[s.rank].Errands == 0 {
		return false, nil
	}
	s.w.beginErrands()
	if done, err = s.errands(false); done {
		err = s.exchangeGets(o, n)
	}
	s.sent(n, done, err)
	s.w.endErrands()
	return done, err
}

// exchangeGets has as many errands under way at once as there is room for.
func (s *spot) exchangeGets(o *datatype.Buffer, n int64) error {
	t := &s.w.targets[s.rank]
	first := t.Sent + 1
	if t.Owed != 0 { // a stub has begun: it sends one errand alone
		t.Owed = 0
		first--
	}
	sent := int64(t.Sent+1-first) * n
	for at := int64(0); at < n; first++ {
		for sent < n && (t.Sent-t.Done < shm.Errands || sent == at) { // room waits for a place for the first one
			e, err := s.w.room(s.rank)
			if err != nil {
				return err
			}
			k := min(n-sent, shm.ErrandRoom)
			e.Kind, e.Addr, e.Bytes = shm.ErrandGet, uint64(s.buf.Start()+uintptr(sent)), uint32(k)
			s.w.send(e, s.rank)
			sent += k
		}
		if err := s.w.await(s.rank, first); err != nil {
			return err
		}
		k := min(n-at, shm.ErrandRoom)
		o.Unpack(at, shm.Bytes(shm.ErrandAt(t.Errands, first).Data(k), k))
		at += k
	}
	return nil
}

// byErrand is the accumulate of n bytes.
func (j *job) byErrand(o, result *datatype.Buffer, n int64) (done bool, err error) {
	if j.mapped || j.w.targets[j.rank].Errands == 0 {
		return false, nil
	}
	j.w.beginErrands()
	if j.basic.Size() != j.basic.Extent() || !j.basic.Predefined() {
		err = j.w.settleErrands(j.rank)
	} else if done, err = j.errands(result == nil && n <= shm.ErrandRoom/j.basic.Size()*j.basic.Size()); done {
		err = j.exchangeAccumulates(o, result, n)
	}
	j.sent(n, done, err)
	j.w.endErrands()
	return done, err
}

func (j *job) exchangeAccumulates(o, result *datatype.Buffer, n int64) error {
	t, kind := &j.w.targets[j.rank], uint32(shm.ErrandAccumulate)
	if result != nil {
		kind = shm.ErrandFetch
	}
	step := shm.ErrandRoom / j.basic.Size() * j.basic.Size()
	first := t.Sent + 1
	sent := int64(0)
	if t.Owed != 0 { // a stub has begun: it sends one errand alone
		t.Owed, sent = 0, n
		first--
	}
	for at := int64(0); at < n; {
		for sent < n && (t.Sent-t.Done < shm.Errands || sent == at) { // room waits for a place for the first one
			e, err := j.w.room(j.rank)
			if err != nil {
				return err
			}
			k := min(n-sent, step)
			e.Kind, e.Addr, e.Bytes = kind, uint64(j.buf.Start()+uintptr(sent)), uint32(k)
			e.Type, e.Op = j.basic.Handle(), j.f.Handle()
			if e.Op != opNoOp {
				pack(e.Data(k), o, sent, k)
			}
			j.w.send(e, j.rank)
			sent += k
		}
		if result == nil {
			if sent == n {
				return nil
			}
			if err := j.w.await(j.rank, t.Done+1); err != nil {
				return err
			}
			continue
		}
		if err := j.w.await(j.rank, first); err != nil {
			return err
		}
		k := min(n-at, step)
		result.Unpack(at, shm.Bytes(shm.ErrandAt(t.Errands, first).Data(k), k))
		at += k
		first++
	}
	return nil
}

// swapByErrand is MPI_Compare_and_swap of elements of n bytes. At room stand the new element, the one to compare with,
// and then the old one.
func (s *spot) swapByErrand(room uintptr, n int64) (done bool, err error) {
	if s.mapped || s.w.targets[s.rank].Errands == 0 {
		return false, nil
	}
	s.w.beginErrands()
	if n > shm.ErrandSmall/2 {
		err = s.w.settleErrands(s.rank)
	} else if done, err = s.errands(false); done {
		err = s.exchangeSwap(room, n)
	}
	s.sent(n, done, err)
	s.w.endErrands()
	return done, err
}

func (s *spot) exchangeSwap(room uintptr, n int64) error {
	t := &s.w.targets[s.rank]
	if t.Owed == 0 {
		e, err := s.w.room(s.rank)
		if err != nil {
			return err
		}
		e.Kind, e.Addr, e.Bytes = shm.ErrandSwap, uint64(s.buf.Start()), uint32(n)
		data := e.Data(n)
		shm.Copy(data, room, n)
		shm.Copy(data+shm.ErrandSmall/2, room+casRoom, n)
		s.w.send(e, s.rank)
	}
	t.Owed = 0
	if err := s.w.await(s.rank, t.Sent); err != nil {
		return err
	}
	shm.Copy(room+2*casRoom, shm.ErrandAt(t.Errands, t.Sent).Data(n), n)
	return nil
}
