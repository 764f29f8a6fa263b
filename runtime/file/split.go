package file

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Split collective accesses (MPI 5.0, 14.4.5): begin starts the access, end waits for it.

// split is a split collective access that has begun.
type split struct {
	from Positioning // Explicit, Individual or Ordered
	dir  Direction
	buf  uintptr
	r    *request.Request // nil when it is done
	st   request.Status
	err  error
}

// name is that of its functions without _begin and _end.
func (s *split) name() string {
	name := "MPI_File_read_"
	if s.dir == Write {
		name = "MPI_File_write_"
	}
	return name + [...]string{Explicit: "at_all", Individual: "all", Ordered: "ordered"}[s.from]
}

// splitAccess is the split collective access of a file: there is one at a time at most.
type splitAccess struct{ begun atomic.Pointer[split] }

// start notes an access that begins, and refuses a second one.
func (a *splitAccess) start(s *split) error {
	for !a.begun.CompareAndSwap(nil, s) {
		if err := a.outstanding(); err != nil {
			return err
		}
	}
	return nil
}

// outstanding refuses what may not be done during a split collective access.
func (a *splitAccess) outstanding() error {
	if s := a.begun.Load(); s != nil {
		return mpierr.New(mpierr.ErrOther, "%s_begin has begun a split collective access, which has not been ended", s.name())
	}
	return nil
}

// finish ends the access, which must be the one that the same family of functions has begun with this buffer.
func (a *splitAccess) finish(from Positioning, buf uintptr, dir Direction) (*split, error) {
	want := split{from: from, dir: dir}
	s := a.begun.Load()
	switch {
	case s == nil:
		return nil, mpierr.New(mpierr.ErrOther, "no split collective access has begun on this file")
	case s.from != from || s.dir != dir:
		return nil, mpierr.New(mpierr.ErrOther, "%s_begin has begun the access, so %s_end cannot end it", s.name(), want.name())
	case s.buf != buf:
		return nil, mpierr.New(mpierr.ErrBuffer, "buf is %#x, but %s_begin was given %#x", buf, s.name(), s.buf)
	}
	a.begun.Store(nil)
	return s, nil
}

// soon is the size in bytes up to which an access is carried out by the call that begins it: handing it over
// would take longer.
const soon = 64 << 10

// Begin starts a split collective access: MPI_File_read_all_begin, MPI_File_write_all_begin, and those with
// _at and _ordered.
func (f *File) Begin(from Positioning, offset int64, b datatype.Buffer, dir Direction) error {
	s := &split{from: from, dir: dir, buf: b.Addr}
	if err := f.split.start(s); err != nil {
		return err
	}
	var p prepared
	var err error
	if from == Ordered {
		p, _, err = f.prepareOrdered(b, f.permit(dir), dir)
	} else {
		p, err = f.prepare(from, offset, b, dir)
	}
	switch {
	case err != nil:
	case p.n <= soon || p.view.rep.foreign:
		s.err = f.carryOut(p, &s.st, f.beside)
	default:
		s.r, err = f.start(p, f.beside)
	}
	if err != nil {
		f.split.begun.Store(nil)
	}
	return err
}

// End waits for the access that Begin has started.
func (f *File) End(from Positioning, buf uintptr, dir Direction, st *request.Status) error {
	s, err := f.split.finish(from, buf, dir)
	if err != nil {
		return err
	}
	if s.r != nil {
		return f.engine.Wait(s.r, st)
	}
	*st = s.st
	return s.err
}
