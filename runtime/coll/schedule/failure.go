package schedule

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Failure is what has gone wrong in an operation on this rank.
type Failure struct {
	Err        error // the first failure
	Dead       bool  // it ends the operation
	PartFailed bool  // data did not have the right length: this rank passes nothing on (passes)
}

// Remember notes a failure after which this rank plays its part all the same, because others wait for it: an
// address of the program's is no memory, or a peer's memory could not be read.
func (f *Failure) Remember(err error) {
	if f.Err == nil {
		f.Err = err
	}
}

// Note notes a failure, which ends the operation unless it is one of lengths.
func (f *Failure) Note(err error) {
	if err != nil {
		f.Remember(err)
		f.Dead = f.Dead || !IsLength(err)
	}
}

// received checks that a message was as long as this rank expected. One that was too long has failed already.
func (f *Failure) received(err error, st *request.Status, want int64) {
	if err == nil && st.Bytes != want {
		err = Disagreement(int(st.Source), st.Bytes, want)
	}
	f.PartFailed = f.PartFailed || IsLength(err)
	f.Note(err)
}

// IsLength reports whether the error is that data did not have the right length. Memory that cannot be read
// is told by other means.
func IsLength(err error) bool { return err != nil && mpierr.CodeOf(err) == int(mpierr.ErrTruncate) }

// passes is what this rank sends where it should send b: nothing when what it has received did not have the
// right length, so that the ranks behind it find that out as well.
func (f *Failure) passes(b datatype.Buffer) datatype.Buffer {
	if f.PartFailed {
		return datatype.Raw(0, 0)
	}
	return b
}

// Caught is deferred where memory of the program is read or written that may be none.
func (f *Failure) Caught() {
	if p := recover(); p != nil {
		f.Remember(datatype.Fault(p))
	}
}

// Disagreement is the error of ranks whose sizes do not fit together.
func Disagreement(rank int, n, want int64) error {
	return mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", rank, n, want)
}

// Malformed is the error of a rank whose shared memory says what it cannot have meant.
func Malformed(rank int) error {
	return mpierr.New(mpierr.ErrIntern,
		"what rank %d has published is malformed: it has called another function, or its memory is corrupted", rank)
}

// Fail notes the first failure of an operation.
func Fail(r *request.Request, err error) {
	if r.Err == nil {
		r.Err = err
	}
}
