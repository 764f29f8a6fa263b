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

// access moves bytes of the stream that a view shows.
type access struct {
	view  *view
	buf   datatype.Buffer // memory, whose data is n bytes
	at, n int64           // the bytes [at, at+n) of the stream
	write bool
	err   error // what this rank has found wrong: it meets the others and does nothing else
	// bytes of the access after which it begins, to come to the others last: ranks of a collective access
	// keep apart
	rotate int64
	far    bool // the pages cannot be had at once (near)
}

// permit checks what any access needs.
func (f *File) permit(dir Direction) error {
	switch {
	case dir == Write && !f.mode.Writes():
		return f.writable()
	case dir == Read && !f.mode.Reads():
		return mpierr.New(mpierr.ErrAccess, "file %q was opened with %v", f.path, f.mode)
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
	if bytes%v.unit != 0 {
		return 0, 0, mpierr.New(mpierr.ErrIO, "the buffer holds %d bytes, must be a multiple of the %d bytes of the view's etype", bytes, v.unit)
	}
	if bytes > 0 && v.tiles.Size() == 0 {
		return 0, 0, mpierr.New(mpierr.ErrIO, "the buffer holds %d bytes, but the view's filetype has no data", bytes)
	}
	return bytes, bytes / v.unit, nil
}

// streamOffset is the byte of the stream at which position offset begins. An access of n bytes there must not
// end beyond what a file can hold.
func (v *view) streamOffset(offset, n int64) (int64, error) {
	if offset < 0 {
		return 0, mpierr.New(mpierr.ErrArg, "offset is %d, must not be negative", offset)
	}
	tiles := int64(1)
	if v.tiles.Size() > 0 && offset <= (math.MaxInt64-n)/v.unit {
		tiles = (offset*v.unit+n)/v.tiles.Size() + 1
	}
	if offset > (math.MaxInt64-n)/v.unit || v.tiles.Extent() > 0 &&
		tiles > (math.MaxInt64-v.disp)/v.tiles.Extent()-1 {
		return 0, mpierr.New(mpierr.ErrArg, "offset is %d, which is beyond what a file can hold", offset)
	}
	return offset * v.unit, nil
}

// prepared is an access that has been checked.
type prepared struct {
	view  *view
	buf   datatype.Buffer // the user's
	at, n int64
	dir   Direction
}

// prepare checks an access at a position in etypes.
func (f *File) prepare(b datatype.Buffer, offset int64, dir Direction) (prepared, error) {
	v := f.view.Load()
	n, _, err := v.extent(b)
	if err != nil {
		return prepared{}, err
	}
	at, err := v.streamOffset(offset, n)
	return prepared{view: v, buf: b, at: at, n: n, dir: dir}, err
}

// claim is prepare at a file pointer, which it advances by what the access takes.
func (f *File) claim(b datatype.Buffer, dir Direction,
	advance func(units int64) (before int64)) (prepared, error) {
	v := f.view.Load()
	n, units, err := v.extent(b)
	if err != nil {
		return prepared{}, err
	}
	at, err := v.streamOffset(advance(units), n)
	return prepared{view: v, buf: b, at: at, n: n, dir: dir}, err
}

// along advances the individual file pointer.
func (f *File) along(units int64) int64 { return f.position.Add(units) - units }

// alone does an access of this rank by itself.
func (f *File) alone(p prepared, st *request.Status) error {
	v := p.view.around(p.at, p.n)
	if v.rep.converts() {
		return f.carryOut(p, st, f.do)
	}
	*st = request.Empty
	n, err := p.n, error(nil)
	if near := v.plain && !f.atomic.Load(); !near || !f.near(v.disp+p.at, p.buf, p.n, bool(p.dir)) {
		n, err = f.do(&access{view: v, buf: p.buf, at: p.at, n: p.n, write: p.dir == Write, far: near})
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
		n, err = f.converted(&p, &a, how)
	} else {
		n, err = how(&a)
	}
	st.Bytes = n
	f.config.Traffic.count(p.dir, n)
	return err
}

// do carries out one rank's part, alone.
func (f *File) do(a *access) (n int64, err error) {
	if a.err != nil || a.n == 0 {
		return 0, a.err
	}
	how := f.move
	if f.atomic.Load() {
		how = f.locked
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
func (f *File) locked(a *access) (int64, error) {
	f.within.Lock()
	defer f.within.Unlock()
	lo, hi := a.view.span(a.at, a.n)
	if err := f.system.lock(lo, hi, a.write); err != nil {
		return 0, err
	}
	defer f.system.unlock(lo, hi)
	return f.move(a)
}

// move chooses how the bytes go.
func (f *File) move(a *access) (int64, error) {
	v := a.view
	if lo := v.locate(a.at); v.plain || v.apart && v.end(a.at, a.n)-lo == a.n {
		if !a.far && f.near(lo, a.buf, a.n, a.write) {
			return a.n, nil
		}
		if f.resident(a, lo) {
			if n, ok := f.mapped(a); ok {
				return n, nil
			}
		}
		if !a.write || f.plan.Load().sieveWrite != enable || f.atomic.Load() {
			n, err := f.flat(lo, a.buf, 0, a.n, a.write)
			if a.write && err == nil {
				f.windows.wrote(lo + n)
			}
			return n, err
		}
		return f.exclusively(lo, lo+a.n, func() (int64, error) { return f.flat(lo, a.buf, 0, a.n, true) })
	}
	if f.worthMapping(a) {
		if n, ok := f.mapped(a); ok {
			return n, nil
		}
	}
	return f.pieces(a)
}

// ReadWriteAt is MPI_File_read_at and MPI_File_write_at. offset counts etypes of the view.
func (f *File) ReadWriteAt(offset int64, b datatype.Buffer, dir Direction, st *request.Status) error {
	p, err := f.prepareAt(offset, b, dir)
	if err != nil {
		return err
	}
	return f.alone(p, st)
}

func (f *File) prepareAt(offset int64, b datatype.Buffer, dir Direction) (prepared, error) {
	if err := first(f.permit(dir), f.random()); err != nil {
		return prepared{}, err
	}
	return f.prepare(b, offset, dir)
}

// ReadWrite is MPI_File_read and MPI_File_write, at the individual file pointer.
func (f *File) ReadWrite(b datatype.Buffer, dir Direction, st *request.Status) error {
	p, err := f.prepareNext(b, dir)
	if err != nil {
		return err
	}
	return f.alone(p, st)
}

func (f *File) prepareNext(b datatype.Buffer, dir Direction) (prepared, error) {
	if err := first(f.permit(dir), f.random()); err != nil {
		return prepared{}, err
	}
	return f.claim(b, dir, f.along)
}
