package file

// Small accesses to one run of the file, inside of it: a copy to or from its pages, without a system call but the one
// that asks how long the file is. A write that makes the file longer, and whatever the pages cannot do, goes by pwrite.

const (
	// nearMost is the size in bytes up to which an access is small: a system call takes as long as copying this.
	nearMost = 32 << 10
	// nearRoom is how much of a file is mapped for small accesses, from its begin on. Those behind it go by system
	// calls, so that accesses here and there in a large file do not map it again and again.
	nearRoom = windowRoom
	// ahead is how much is brought in at a time for reading.
	ahead = 256 << 10
)

// nearby tells whether an access may be tried by near.
func (f *File) nearby(a *access, off int64) bool {
	return a.n <= nearMost && f.mappable && off+a.n <= nearRoom && a.buf.Contiguous() &&
		f.plan.Load().mapping != disable && !(a.write && f.plan.Load().sieveWrite == enable)
}

// resident tells whether an access of many bytes lies inside of a file that is in memory: its pages are there, and the ranks
// write them at the same time, where pwrite lets one of them into the file.
func (f *File) resident(a *access, off int64) bool {
	p := f.plan.Load()
	return a.n > nearMost && f.mappable && f.system.memory && p.mapping != disable && !(a.write && p.sieveWrite == enable) &&
		off+a.n <= f.system.length()
}

// near moves a.n bytes at off. It returns false when that has to be done in another way.
func (f *File) near(a *access, off int64) bool {
	length := f.system.length()
	if off+a.n > length {
		return false
	}
	w := f.windows.hold(f)
	if w == nil {
		return false
	}
	defer f.windows.release(w)
	end := off + a.n
	if off < w.lo || end > w.hi {
		return false
	}
	lo, hi := off, end
	if !a.write {
		lo &^= ahead - 1
		hi = min(max((end+ahead-1)&^(ahead-1), end), w.hi, pages(length))
	}
	return f.windows.prepare(w, lo, max(hi, end), a.write) && f.copyNear(w, a, off)
}

// copyNear copies; false says that a page could not be had.
func (f *File) copyNear(w *window, a *access, off int64) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			w.blame(p)
			ok = false
		}
	}()
	there, here := memory(w.base+uintptr(off-w.lo), a.n), memory(a.buf.Start(), a.n)
	if a.write {
		copy(there, here)
	} else {
		copy(here, there)
	}
	return true
}

// hold is the present mapping, or that of the file's begin when there is none; nil when there can be none.
func (w *windows) hold(f *File) *window {
	w.mu.Lock()
	if c := w.now; c != nil || w.denied {
		if c != nil {
			c.users++
		}
		w.mu.Unlock()
		return c
	}
	w.mu.Unlock()
	c := w.acquire(f, 0, nearRoom)
	if c == nil {
		w.mu.Lock()
		w.denied = true
		w.mu.Unlock()
	}
	return c
}
