package mpierr

import "errors"

// CodeOf is the error code that an MPI function returns for err: MPI_SUCCESS for nil, MPI_ERR_INTERN for an
// error that is not of this package.
func CodeOf(err error) int {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return int(ErrIntern)
}

// TextOf is the text of err without the function's name and the class.
func TextOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Text
	}
	return err.Error()
}
