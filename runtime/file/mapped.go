package file

import (
	"gompi/shm"
)

// Accesses through mapped pages of the file.

const (
	// windowAlign is what the begin of a mapping is a multiple of, in bytes: the size of a huge page.
	windowAlign = 2 << 20
	// windowRoom is how much is mapped at least, so that accesses further on find it there. It costs nothing
	// until it is touched.
	windowRoom = 1 << 30
	// windowMost is the largest mapping.
	windowMost = 1 << 40
)

// window is bytes [lo, hi) of the file, mapped at base.
type window struct {
	base   uintptr
	lo, hi int64
	users  int
	stale  bool      // unmapped by its last user
	ready  [2]filled // by direction: pages that have been brought in
	near   brought   // the same for small accesses
}

// filled is a range of bytes of the file.
type filled struct{ lo, hi int64 }

func (r *filled) covers(lo, hi int64) bool { return lo >= r.lo && hi <= r.hi }

// add makes the range larger when the new one touches it, and otherwise remembers the new one alone.
func (r *filled) add(lo, hi int64) {
	if lo <= r.hi && hi >= r.lo && r.hi > r.lo {
		r.lo, r.hi = min(lo, r.lo), max(hi, r.hi)
	} else {
		r.lo, r.hi = lo, hi
	}
}

// windows is the present mapping of a file.
type windows struct {
	system   *system
	writable bool // by the file's mode

	mu      shm.Mutex
	now     *window
	denied  bool  // the system does not map the file
	length  int64 // of the file, when it was last asked for
	settled int64 // how far writes may go by pages (system.settle)
	trust   int   // small accesses that may still go by length and settled
}

// acquire finds or makes a mapping of bytes [lo, hi); nil when there can be none.
func (w *windows) acquire(lo, hi int64) *window {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.now; c != nil && lo >= c.lo && hi <= c.hi {
		c.users++
		return c
	}
	from := lo &^ (windowAlign - 1)
	if hi-from > windowMost {
		return nil
	}
	to := max((hi+windowAlign-1)&^(windowAlign-1), from+windowRoom)
	base, err := w.system.mapPages(from, to, w.writable)
	if err != nil {
		return nil
	}
	w.retire()
	w.now = &window{base: base, lo: from, hi: to, users: 1}
	return w.now
}

// retire gives up the present mapping. The lock is held.
func (w *windows) retire() {
	c := w.now
	if c == nil {
		return
	}
	w.now = nil
	if c.stale = true; c.users == 0 {
		unmapPages(c.base, c.hi-c.lo)
	}
}

func (w *windows) release(c *window) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.users--; c.stale && c.users == 0 {
		unmapPages(c.base, c.hi-c.lo)
	}
}

// drop gives up the mapping; accesses under way keep it until they end.
func (w *windows) drop() {
	w.mu.Lock()
	w.retire()
	w.mu.Unlock()
}

// prepare brings in the pages of bytes [lo, hi). It returns false when some are not in the file.
func (w *windows) prepare(c *window, lo, hi int64, write bool) bool {
	which := 0
	if write {
		which = 1
	}
	lo &^= pageSize - 1
	hi = pages(hi)
	w.mu.Lock()
	ready := c.ready[which].covers(lo, hi)
	w.mu.Unlock()
	if ready {
		return true
	}
	if fault(c.base+uintptr(lo-c.lo), hi-lo, write) != nil {
		return false
	}
	w.mu.Lock()
	c.ready[which].add(lo, hi)
	w.mu.Unlock()
	return true
}

// worthMapping reports whether an access to many runs goes by mapped pages: runs are small, and gaps are not
// so large that more pages would be touched than data moved.
func (s *storage) worthMapping(a *access) bool {
	v, choice := a.view, s.hints.Load().mapping
	if !v.apart || choice == disable || !s.mappable && choice != enable {
		return false
	}
	return v.tiles.Size()/v.rows < largeRun && v.end(a.at, a.n)-v.locate(a.at) <= sparse*a.n
}

const (
	largeRun = 256 << 10 // bytes from where on a run is moved by a call of its own
	sparse   = 64        // how many bytes of the file there may be for one of data
	dense    = 8         // the same, up to where all pages in between are brought in at once
)

// mapped moves the bytes through mapped pages. ok is false when that is not possible, or went wrong half-way:
// moving them again in another way then puts everything right, and finds out what is wrong.
func (s *storage) mapped(a *access) (n int64, ok bool) {
	size := s.system.length()
	if size < 0 {
		return 0, false
	}
	v := a.view
	n = a.n
	lo, hi := v.locate(a.at), v.end(a.at, a.n)
	switch {
	case hi <= size && a.write:
		s.pages.settle(hi, size)
	case hi <= size:
	case a.write:
		// The last byte makes the file as long as it must be, whatever other ranks do at the same time.
		if k, err := s.flat(hi-1, a.buf, a.n-1, 1, true); err != nil || k != 1 {
			return 0, false
		}
	default:
		if n = min(v.before(size)-a.at, n); n <= 0 {
			return 0, true
		}
		hi = v.end(a.at, n)
	}
	w := s.pages.acquire(lo, hi)
	if w == nil {
		return 0, false
	}
	defer s.pages.release(w)
	if hi-lo <= dense*n+2*pageSize && !s.pages.prepare(w, lo, hi, a.write) {
		return 0, false
	}
	return n, s.moveMapped(w, a, n)
}

// moveMapped moves the first n bytes of the access. It returns false when a page could not be had.
func (s *storage) moveMapped(w *window, a *access, n int64) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			w.blame(p)
			ok = false
		}
	}()
	base := w.base - uintptr(w.lo)
	if from := a.rotate; from > 0 && from < n {
		s.exchange(a, base, from, n-from)
		s.exchange(a, base, 0, from)
	} else {
		s.exchange(a, base, 0, n)
	}
	return true
}

// blame goes on with a panic unless it was caused by a page of the window.
func (w *window) blame(p any) {
	at, isFault := p.(interface{ Addr() uintptr })
	if !isFault || at.Addr() < w.base || at.Addr() >= w.base+uintptr(w.hi-w.lo) {
		panic(p) // the buffer's fault
	}
}
