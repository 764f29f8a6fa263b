package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// failure is what has gone wrong in an operation on this rank.
type failure struct {
	err        error // the first failure
	dead       bool  // it ends the operation
	partFailed bool  // data did not have the right length: this rank passes nothing on (passes)
}

// remember notes a failure after which this rank plays its part all the same, because others wait for it: an
// address of the program's is no memory, or a peer's memory could not be read.
func (f *failure) remember(err error) {
	if f.err == nil {
		f.err = err
	}
}

// note notes a failure, which ends the operation unless it is one of lengths.
func (f *failure) note(err error) {
	if err != nil {
		f.remember(err)
		f.dead = f.dead || !isLength(err)
	}
}

// received checks that a message was as long as this rank expected. One that was too long has failed already.
func (f *failure) received(err error, st *request.Status, want int64) {
	if err == nil && st.Bytes != want {
		err = disagreement(int(st.Source), st.Bytes, want)
	}
	f.partFailed = f.partFailed || isLength(err)
	f.note(err)
}

// isLength reports whether the error is that data did not have the right length. Memory that cannot be read
// is told by other means.
func isLength(err error) bool { return err != nil && mpierr.CodeOf(err) == int(mpierr.ErrTruncate) }

// passes is what this rank sends where it should send b: nothing when what it has received did not have the
// right length, so that the ranks behind it find that out as well.
func (f *failure) passes(b datatype.Buffer) datatype.Buffer {
	if f.partFailed {
		return datatype.Raw(0, 0)
	}
	return b
}

// caught is deferred where memory of the program is read or written that may be none.
func (f *failure) caught() {
	if p := recover(); p != nil {
		f.remember(datatype.Fault(p))
	}
}
