package partitioned

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// Where the data of partitions lies.

// LayOut gives the partitioned operation of r, which has not been started yet, another buffer with as much
// data. Its partitions are equal shares of the data, whatever the elements are: one element may hold all of
// them. So a caller can describe partitions that do not lie in memory in the same way.
func (q *Space) LayOut(r *request.Request, b datatype.Buffer) error {
	q.engine.Lock()
	defer q.engine.Unlock()
	switch s := request.Behind(r.Op).(type) {
	case *send:
		if b.Bytes() != s.buf.Bytes() {
			return otherSize(b, s.buf)
		}
		if b.Count%int64(len(s.ready)) != 0 {
			if err := shm.Afford(b.Bytes()); err != nil {
				return mpierr.Memory(err)
			}
			s.staged = make([]byte, b.Bytes())
		}
		s.buf = b
	case *receive:
		if b.Bytes() != s.buf.Bytes() {
			return otherSize(b, s.buf)
		}
		s.buf = b
	default:
		return mpierr.New(mpierr.ErrRequest, "the request is not a partitioned operation")
	}
	return nil
}

func otherSize(b, old datatype.Buffer) error {
	return mpierr.New(mpierr.ErrBuffer, "the layout has %d bytes of data, and the operation %d", b.Bytes(), old.Bytes())
}

// partition is the memory from which partition i is sent.
func (s *send) partition(i int) datatype.Buffer {
	if s.staged == nil {
		each := s.buf.Count / int64(len(s.ready))
		return s.buf.Slice(int64(i)*each, each)
	}
	each := len(s.staged) / len(s.ready)
	packed := s.staged[i*each : (i+1)*each]
	s.buf.Pack(int64(i*each), packed)
	return datatype.Raw(shm.Address(packed), int64(each))
}

// section is where a partition of the sender goes.
type section struct {
	of     *receive
	index  int    // of the sender's partition
	at, n  int64  // in the packed data
	staged []byte // when the buffer has gaps and the section begins or ends within an element
}

// divide finds where each partition of the sender goes. What lies beyond the buffer goes nowhere: its receive
// fails.
func (s *receive) divide() error {
	const sectionSize = 64
	n, room := s.from.bytes/int64(s.from.parts), s.buf.Bytes()
	cost := sectionSize * int64(s.from.parts)
	if !s.buf.Contiguous() {
		cost += room
	}
	if err := shm.Afford(cost); err != nil {
		return mpierr.Memory(err)
	}
	s.sections = make([]section, s.from.parts)
	for i := range s.sections {
		at := min(int64(i)*n, room)
		s.sections[i] = s.section(i, at, min(int64(i+1)*n, room)-at)
	}
	return nil
}

// section is where n bytes from at on go, of the sender's partition with an index.
func (s *receive) section(index int, at, n int64) section {
	x := section{of: s, index: index, at: at, n: n}
	element := s.buf.Type.Size()
	if n > 0 && !s.buf.Contiguous() && (at%element != 0 || n%element != 0) {
		x.staged = make([]byte, n)
	}
	return x
}

// unpack puts data in place that has come into memory of its own.
func (x *section) unpack() {
	if x.staged == nil {
		return
	}
	r := x.of.r
	if err := x.of.buf.UnpackAt(x.at, shm.Address(x.staged), x.n); err != nil && r.Err == nil {
		r.Err = err
	}
}

// buffer is the memory that the section's data is received into.
func (x *section) buffer() datatype.Buffer {
	b := x.of.buf
	switch {
	case x.n == 0:
		return datatype.Raw(0, 0)
	case x.staged != nil:
		return datatype.Raw(shm.Address(x.staged), x.n)
	case b.Contiguous():
		return datatype.Raw(b.Start()+uintptr(x.at), x.n)
	}
	return b.Slice(x.at/b.Type.Size(), x.n/b.Type.Size())
}
