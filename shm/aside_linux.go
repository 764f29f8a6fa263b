package shm

import (
	"runtime/debug"
	"sync"

	"golang.org/x/sys/unix"
)

// The kernel copies by string moves. On processors where these are slow for addresses that are close modulo
// 4096, data goes by way of memory that is close to neither: two copies take less time there.

const (
	LeastAside = 4 << 10  // what is worth it, in bytes
	asideSize  = 64 << 10 // how much at a time, so that it is in the cache still for the second copy

	// SlowDistance is up to how many bytes the destination lies behind the source, modulo 4096, where the
	// kernel's copies are slow. They are not where it is 0.
	SlowDistance = 31
)

// kernelSlows reports whether this processor is one of those.
func kernelSlows() bool {
	return stringMoves && copyTimes().StringClose > mostSlower*copyTimes().StringApart
}

// isSlow reports whether the kernel is slow to copy between memory of this process and a piece of another's.
func isSlow(local, remote uintptr, write bool) bool {
	behind := local - remote
	if write {
		behind = -behind
	}
	return behind%PageSize-1 < SlowDistance && kernelSlows()
}

var asides = sync.Pool{New: func() any { return new([asideSize + PageSize]byte) }}

// moveAside moves the first of n bytes, up to asideSize. It fails with EFAULT where local is no memory.
func (p *Process) moveAside(local uintptr, n uint64, remote uintptr, write bool) (got int, err error) {
	n = min(n, asideSize)
	room := asides.Get().(*[asideSize + PageSize]byte)
	defer asides.Put(room)
	at := Address(room[:])
	at += (remote + PageSize/2 - at) % PageSize
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			got, err = 0, unix.EFAULT
		}
	}()
	if write {
		Copy(at, local, int64(n))
	}
	got, err = p.moveOnce(at, n, []Piece{{remote, n}}, write)
	if err == nil && !write {
		Copy(local, at, int64(got))
	}
	return got, err
}
