package shm

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// maxCMA bounds one single-copy system call, in bytes: the kernel cuts at 2 GiB, and shorter calls let signals and
// the Go scheduler through.
const maxCMA = 16 << 20

// ReadProcess copies n bytes at address src of process pid to dst in this process, by one copy in the kernel. It
// fails with EPERM where the kernel or a container forbids it, ESRCH when the process is gone, EFAULT when memory is
// not mapped on either side.
func ReadProcess(pid int, dst, src uintptr, n int64) error {
	for n > 0 {
		chunk := min(n, maxCMA)
		got, err := processVMReadv(pid, dst, src, uint64(chunk))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("process_vm_readv of %d bytes from process %d: %w", chunk, pid, err)
		}
		if got <= 0 {
			return fmt.Errorf("process_vm_readv of %d bytes from process %d: nothing read", chunk, pid)
		}
		dst += uintptr(got)
		src += uintptr(got)
		n -= int64(got)
	}
	return nil
}

// WriteProcess copies n bytes at src in this process to address dst of process pid; otherwise it is like ReadProcess.
func WriteProcess(pid int, dst, src uintptr, n int64) error {
	return movePieces(pid, src, []Piece{{dst, uint64(n)}}, true)
}

// Piece is a stretch of memory: Size bytes at Addr.
type Piece struct {
	Addr uintptr
	Size uint64
}

// MaxPieces is how many pieces one system call of the two functions below takes.
const MaxPieces = 1024

// ReadPieces copies pieces of the memory of process pid, one behind the other, to dst in this process. Errors are those
// of ReadProcess. The pieces are used up.
func ReadPieces(pid int, dst uintptr, remote []Piece) error {
	return movePieces(pid, dst, remote, false)
}

// WritePieces copies what lies at src in this process to pieces of the memory of process pid, one after the other.
// Errors are those of ReadProcess. The pieces are used up.
func WritePieces(pid int, src uintptr, remote []Piece) error {
	return movePieces(pid, src, remote, true)
}

func movePieces(pid int, local uintptr, remote []Piece, write bool) error {
	for len(remote) > 0 {
		if remote[0].Size == 0 {
			remote = remote[1:]
			continue
		}
		n, total := 0, uint64(0)
		for n < len(remote) && n < MaxPieces && (n == 0 || total+remote[n].Size <= maxCMA) {
			total += remote[n].Size
			n++
		}
		rest := uint64(0) // of a single piece that is too long for one call
		if total > maxCMA {
			rest = total - maxCMA
			total = maxCMA
			remote[0].Size = maxCMA
		}
		got, err := processVMMove(pid, local, total, remote[:n], write)
		remote[0].Size += rest
		if err == unix.EINTR {
			continue
		}
		if err == nil && got <= 0 {
			err = unix.EFAULT
		}
		if err != nil {
			return fmt.Errorf("process_vm_readv or _writev of %d bytes of process %d: %w", total, pid, err)
		}
		local += uintptr(got)
		for moved := uint64(got); moved > 0; {
			if p := &remote[0]; moved < p.Size {
				p.Addr += uintptr(moved)
				p.Size -= moved
				break
			}
			moved -= remote[0].Size
			remote = remote[1:]
		}
	}
	return nil
}

// AllowReaders lets one process and its descendants read this one where the Yama module allows no more than that a process
// reads its own descendants (ptrace_scope 1). There is one such process at a time; pid 0 names none. It changes nothing
// elsewhere, so its failure means nothing.
func AllowReaders(pid int) {
	if pid > 0 {
		_ = unix.Prctl(unix.PR_SET_PTRACER, uintptr(pid), 0, 0, 0)
	}
}
