package file

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/shm"
)

// Small accesses to one run of the file, inside of it: a copy to or from its pages, without a system call. A
// write that makes the file longer, and whatever the pages cannot do, goes by pwrite.
//
// How long the file is has to be asked, and that takes longer than the copy. Within MPI only
// MPI_File_set_size makes a file shorter, after which this file's ranks ask again; those of another open
// file, or atomic mode, have to be synchronized with (MPI 5.0, 14.6.1), so it is enough to ask again at
// MPI_File_sync, and always in atomic mode. Somebody else may cut the file off at any time: where whole pages
// are missing the copy faults, and goes by a system call. What would be missed is an end within a page, and
// that for trusted accesses at most.

const (
	// nearMost is the size in bytes up to which an access is small: a system call takes as long as copying a
	// part of it.
	nearMost = 256 << 10
	// nearRoom is how much of a file is mapped for small accesses, from its begin on. Those behind it go by
	// system calls, so that accesses here and there in a large file do not map it again and again.
	nearRoom = windowRoom
	// residentLeast is the size in bytes above which the pages of a file in memory are worth mapping for a
	// single access.
	residentLeast = 32 << 10
	// ahead is how much is brought in at a time for reading.
	ahead = 256 << 10
	// trusted is how many small accesses go by what the length of the file was, at most.
	trusted = 64
)

// resident reports whether an access of many bytes lies inside of a file that is in memory: its pages are
// there, and the ranks write them at the same time, where pwrite lets one of them into the file.
func (s *storage) resident(a *access, off int64) bool {
	p := s.hints.Load()
	return a.n > residentLeast && s.mappable && s.system.memory && p.mapping != disable &&
		!(a.write && p.sieveWrite == enable) &&
		off+a.n <= s.system.length()
}

// near copies the n bytes at off of the file to or from b. It returns false when that has to be done in
// another way.
func (s *storage) near(off int64, b datatype.Buffer, n int64, write bool) bool {
	if n <= 0 || n > nearMost || off > nearRoom-n || !s.mappable || !b.Contiguous() {
		return false
	}
	if p := s.hints.Load(); p.mapping == disable || write && p.sieveWrite == enable {
		return false
	}
	w := s.pages.hold(off+n, write, s.atomic())
	return w != nil && s.copyNear(w, off, b.Start(), n, write)
}

// copyNear copies and lets go of the window. False says that pages could not be had, or are better not had.
func (s *storage) copyNear(w *window, off int64, addr uintptr, n int64, write bool) (ok bool) {
	defer func() {
		p := recover()
		s.pages.release(w)
		if p != nil {
			w.blame(p)
			s.pages.doubt()
			ok = false
		}
	}()
	if off < w.lo || off+n > w.hi || !w.bring(off, off+n, write) {
		return false
	}
	there := w.base + uintptr(off-w.lo)
	if write {
		shm.Copy(there, addr, n)
	} else {
		shm.Copy(addr, there, n)
	}
	return true
}

// hold is the present mapping, or that of the file's begin when there is none; nil when there can be none, or
// the file ends before end. With ask the length of the file is asked for in any case.
func (w *windows) hold(end int64, write, ask bool) *window {
	w.mu.Lock()
	if w.trust--; w.trust < 0 || end > w.length || ask {
		w.length = w.system.length()
		if w.trust < 0 && write {
			w.system.settle(w.length)
			w.settled = w.length
		}
		w.trust = trusted
	}
	c := w.now
	if end > w.length || write && end > w.settled || c == nil && w.denied {
		w.mu.Unlock()
		return nil
	}
	if c != nil {
		c.users++
		w.mu.Unlock()
		return c
	}
	w.mu.Unlock()
	c = w.acquire(0, nearRoom)
	if c == nil {
		w.mu.Lock()
		w.denied = true
		w.mu.Unlock()
	}
	return c
}

// wrote takes note of a write to the file by a system call that is over: it has come after whatever had made
// the file as long as it found it.
func (w *windows) wrote(end int64) {
	w.mu.Lock()
	w.settled = max(w.settled, end)
	w.mu.Unlock()
}

// settle waits until bytes up to end, inside of the file, which is length bytes long, may be written by
// pages.
func (w *windows) settle(end, length int64) {
	w.mu.Lock()
	if end > w.settled {
		w.system.settle(length)
		w.settled = length
	}
	w.mu.Unlock()
}

// doubt has the next small access ask how long the file is.
func (w *windows) doubt() {
	w.mu.Lock()
	w.trust, w.settled = 0, 0
	w.mu.Unlock()
}

// brought are the pages of the file's first nearRoom bytes that small accesses have met.
type brought struct {
	read [nearRoom / ahead / 64]atomic.Uint64 // stretches of ahead bytes that can be read
	// Per page two bits, the lower when it has been written by a system call, both when it can be written.
	// Bringing in a page for writing takes longer than to write it by a system call, so it is for pages that
	// are written again.
	written atomic.Pointer[[nearRoom / pageSize / pagesAWord]atomic.Uint64]
}

const (
	pagesAWord = 32
	eachOnce   = 0x5555555555555555 // the lower bit of each page
)

// bring sees to it that the pages of bytes [lo, hi) are there. It returns false when they cannot be had for
// writing, or are written for the first time.
func (w *window) bring(lo, hi int64, write bool) bool {
	if !write {
		if first, last := lo/ahead, (hi-1)/ahead; !w.near.has(first) || !w.near.has(last) { // at most two
			w.bringForReading(first, last)
		}
		return true
	}
	if w.near.written.Load() == nil {
		w.near.written.CompareAndSwap(nil, new([nearRoom / pageSize / pagesAWord]atomic.Uint64))
	}
	ready, again := w.near.mark(lo/pageSize, pages(hi)/pageSize, eachOnce)
	return ready || again && w.bringForWriting(lo/pageSize, pages(hi)/pageSize)
}

func (r *brought) has(stretch int64) bool { return r.read[stretch/64].Load()>>(stretch%64)&1 != 0 }

// bringForReading brings in stretches of ahead bytes. Where the file ends before they do, the rest comes in
// when it is touched; so does all of it if it cannot be brought in beforehand.
func (w *window) bringForReading(first, last int64) {
	_ = fault(w.base+uintptr(first*ahead-w.lo), min((last+1)*ahead, w.hi)-first*ahead, false)
	w.near.read[first/64].Or(1 << (first % 64))
	w.near.read[last/64].Or(1 << (last % 64))
}

// bringForWriting brings in pages [first, end).
func (w *window) bringForWriting(first, end int64) bool {
	if fault(w.base+uintptr(first*pageSize-w.lo), (end-first)*pageSize, true) != nil {
		return false
	}
	w.near.mark(first, end, ^uint64(0))
	return true
}

// mark sets bits of pages [first, end), and reports whether both, or at least the lower one, were set of all
// before.
func (r *brought) mark(first, end int64, bits uint64) (ready, again bool) {
	written := r.written.Load()
	ready, again = true, true
	for i := first; i < end; {
		word, at := i/pagesAWord, uint(i%pagesAWord)
		k := min(end-i, pagesAWord-int64(at))
		mask := (^uint64(0) >> (64 - 2*uint(k))) << (2 * at)
		old := written[word].Load()
		ready = ready && old&mask == mask
		again = again && old&mask&eachOnce == mask&eachOnce
		if add := mask & bits; old&add != add {
			written[word].Or(add)
		}
		i += k
	}
	return ready, again
}
