package shm

import "golang.org/x/sys/unix"

// Coll blocks are parts of the job's file at fixed offsets, one for the collectives of each communicator. A
// process maps those that it has communicators for. Whether it can has to be known before the communicator
// exists, since all of its ranks must go the same way: so the addresses are reserved first, and mapping the
// coll block there does not fail for want of them.

// CollBlocks is how many coll blocks the file has; 0 in a bridge.
func (s *Segment) CollBlocks() int { return int(*Word32(s.Base + HdrCollBlocks)) }

// spareAddresses is how many bytes of addresses coll blocks leave to the program and to Go's heap, which
// grows by arenas of 64 MiB, where there is a limit (ulimit -v).
const spareAddresses = 128 << 20

// addressesLimited reports whether there is a limit of this process's addresses (ulimit -v).
func addressesLimited() bool {
	var limit unix.Rlimit
	return unix.Getrlimit(unix.RLIMIT_AS, &limit) == nil && limit.Cur != unix.RLIM_INFINITY
}

// ReserveAddresses takes addresses for a coll block, where nothing can be read or written yet. It is a
// mapping of the file, so that the number of mappings stays the same when the coll block takes its place.
func (s *Segment) ReserveAddresses() (uintptr, error) {
	if addressesLimited() {
		return s.reserveAddresses(spareAddresses)
	}
	return s.reserveAddresses(0)
}

// MapFirst maps coll block 0, which all ranks need to begin with, and returns where.
func (s *Segment) MapFirst() (uintptr, error) {
	base, err := s.reserveAddresses(0)
	if err != nil {
		return 0, err
	}
	return base, s.MapCollBlock(0, base)
}

// reserveAddresses is ReserveAddresses that leaves spare bytes of addresses.
func (s *Segment) reserveAddresses(spare uintptr) (uintptr, error) {
	size := uintptr(CollBlockSize(s.Ranks()))
	base, _, errno := unix.Syscall6(unix.SYS_MMAP, 0, size+spare, unix.PROT_NONE,
		unix.MAP_SHARED|unix.MAP_NORESERVE, uintptr(s.fd), 0)
	if errno != 0 {
		return 0, &NoMemory{"addresses for collectives", int64(size + spare), errno}
	}
	if spare > 0 {
		Unmap(base+size, int64(spare))
	}
	return base, nil
}

// MapChunkAreas maps the chunk areas of all ranks, and returns where; 0 where addresses are limited or there
// are none. A forked child does not have them.
func (s *Segment) MapChunkAreas() uintptr {
	if addressesLimited() {
		return 0
	}
	n := s.Ranks()
	size := int64(n) * ChunkAreaStride
	base, err := s.mapUnforked(ChunkAreaOffset(n, 0), size)
	if err != nil {
		return 0
	}
	s.parts.addCollBlock(base, size)
	return base
}

// MapCollBlock maps a coll block, from 0 to below CollBlocks, at addresses that were reserved for one. A
// forked child does not have it.
func (s *Segment) MapCollBlock(block int, base uintptr) error {
	n := s.Ranks()
	size := uintptr(CollBlockSize(n))
	_, _, errno := unix.Syscall6(unix.SYS_MMAP, base, size, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_NORESERVE|unix.MAP_FIXED, uintptr(s.fd), uintptr(CollBlockOffset(n, block)))
	if errno != 0 {
		return &NoMemory{"mapping shared memory", int64(size), errno}
	}
	unix.Syscall(unix.SYS_MADVISE, base, size, unix.MADV_DONTFORK)
	s.parts.addCollBlock(base, int64(size))
	return nil
}

// UnmapCollBlock gives the addresses of a coll block back, whether it has been mapped there or not.
func (s *Segment) UnmapCollBlock(base uintptr) {
	s.parts.dropCollBlock(base)
	Unmap(base, CollBlockSize(s.Ranks()))
}

// DiscardCollBlock gives the memory back in which node rank r has shown its data, but for the first pages,
// where it stands how far operations have come.
func (s *Segment) DiscardCollBlock(block, r int) {
	n := s.Ranks()
	at := CollBlockOffset(n, block)
	s.Discard(at+int64(CollOffset(r))+PageSize, CollStride-PageSize)
	s.Discard(at+int64(NbcOffset(n, r))+PageSize, NbcStride-PageSize)
}
