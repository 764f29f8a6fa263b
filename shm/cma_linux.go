package shm

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// maxCMA bounds one single-copy system call, in bytes: the kernel cuts at 2 GiB, and shorter calls let
// signals and the Go scheduler through.
const maxCMA = 16 << 20

// Process is another process whose memory this one reaches by single copies in the kernel, by its process
// id. When a process has ended and its parent has reaped it, another one may get its number. Two things
// exclude a mistake:
//
//	Kept   the launcher reaps the process when nobody is left who could use its number, so it is never
//	       another's
//	Probe  every read begins with a word in the process's memory that has a random value, in the same system
//	       call and so
//	       in the same memory; a read that finds another value there has failed
//
// A write cannot be taken back, so processes that nobody keeps are not written to.
type Process struct {
	Pid   int
	Kept  bool
	Probe uintptr // address of the word
	Value uint64
}

// ErrForeign says that a process id belongs to another process by now.
var ErrForeign = fmt.Errorf("it is another process by now: %w", unix.ESRCH)

// Gone reports whether an error says that the process is there no more.
func Gone(err error) bool { return errors.Is(err, unix.ESRCH) }

// Read copies n bytes at address src of the process to dst in this one, by one copy in the kernel. It fails
// with EPERM where the kernel or a container forbids it, ESRCH when the process is gone, EFAULT when memory
// is not mapped on either side.
func (p *Process) Read(dst, src uintptr, n int64) error {
	return p.ReadPieces(dst, []Piece{{src, uint64(n)}})
}

// Write copies n bytes at src in this process to address dst of the process. Errors are those of
// WritePieces.
func (p *Process) Write(dst, src uintptr, n int64) error {
	return p.WritePieces(src, []Piece{{dst, uint64(n)}})
}

// Answers reports whether the process can be read and is the one that it should be.
func (p *Process) Answers() bool {
	word := new([1]uint64)
	unsure := Process{Pid: p.Pid, Kept: true}
	return unsure.Read(AddressOf(&word[0]), p.Probe, 8) == nil && word[0] == p.Value
}

// Piece is a stretch of memory: Size bytes at Addr.
type Piece struct {
	Addr uintptr
	Size uint64
}

// MaxPieces is how many pieces one system call takes.
const MaxPieces = 1024

// ReadPieces copies pieces of the memory of the process, one behind the other, to dst in this one. Errors
// are those of Read. The pieces are used up.
func (p *Process) ReadPieces(dst uintptr, remote []Piece) error {
	return p.move(dst, remote, false)
}

// WritePieces copies what lies at src in this process to pieces of the memory of the other, one after the
// other. Errors are those of Read; EPERM is that of a process that nobody keeps, too. The pieces are used
// up.
func (p *Process) WritePieces(src uintptr, remote []Piece) error {
	if !p.Kept {
		return fmt.Errorf("process %d is kept by nobody: %w", p.Pid, unix.EPERM)
	}
	return p.move(src, remote, true)
}

func (p *Process) move(local uintptr, remote []Piece, write bool) error {
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
		var got int
		var err error
		if n == 1 && total >= LeastAside && isSlow(local, remote[0].Addr, write) {
			got, err = p.moveAside(local, total, remote[0].Addr, write)
		} else {
			got, err = p.moveOnce(local, total, remote[:n], write)
		}
		remote[0].Size += rest
		if err == unix.EINTR {
			continue
		}
		if err == nil && got <= 0 {
			err = unix.EFAULT
		}
		if err != nil {
			return fmt.Errorf("process_vm_readv or _writev of %d bytes of process %d: %w", total, p.Pid, err)
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

// moveOnce moves as many of the total bytes of pieces as one call does.
func (p *Process) moveOnce(local uintptr, total uint64, remote []Piece, write bool) (int, error) {
	if p.Kept {
		return processVMMove(p.Pid, local, total, remote, write)
	}
	return p.readSurely(local, total, remote)
}

// surePieces is how many pieces a call takes that reads the word as well.
const surePieces = 64

// readSurely reads as many of the pieces, of n bytes in all, as one call takes, and returns how many bytes
// have come from the right process.
func (p *Process) readSurely(dst uintptr, n uint64, remote []Piece) (int, error) {
	if len(remote) >= surePieces {
		remote, n = remote[:surePieces-1], 0
		for i := range remote {
			n += remote[i].Size
		}
	}
	var from [surePieces]Piece
	from[0] = Piece{p.Probe, wordSize}
	k := 1 + copy(from[1:], remote)
	word := new([1]uint64)
	got, err := processVMReadBehind(p.Pid, AddressOf(&word[0]), dst, n, from[:k])
	if err == nil && (got < wordSize || word[0] != p.Value) {
		err = ErrForeign
	}
	return got - wordSize, err
}

// wordSize is the size of the word in bytes.
const wordSize = 8

// AllowReaders lets one process and its descendants read this one where the Yama module allows no more than
// that a process reads its own descendants (ptrace_scope 1). There is one such process at a time; pid 0 names
// none. It changes nothing elsewhere, so its failure means nothing.
func AllowReaders(pid int) {
	if pid > 0 {
		_ = unix.Prctl(unix.PR_SET_PTRACER, uintptr(pid), 0, 0, 0)
	}
}
