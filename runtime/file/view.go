package file

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// DisplacementCurrent is MPI_DISPLACEMENT_CURRENT: the view of a sequential file begins where its shared
// pointer is.
const DisplacementCurrent = -1

// view is how this rank sees the file (MPI 5.0, 14.3). It never changes.
//
// The data that the view shows is a stream of bytes, in the representation that the file has. Offsets of
// accesses count etypes of that stream.
type view struct {
	fast.View       // what C knows of it: where the stream begins, the size of an etype in the file
	etype, filetype *datatype.Type
	rep             *Representation

	tiles *datatype.Type // the filetype as it lies in the file
	rows  int64          // runs of bytes in one tile; 0 when there is no data
	apart bool           // no byte of the file is seen twice

	// firstTile is the view of that alone, for accesses that stay in it; nil unless tiles reach into each
	// other while the data of each ascends. PnetCDF makes such views of a struct that ends in a subarray, and
	// uses the one tile.
	firstTile *view
}

// bytesView is the view of a file that has just been opened.
func bytesView() *view {
	byte := datatype.Raw(0, 0).Type
	v, _ := newView(0, byte, byte, native, false) // bytes are always right
	return v
}

// newView checks the types of a view. writes says that the file may be written.
func newView(disp int64, etype, filetype *datatype.Type, rep *Representation, writes bool) (*view, error) {
	v := &view{View: fast.View{Disp: disp, Etype: predefined(etype), Filetype: predefined(filetype)},
		etype: etype, filetype: filetype, rep: rep}
	v.SetName(rep.Name)
	if !rep.converts() {
		v.Native = 1
	}
	e, err := rep.layout(etype)
	if err != nil {
		return nil, err
	}
	if v.tiles, err = rep.layout(filetype); err != nil {
		return nil, err
	}
	v.Unit = e.Size()
	switch {
	case v.Unit == 0:
		return nil, mpierr.New(mpierr.ErrType, "etype is %s, which has no data", etype.Name())
	case v.tiles.Size()%v.Unit != 0:
		return nil, mpierr.New(mpierr.ErrType, "filetype has %d bytes of data, must be a multiple of the %d bytes of etype", v.tiles.Size(), v.Unit)
	}
	if err := first(rising("etype", e, writes), rising("filetype", v.tiles, writes)); err != nil || v.tiles.Size() == 0 {
		return v, err
	}
	v.apart = v.tiles.Ascends(false)
	v.rows = v.tiles.RunCount()
	v.tell()
	if !v.apart && v.tiles.AscendsWithin(false) {
		err = v.standAlone()
	}
	return v, err
}

// plain reports whether the stream is the file from its displacement on.
func (v *view) plain() bool { return v.Plain != 0 }

// predefined is the handle of a predefined type; 0 for others.
func predefined(t *datatype.Type) uintptr {
	if t.Predefined() {
		return uintptr(t.Handle())
	}
	return 0
}

// tell lets C know where the stream lies.
func (v *view) tell() {
	const far = 1 << 60 // sums of two such offsets are offsets
	v.Size, v.Extent, v.Last = v.tiles.Size(), v.tiles.Extent(), -1
	if v.tiles.Dense() && v.tiles.TrueLB() == 0 {
		v.Plain = 1
	}
	if v.Disp < far && v.tiles.TrueLB() < far && v.tiles.TrueExtent() < far {
		v.Last = min(far/v.Extent, far/v.Size) * v.Size / v.Unit
	}
	if v.tiles.LoopCount() <= fast.FewLoops {
		v.SetLoops(v.tiles.Loops(nil))
	}
}

// standAlone makes the view of the first tile: its tiles are so large that the next one begins behind it.
func (v *view) standAlone() (err error) {
	w := *v
	if w.tiles, err = datatype.Resized(v.tiles, 0, v.tiles.TrueLB()+v.tiles.TrueExtent(), false); err == nil {
		w.apart = true
		v.firstTile = &w
	}
	return err
}

// around is the view for an access to bytes [at, at+n) of the stream.
func (v *view) around(at, n int64) *view {
	if v.firstTile != nil && at+n <= v.tiles.Size() {
		return v.firstTile
	}
	return v
}

// rising refuses a type that no view may have (MPI 5.0, 14.1.1). The class is the one that ROMIO gives. What
// the standard says of the type's data holds for one element: those of a row may reach into each other.
func rising(name string, t *datatype.Type, writes bool) error {
	switch {
	case t.Size() == 0 || t.AscendsWithin(false) && t.TrueLB() >= 0 && t.Extent() > 0:
		return nil
	case t.TrueLB() < 0 || t.Extent() <= 0:
		return mpierr.New(mpierr.ErrIO, "%s begins at displacement %d and has extent %d: displacements must not be negative, the extent must be positive", name, t.TrueLB(), t.Extent())
	case writes:
		return mpierr.New(mpierr.ErrIO, "the displacements of %s must rise, and its elements must not overlap in a file that may be written", name)
	case !t.AscendsWithin(true):
		return mpierr.New(mpierr.ErrIO, "the displacements of %s must not fall", name)
	}
	return nil
}

