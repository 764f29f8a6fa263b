package object

import (
	"errors"

	"gompi/runtime/fast"
)

// Errhandler says what becomes of an error on a communicator, window, file or session (MPI 5.0, 9.3).
type Errhandler struct {
	Mode     Mode
	Handle   uintptr // when Mode is Call: by which the program knew it when it attached it
	Function uintptr // when Mode is Call
}

// Mode is one of the predefined error handlers, or a user's.
type Mode uint8

// The modes of an error handler, in the order of the predefined handles.
const (
	Fatal  Mode = iota // MPI_ERRORS_ARE_FATAL: the job ends
	Abort              // MPI_ERRORS_ABORT: the processes of the object end
	Return             // MPI_ERRORS_RETURN: the call returns the code
	Call               // a function of the user's

	_ = uint(Call-fast.PredefinedErrhandlers) + uint(fast.PredefinedErrhandlers-Call) // they are the same
)

// Errhandler is the object's error handler on this rank.
func (b *Base) Errhandler() Errhandler {
	handle, function := b.shared.Handler()
	if function == 0 {
		return Errhandler{Mode: Mode(handle)}
	}
	return Errhandler{Mode: Call, Handle: handle, Function: function}
}

// TakeErrhandler gives an object that nobody else knows yet the error handler of another one.
func (b *Base) TakeErrhandler(from *Base) { b.shared.StartHandler(&from.shared) }

// SetErrhandler attaches an error handler (MPI_Comm_set_errhandler and its kin).
func (b *Base) SetErrhandler(h Errhandler) {
	if h.Mode == Call {
		b.shared.SetHandler(h.Handle, h.Function)
	} else {
		b.shared.SetHandler(uintptr(h.Mode), 0)
	}
}

// Located is an error that goes to the error handler of a certain object, whatever the call that reports it
// was given: that of a window's or a file's request comes out in MPI_Wait.
type Located struct {
	Err error
	On  *Base
}

func (l *Located) Error() string { return l.Err.Error() }

// Unwrap is the error itself.
func (l *Located) Unwrap() error { return l.Err }

// Locate gives an error the error handler of b, unless it has one already or b is nil. A nil error stays nil.
func Locate(b *Base, err error) error {
	if err == nil || b == nil || Of(err) != nil {
		return err
	}
	return &Located{Err: err, On: b}
}

// Of is the object whose error handler hears of an error; nil when the error does not say.
func Of(err error) *Base {
	for {
		switch e := err.(type) {
		case *Located:
			return e.On
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			var l *Located
			if errors.As(err, &l) {
				return l.On
			}
			return nil
		default:
			return nil
		}
	}
}
