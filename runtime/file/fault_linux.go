package file

import (
	"errors"

	"golang.org/x/sys/unix"

	"gompi/runtime/mpierr"
)

// classOf is the error class for what the operating system says (MPI 5.0, 14.8).
func classOf(errno unix.Errno) mpierr.Class {
	switch errno {
	case unix.EACCES, unix.EPERM:
		return mpierr.ErrAccess
	case unix.ENOENT, unix.ENXIO, unix.ENODEV:
		return mpierr.ErrNoSuchFile
	case unix.ENOTDIR, unix.EISDIR, unix.ENAMETOOLONG, unix.ELOOP:
		return mpierr.ErrBadFile
	case unix.EEXIST:
		return mpierr.ErrFileExists
	case unix.EROFS:
		return mpierr.ErrReadOnly
	case unix.ENOSPC:
		return mpierr.ErrNoSpace
	case unix.EDQUOT, unix.EFBIG:
		return mpierr.ErrQuota
	case unix.EBUSY, unix.ETXTBSY:
		return mpierr.ErrFileInUse
	case unix.ENOMEM, unix.EMFILE, unix.ENFILE:
		return mpierr.ErrNoMem
	case unix.EFAULT:
		return mpierr.ErrBuffer
	case unix.EOPNOTSUPP, unix.ENOSYS, unix.ENOLCK:
		return mpierr.ErrUnsupportedOperation
	default:
		return mpierr.ErrIO
	}
}

// failure says in MPI's words that the operating system has refused something: "cannot open "x": no such
// file".
func failure(what, path string, err error) error {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return mpierr.New(mpierr.ErrIO, "cannot %s %q: %v", what, path, err)
	}
	reason := errno.Error()
	switch errno {
	case unix.EFBIG:
		reason = "it would grow beyond the size that this process (ulimit -f) or its file system allows"
	case unix.EFAULT:
		reason = "a part of the buffer is not memory of this process"
	}
	return mpierr.New(classOf(errno), "cannot %s %q: %s", what, path, reason)
}
