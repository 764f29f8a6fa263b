package builtin

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// parts are pieces of memory that are sent as one.
type parts struct {
	header unix.Msghdr
	pieces [3]unix.Iovec
}

func (p *parts) begin() { p.header.Iovlen = 0 }

// add adds what is behind the first bytes of a piece, of which there may be fewer than none.
func (p *parts) add(b []byte, first int) {
	if first = max(first, 0); first >= len(b) {
		return
	}
	piece := &p.pieces[p.header.Iovlen]
	piece.Base = &b[first]
	piece.SetLen(len(b) - first)
	p.header.Iovlen++
}

// send sends what a socket takes of the pieces now. A peer that has gone is an error and no signal.
func (p *parts) send(fd int) (int, error) {
	p.header.Iov = &p.pieces[0]
	n, _, err := unix.RawSyscall(unix.SYS_SENDMSG, uintptr(fd), uintptr(unsafe.Pointer(&p.header)),
		unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
	if err != 0 {
		return 0, err
	}
	return int(n), nil
}
