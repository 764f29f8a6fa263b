package shm

import (
	"fmt"
	"math"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Shared allocations are memory that ranks share at will, beyond the job's segment: stretches of the
// segment's own file, behind the job's part. Every rank has the file from the start, so whoever is told the
// offset of an allocation can map it: nothing has to be handed over, and nothing is left behind. Offsets are
// given out in rising order. Those of small allocations are given out again (freed_linux.go); what else is
// given back costs no memory any more.

// Reserve makes an allocation of at least n bytes and returns where it begins in the file, and its size: a
// multiple of PageSize. Its memory is zero and costs nothing before it is touched.
func (s *Segment) Reserve(n int64) (off, size int64, err error) {
	if n < 0 || n > math.MaxInt64-PageSize {
		return 0, 0, fmt.Errorf("%d bytes of shared memory", n)
	}
	size = max((n+PageSize-1)&^(PageSize-1), PageSize)
	if off = s.recycled(size); off != 0 {
		return off, size, nil
	}
	next := Word64(s.Base + HdrAllocations)
	for {
		old := atomic.LoadUint64(next)
		if uint64(size) > math.MaxInt64-old {
			return 0, 0, fmt.Errorf("%d bytes of shared memory: there is no room for them in the file", n)
		}
		if atomic.CompareAndSwapUint64(next, old, old+uint64(size)) {
			off = int64(old)
			break
		}
	}
	if uint64(off+size) > fileLimit() {
		return 0, 0, fmt.Errorf("%d bytes of shared memory: more than the limit for files (ulimit -f) allows", n)
	}
	// Allocating its last page makes the file long enough, and never shorter, whatever other ranks do.
	for {
		err := unix.Fallocate(s.fd, 0, off+size-PageSize, PageSize)
		if err == nil {
			return off, size, nil
		}
		if err != unix.EINTR {
			return 0, 0, fmt.Errorf("%d bytes of shared memory: %w", n, err)
		}
	}
}

// Map maps the n bytes of the segment's file from off on, a multiple of PageSize. Children of the process
// inherit the mapping, since it is memory of the program's.
func (s *Segment) Map(off, n int64) (uintptr, error) {
	if base := s.mappings.parted(off, n); base != 0 {
		return base, nil
	}
	base, _, errno := unix.Syscall6(unix.SYS_MMAP, 0, uintptr(n), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_NORESERVE, uintptr(s.fd), uintptr(off))
	if errno != 0 {
		return 0, &NoMemory{"mapping shared memory", n, errno}
	}
	return base, nil
}

// Unmap ends what Map began.
func (s *Segment) Unmap(base uintptr, n int64) { unix.Syscall(unix.SYS_MUNMAP, base, uintptr(n), 0) }

// Discard gives the memory of an allocation back; whoever still has it mapped reads zeros there.
func (s *Segment) Discard(off, n int64) {
	const keepSize, punchHole = 1, 2
	_ = unix.Fallocate(s.fd, keepSize|punchHole, off, n) // it goes with the job at the latest
}
