package fabric

import "golang.org/x/sys/unix"

// Err is the error of an operation that could not begin.
func (r Result) Err() error { return unix.Errno(-r) }
