package mpierr

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Memory is err with a class. An error without one is the kernel's, which has given no memory:
// MPI_ERR_NO_MEM, or MPI_ERR_OTHER where the program has closed the descriptor of shared memory.
func Memory(err error) error {
	var known *Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, unix.EBADF):
		return New(ErrOther, "%v: the program has closed descriptors of the MPI library (EBADF)", err)
	}
	return New(ErrNoMem, "%v", err)
}
