package schedule

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// Where a schedule reads and writes memory of the program. It may do so in any call of the program. A buffer
// that is no memory is an error of the call that begins the operation, and later one of the operation
// (MPI_ERR_BUFFER), which plays its part all the same: other ranks wait for it.

// Caught is deferred where that happens.
func (s *Schedule) Caught(r *request.Request) {
	if s.turns == 1 {
		return
	}
	if p := recover(); p != nil {
		Fail(r, datatype.Fault(p))
	}
}

// Pack copies n bytes of b's data, from byte at on, to addr.
func (s *Schedule) Pack(r *request.Request, addr uintptr, b datatype.Buffer, at, n int64) {
	defer s.Caught(r)
	b.PackTo(at, addr, n)
}

// Unpack copies n bytes at addr to b's data, from byte at on.
func (s *Schedule) Unpack(r *request.Request, b datatype.Buffer, at int64, addr uintptr, n int64) {
	defer s.Caught(r)
	b.UnpackFrom(at, addr, n)
}

// copies carries out a step that copies.
func (s *Schedule) copies(r *request.Request, st *step) {
	defer s.Caught(r)
	datatype.Copy(st.a, st.b)
}

// applies carries out a step that combines.
func (s *Schedule) applies(r *request.Request, st *step) {
	defer s.Caught(r)
	st.op.Apply(st.b.Addr, st.a.Addr, st.a.Count, st.a.Type)
}
