// Package mpierr is the one error type of the runtime: an MPI error class with a sentence that says what was
// wrong. It knows nothing of communicators or error handlers; whoever calls into the runtime picks the
// handler.
package mpierr

import "fmt"

// Error is a failed MPI operation (MPI 5.0, 9.4). Text names the argument, its value and what would have been
// right; Func is the MPI name of the function called, filled in at the boundary where that name is known.
type Error struct {
	Class Class
	Code  int // error code; equal to Class unless the user added it (MPI 5.0, 9.5)
	Func  string
	Text  string
}

// New makes an error of class c whose text is formatted as by fmt.Sprintf.
func New(c Class, format string, args ...any) *Error {
	return &Error{Class: c, Code: int(c), Text: fmt.Sprintf(format, args...)}
}

// Error renders "MPI_Send: rank 7 is not in communicator "world" of size 4 (MPI_ERR_RANK)".
func (e *Error) Error() string {
	s := e.Text + " (" + e.Class.Name() + ")"
	if e.Func != "" {
		s = e.Func + ": " + s
	}
	return s
}
