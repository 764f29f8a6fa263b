package file

import (
	"math"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Direction says which way data goes.
type Direction bool

// The directions.
const (
	Read  Direction = false
	Write Direction = true
)

// Positioning says where in the file an access begins (MPI 5.0, 14.4.1).
type Positioning int

// The kinds of positioning. The offset that functions take counts for Explicit alone, in etypes of the view.
const (
	Explicit   Positioning = iota // at an offset
	Individual                    // at the individual file pointer
	Shared                        // at the shared file pointer
	Ordered                       // there, behind what the lower ranks access
)

// access moves bytes of the stream that a view shows.
type access struct {
	view  *view
	buf   datatype.Buffer // memory, whose data is n bytes
	at, n int64           // the bytes [at, at+n) of the stream
	write bool
	err   error // what this rank has found wrong: it takes part in barriers and does nothing else
	// bytes of the access after which it begins, to come to the others last: ranks of a collective access
	// keep apart
	rotate int64
	far    bool // the pages cannot be had at once (near)
}

// permit checks what any access needs.
func (f *File) permit(dir Direction) error {
	switch {
	case dir == Write && !f.Mode().Writes():
		return f.writable()
	case dir == Read && !f.Mode().Reads():
		return mpierr.New(mpierr.ErrAccess, "file %q was opened with %v", f.path, f.Mode())
	}
	return nil
}

// extent is how many bytes of the file's stream and how many etypes an access with buffer b takes.
func (v *view) extent(b datatype.Buffer) (bytes, units int64, err error) {
	if b.Count == 0 || b.Type.Size() == 0 {
		return 0, 0, nil
	}
	size := b.Type.Size()
	if v.rep.converts() {
		l, err := v.rep.layout(b.Type)
		if err != nil {
			return 0, 0, err
		}
		size = l.Size()
	}
	if size != 0 && b.Count > math.MaxInt64/size {
		return 0, 0, mpierr.New(mpierr.ErrCount, "count is %d elements of %d bytes, which is no size of a file", b.Count, size)
	}
	bytes = b.Count * size
	if bytes%v.Unit != 0 {
		return 0, 0, mpierr.New(mpierr.ErrIO, "the buffer holds %d bytes, must be a multiple of the %d bytes of the view's etype", bytes, v.Unit)
	}
	if bytes > 0 && v.tiles.Size() == 0 {
		return 0, 0, mpierr.New(mpierr.ErrIO, "the buffer holds %d bytes, but the view's filetype has no data", bytes)
	}
	return bytes, bytes / v.Unit, nil
}

// streamOffset is the byte of the stream at which position offset begins. An access of n bytes there must not
// end beyond what a file can hold.
func (v *view) streamOffset(offset, n int64) (int64, error) {
	if offset < 0 {
		return 0, mpierr.New(mpierr.ErrArg, "offset is %d, must not be negative", offset)
	}
	tiles := int64(1)
	if v.tiles.Size() > 0 && offset <= (math.MaxInt64-n)/v.Unit {
		tiles = (offset*v.Unit+n)/v.tiles.Size() + 1
	}
	if offset > (math.MaxInt64-n)/v.Unit || v.tiles.Extent() > 0 &&
		tiles > (math.MaxInt64-v.Disp)/v.tiles.Extent()-1 {
		return 0, mpierr.New(mpierr.ErrArg, "offset is %d, which is beyond what a file can hold", offset)
	}
	return offset * v.Unit, nil
}

// prepared is an access that has been checked.
type prepared struct {
	view  *view
	buf   datatype.Buffer // the user's
	at, n int64
	dir   Direction
}

// prepare checks an access, and advances the file pointer at which it begins by what it takes.
func (f *File) prepare(from Positioning, offset int64, b datatype.Buffer, dir Direction) (prepared, error) {
	err := f.permit(dir)
	if err == nil && from != Shared {
		err = f.random()
	}
	if err != nil {
		return prepared{}, err
	}
	v := f.view.Load()
	n, units, err := v.extent(b)
	if err != nil {
		return prepared{}, err
	}
	switch from {
	case Individual:
		offset = f.individual.advance(units)
	case Shared:
		offset = f.shared.advance(units)
	}
	at, err := v.streamOffset(offset, n)
	return prepared{view: v, buf: b, at: at, n: n, dir: dir}, err
}

// accessRange carries out an access of this rank alone.
func (f *File) accessRange(p prepared, st *request.Status) error {
	v := p.view.around(p.at, p.n)
	if v.rep.converts() {
		return f.carryOut(p, st, f.storage.do)
	}
	*st = request.Empty
	n, err := p.n, error(nil)
	near := v.plain() && !f.storage.atomic()
	if !near || !f.storage.near(v.Disp+p.at, p.buf, p.n, bool(p.dir)) {
		a := access{view: v, buf: p.buf, at: p.at, n: p.n, write: p.dir == Write, far: near}
		n, err = f.storage.do(&a)
	}
	st.Bytes = n
	f.config.Traffic.count(p.dir, n)
	return err
}

// carryOut does the access in the given way and fills in the status.
func (f *File) carryOut(p prepared, st *request.Status, how func(*access) (int64, error)) error {
	*st = request.Empty
	p.view = p.view.around(p.at, p.n)
	a := access{view: p.view, buf: p.buf, at: p.at, n: p.n, write: p.dir == Write}
	var n int64
	var err error
	if p.view.rep.converts() {
		n, err = f.storage.converted(&p, &a, how)
	} else {
		n, err = how(&a)
	}
	st.Bytes = n
	f.config.Traffic.count(p.dir, n)
	return err
}

// ReadWrite is MPI_File_read, MPI_File_write and those with _at and _shared.
func (f *File) ReadWrite(from Positioning, offset int64, b datatype.Buffer, dir Direction,
	st *request.Status) error {
	p, err := f.prepare(from, offset, b, dir)
	if err != nil {
		return err
	}
	return f.accessRange(p, st)
}
