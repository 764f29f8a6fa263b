package file

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Split collective accesses (MPI 5.0, 14.4.5): begin starts the access, end waits for it.

// Kind is the family of a split collective access: what was begun by one has to be ended by its own end.
type Kind string

// The families.
const (
	AtAll   Kind = "at_all"
	All     Kind = "all"
	Ordered Kind = "ordered"
)

// split is a split collective access that has begun.
type split struct {
	kind Kind
	dir  Direction
	buf  uintptr
	r    *request.Request // nil when it is done
	st   request.Status
	err  error
}

func (s *split) name() string {
	if s.dir == Write {
		return "MPI_File_write_" + string(s.kind)
	}
	return "MPI_File_read_" + string(s.kind)
}

// soon is the size in bytes up to which an access is carried out by the call that begins it: handing it over
// would take longer.
const soon = 64 << 10

// Begin starts a split collective access. offset counts for AtAll alone.
func (f *File) Begin(kind Kind, offset int64, b datatype.Buffer, dir Direction) error {
	s := &split{kind: kind, dir: dir, buf: b.Addr}
	if !f.split.CompareAndSwap(nil, s) {
		return mpierr.New(mpierr.ErrOther, "%s_begin has begun a split collective access, which has not been ended", f.split.Load().name())
	}
	var p prepared
	var err error
	switch kind {
	case AtAll:
		p, err = f.prepareAt(offset, b, dir)
	case All:
		p, err = f.prepareNext(b, dir)
	default:
		p, _, err = f.lineUp(b, f.permit(dir), dir)
	}
	switch {
	case err != nil:
	case p.n <= soon || p.view.rep.foreign:
		s.err = f.carryOut(p, &s.st, f.beside)
	default:
		s.r, err = f.begin(p, f.beside)
	}
	if err != nil {
		f.split.Store(nil)
	}
	return err
}

// End waits for the access that Begin has started.
func (f *File) End(kind Kind, buf uintptr, dir Direction, st *request.Status) error {
	want := split{kind: kind, dir: dir}
	s := f.split.Load()
	switch {
	case s == nil:
		return mpierr.New(mpierr.ErrOther, "no split collective access has begun on this file")
	case s.kind != kind || s.dir != dir:
		return mpierr.New(mpierr.ErrOther, "%s_begin has begun the access, so %s_end cannot end it", s.name(), want.name())
	case s.buf != buf:
		return mpierr.New(mpierr.ErrBuffer, "buf is %#x, but %s_begin was given %#x", buf, s.name(), s.buf)
	}
	f.split.Store(nil)
	if s.r != nil {
		return f.engine.Wait(s.r, st)
	}
	*st = s.st
	return s.err
}

// outstanding refuses what may not be done during a split collective access.
func (f *File) outstanding() error {
	if s := f.split.Load(); s != nil {
		return mpierr.New(mpierr.ErrOther, "%s_begin has begun a split collective access, which has not been ended", s.name())
	}
	return nil
}