// locate is the offset in the file of a byte of the stream.
func (v *view) locate(at int64) int64 {
	if v.plain() {
		return v.Disp + at
	}
	return v.Disp + v.tiles.Locate(at)
}

// byteAt is the offset in the file of a position in etypes. A view without data has its begin alone.
func (v *view) byteAt(offset int64) (int64, error) {
	at, err := v.streamOffset(offset, 0)
	if err != nil || v.tiles.Size() == 0 {
		return v.Disp, err
	}
	return v.locate(at), nil
}

// before is how many bytes of the stream, up to the first that does not, lie in the file's first n bytes.
func (v *view) before(n int64) int64 {
	if v.plain() {
		return max(n-v.Disp, 0)
	}
	if v.firstTile != nil {
		in, extent, span := n-v.Disp, v.tiles.Extent(), v.firstTile.tiles.Extent()
		whole := int64(0)
		if in >= span {
			whole = (in-span)/extent + 1
		}
		return whole*v.tiles.Size() + v.firstTile.tiles.Before(in-whole*extent)
	}
	return v.tiles.Before(n - v.Disp)
}

// span is the part of the file in which n > 0 bytes of the stream from byte at on lie.
func (v *view) span(at, n int64) (lo, hi int64) {
	if v.firstTile == nil {
		return v.locate(at), v.end(at, n)
	}
	size, extent := v.tiles.Size(), v.tiles.Extent()
	lo = v.Disp + at/size*extent + v.tiles.TrueLB()
	return lo, v.Disp + (at+n-1)/size*extent + v.firstTile.tiles.Extent()
}

// end is the offset behind the last of n > 0 bytes of the stream from byte at on.
func (v *view) end(at, n int64) int64 { return v.locate(at+n-1) + 1 }

// buffer is the stream as it would lie in memory if the file's byte 0 were at the address base. It holds at
// least the first n bytes of the stream.
func (v *view) buffer(base uintptr, n int64) datatype.Buffer {
	return datatype.Buffer{Addr: base + uintptr(v.Disp), Count: (n + v.tiles.Size() - 1) / v.tiles.Size(),
		Type: v.tiles}
}

// SetView changes how this rank sees the file, and brings all file pointers to its begin (MPI_File_set_view,
// collective). check is what the caller has found wrong with the call.
func (f *File) SetView(disp int64, etype, filetype *datatype.Type, rep *Representation, i *info.Info,
	check error) error {
	err := first(check, f.split.outstanding())
	var v *view
	if err == nil {
		v, err = f.viewAt(disp, etype, filetype, rep)
	}
	unit := int64(0)
	if v != nil {
		unit = v.etype.Size()
	}
	if err := f.barrier.same("the size of etype", unit, err); err != nil { // MPI 5.0, 14.3
		return err
	}
	f.takeHints(i)
	f.setView(v)
	f.individual.store(0)
	if f.rank == 0 {
		f.shared.store(0)
	}
	return f.settle(nil) // nobody goes on before the pointer is at the begin
}

// setView makes a view the present one.
func (f *File) setView(v *view) {
	f.view.Store(v)
	f.state.SetView(&v.View)
}

func (f *File) viewAt(disp int64, etype, filetype *datatype.Type, rep *Representation) (*view, error) {
	switch {
	case disp == DisplacementCurrent && f.Mode()&Sequential != 0:
		var err error
		if disp, err = f.view.Load().byteAt(f.shared.load()); err != nil {
			return nil, err
		}
	case disp == DisplacementCurrent:
		return nil, mpierr.New(mpierr.ErrDisp, "disp is MPI_DISPLACEMENT_CURRENT, but the file was not opened with MPI_MODE_SEQUENTIAL")
	case disp < 0:
		return nil, mpierr.New(mpierr.ErrDisp, "disp is %d, must not be negative", disp)
	case f.Mode()&Sequential != 0:
		return nil, mpierr.New(mpierr.ErrDisp, "disp is %d, must be MPI_DISPLACEMENT_CURRENT: the file was opened with MPI_MODE_SEQUENTIAL", disp)
	}
	return newView(disp, etype, filetype, rep, f.Mode().Writes())
}

// View tells the view that was set (MPI_File_get_view). The name of the representation is that under which it
// was registered.
func (f *File) View() (disp int64, etype, filetype *datatype.Type, representation string) {
	v := f.view.Load()
	return v.Disp, v.etype, v.filetype, v.rep.Name
}

// TypeExtent is the extent of a datatype in the file, in bytes (MPI_File_get_type_extent).
func (f *File) TypeExtent(t *datatype.Type) (int64, error) {
	l, err := f.view.Load().rep.layout(t)
	if err != nil {
		return 0, err
	}
	return l.Extent(), nil
}

// ByteOffset is the offset in the file that a position in the view stands for (MPI_File_get_byte_offset).
func (f *File) ByteOffset(offset int64) (int64, error) {
	if err := first(negative("offset", offset), f.random()); err != nil {
		return 0, err
	}
	return f.view.Load().byteAt(offset)
}
