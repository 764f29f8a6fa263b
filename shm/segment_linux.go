package shm

import (
	"encoding/binary"
	"fmt"
	"math"

	"golang.org/x/sys/unix"
)

// Segment is memory that several processes map: a memfd, so that nothing has a name in a file system, nothing
// is bounded by the size of /dev/shm, and all of it vanishes with the last process that uses it.
type Segment struct {
	Base  uintptr // where this process has mapped it
	Size  int64   // bytes mapped there; the file may be longer
	fd    int
	parts parts

	mappings mappings
}

// Create makes a segment of size bytes, all zero, and maps it. Its descriptor is close-on-exec; memory is
// used only for pages that somebody touches.
func Create(size int64) (*Segment, error) {
	fd, err := unix.MemfdCreate("gompi", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	fd = MoveUp(fd)
	s := &Segment{fd: fd}
	if err := s.extend(size); err != nil {
		s.CloseFD()
		return nil, err
	}
	return attach(fd, size)
}

// fileLimit is the greatest size in bytes that files may have here (ulimit -f).
func fileLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_FSIZE, &limit) != nil {
		return math.MaxUint64
	}
	return limit.Cur
}

// extend gives the segment's file a size, of which no more is mapped than before. Going beyond the limit for
// files would end the program by a signal.
func (s *Segment) extend(size int64) error {
	if limit := fileLimit(); uint64(size) > limit {
		return fmt.Errorf("a shared segment of %d bytes: the limit for files (ulimit -f) is %d bytes", size, limit)
	}
	if err := unix.Ftruncate(s.fd, size); err != nil {
		return fmt.Errorf("a shared segment of %d bytes: %w", size, err)
	}
	return nil
}

// Open maps the segment behind an inherited or received descriptor, which the segment then owns. It sets
// close-on-exec, so that programs started by the rank do not inherit it.
func Open(fd int) (*Segment, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("shared segment on descriptor %d: %w", fd, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size == 0 {
		unix.Close(fd)
		return nil, fmt.Errorf("descriptor %d is not a shared segment", fd)
	}
	unix.CloseOnExec(fd)
	fd = MoveUp(fd)
	return attach(fd, ownSize(fd, st.Size))
}

// ownSize is how much of the segment of a job or of a bridge all processes map; size for any other segment.
func ownSize(fd int, size int64) int64 {
	var head [HdrSize + 8]byte
	if n, err := unix.Pread(fd, head[:], 0); err != nil || n < len(head) ||
		binary.NativeEndian.Uint64(head[HdrMagic:]) != Magic {
		return size
	}
	if own := int64(binary.NativeEndian.Uint64(head[HdrSize:])); own >= HeaderSize && own < size {
		return own
	}
	return size
}

func attach(fd int, size int64) (*Segment, error) {
	base, _, errno := unix.Syscall6(unix.SYS_MMAP, 0, uintptr(size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_NORESERVE, uintptr(fd), 0)
	if errno != 0 {
		unix.Close(fd)
		return nil, &NoMemory{"mapping a shared segment", size, errno}
	}
	// A forked child must not write into the job's memory; it is not a rank.
	unix.Syscall(unix.SYS_MADVISE, base, uintptr(size), unix.MADV_DONTFORK)
	return &Segment{Base: base, Size: size, fd: fd}, nil
}

// FD is the descriptor, -1 after CloseFD.
func (s *Segment) FD() int { return s.fd }

// CloseFD gives up the descriptor; the memory stays mapped.
func (s *Segment) CloseFD() {
	if s.fd >= 0 {
		unix.Close(s.fd)
		s.fd = -1
	}
}

// Close unmaps the memory and closes the descriptor. No address inside may be used afterwards.
func (s *Segment) Close() {
	s.CloseFD()
	s.parts.unmap()
	if s.Base != 0 {
		unix.Syscall(unix.SYS_MUNMAP, s.Base, uintptr(s.Size), 0)
		s.Base = 0
	}
}

// private is n bytes of zeroed memory of this process alone, outside Go's heap.
// Private is n bytes of zeros that belong to this process alone. They take memory only once they are used.
func Private(n uintptr) (uintptr, error) {
	return anonymous(n, unix.PROT_READ|unix.PROT_WRITE, "memory of the library")
}

// Unmap gives mapped memory back.
func Unmap(base uintptr, n int64) { unix.Syscall(unix.SYS_MUNMAP, base, uintptr(n), 0) }

// openPart maps the first n bytes of the file behind a descriptor.
func openPart(fd int, n int64) (*Segment, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("shared segment on descriptor %d: %w", fd, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size < n {
		unix.Close(fd)
		return nil, fmt.Errorf("descriptor %d is not a shared segment: %w", fd, ErrOtherKind)
	}
	unix.CloseOnExec(fd)
	return attach(fd, n)
}
