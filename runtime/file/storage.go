package file

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/scratch"
	"gompi/shm"
)

// storage is the file as one rank reads and writes it on its own: by system calls, through mapped pages,
// under locks. What the ranks do together is built on it.
type storage struct {
	system   *system
	pages    windows
	hints    atomic.Pointer[plan]
	scratch  *scratch.Pool
	mappable bool // on all ranks: pages of the file are shared
	readable bool // on all ranks: the system lets us read, whatever the mode says
	state    *fast.FileState
	// held during an access in atomic mode: locks on the file do not exclude threads of one process
	within shm.Mutex
}

// open opens the file for a mode; more are further flags.
func (s *storage) open(path string, mode Mode, more int, permissions uint32) (err error) {
	s.system, err = openMode(path, mode, more, permissions)
	s.pages.system, s.pages.writable = s.system, mode.Writes()
	if err == nil && s.system.regular {
		s.state.Descriptor = &s.system.fd
	}
	return err
}

// close gives the file of the operating system back.
func (s *storage) close() error {
	s.state.Descriptor = nil
	err := s.system.close()
	s.system = nil
	return err
}

// atomic reports whether accesses are atomic.
func (s *storage) atomic() bool { return atomic.LoadUint32(&s.state.Atomic) != 0 }

// do carries out an access of this rank.
func (s *storage) do(a *access) (n int64, err error) {
	if a.err != nil || a.n == 0 {
		return 0, a.err
	}
	how := s.move
	if s.atomic() {
		how = s.locked
	}
	err = guarded(func() (e error) {
		n, e = how(a)
		return e
	})
	return n, err
}

// guarded does something in the program's memory. Memory that is none is an error and no panic, so that what
// the ranks do together goes on.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return do()
}

// locked is an access in atomic mode: nobody else changes or sees the bytes meanwhile (MPI 5.0, 14.6.1).
func (s *storage) locked(a *access) (int64, error) {
	lo, hi := a.view.span(a.at, a.n)
	return s.holding(lo, hi, a.write, func() (int64, error) { return s.move(a) })
}

// exclusively carries out an access while nobody else has bytes [lo, hi) locked. In atomic mode they are
// locked already.
func (s *storage) exclusively(lo, hi int64, do func() (int64, error)) (int64, error) {
	if s.atomic() {
		return do()
	}
	return s.holding(lo, hi, true, do)
}

// holding carries out an access with bytes [lo, hi) locked, exclusively or for reading.
func (s *storage) holding(lo, hi int64, exclusive bool, do func() (int64, error)) (int64, error) {
	s.within.Lock()
	defer s.within.Unlock()
	if err := s.system.lock(lo, hi, exclusive); err != nil {
		return 0, err
	}
	defer s.system.unlock(lo, hi)
	return do()
}

// move chooses how the bytes go.
func (s *storage) move(a *access) (int64, error) {
	v := a.view
	if lo := v.locate(a.at); v.plain() || v.apart && v.end(a.at, a.n)-lo == a.n {
		if !a.far && s.near(lo, a.buf, a.n, a.write) {
			return a.n, nil
		}
		if s.resident(a, lo) {
			if n, ok := s.mapped(a); ok {
				return n, nil
			}
		}
		if !a.write || s.hints.Load().sieveWrite != enable || s.atomic() {
			n, err := s.flat(lo, a.buf, 0, a.n, a.write)
			if a.write && err == nil {
				s.pages.wrote(lo + n)
			}
			return n, err
		}
		return s.exclusively(lo, lo+a.n, func() (int64, error) { return s.flat(lo, a.buf, 0, a.n, true) })
	}
	if s.worthMapping(a) {
		if n, ok := s.mapped(a); ok {
			return n, nil
		}
	}
	return s.pieces(a)
}
