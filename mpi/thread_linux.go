package mpi

import "golang.org/x/sys/unix"

// threadID names the calling thread; a callback from C stays on its thread.
func threadID() int { return unix.Gettid() }
