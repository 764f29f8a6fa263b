package mpierr

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Memory is the error of an operation for which the kernel has given no memory: MPI_ERR_NO_MEM, or
// MPI_ERR_OTHER where the reason is that the program has closed the descriptor of shared memory.
func Memory(err error) *Error {
	if errors.Is(err, unix.EBADF) {
		return New(ErrOther, "%v: the program has closed descriptors of the MPI library (EBADF)", err)
	}
	return New(ErrNoMem, "%v", err)
}
