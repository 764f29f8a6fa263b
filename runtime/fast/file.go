package fast

import "sync/atomic"

// File is the record of a file. It is written when the file gets its handle. Group changes later.
type File struct {
	Handle uintptr // by which the program names it; 0 when it is none. Written last
	State  uintptr // address of its FileState; 0 for MPI_FILE_NULL, which has an error handler alone
	Object uintptr // address of its Object
	Group  uintptr // handle of its group; 0 as long as the program has not asked for it
}

// FileState is what an open file of Go's and its record share. It stands in Go's memory.
type FileState struct {
	Position   uint64  // the individual file pointer, in etypes
	Shared     *uint64 // the shared one, in memory of the ranks of the file
	Mode       int32   // in which the file was opened
	Atomic     uint32  // 1 in atomic mode
	Descriptor *int32  // of a regular file; nil for others
	Changes    uint32  // of View, see sequence.go
	View       uintptr // address of the present View
}

// View is what C knows of a view (MPI 5.0, 14.3). Go makes another one for each view, and lets it go when the
// next one is there.
type View struct {
	Disp            int64
	Unit            int64   // bytes of an etype in the file
	Last            int64   // a position up to which all offsets are those of a file
	Etype, Filetype uintptr // handles of predefined types; 0 for others
	Plain           uint32  // 1: the data is the file from Disp on
	Native          uint32  // 1: the file holds what memory does
	Size, Extent    int64   // of the filetype in the file
	Loops           int64   // that the data of a filetype lies in; 0 where Go has to be asked
	All             *Loop   // these
	Name            *uint8  // of the data representation, without a zero behind it
	NameLength      uint32
}

// sequential is MPI_MODE_SEQUENTIAL (MPI 5.0, 14.2.1).
const sequential int32 = 64

// What a position is relative to (MPI 5.0, 14.4.3).
const (
	SeekCurrent int32 = 401
	SeekEnd     int32 = 402
	SeekStart   int32 = 403
)

// Files is the records of files.
type Files struct {
	Opened [Chunks]*File
}

// file is the record of a file, or of MPI_FILE_NULL; nil when there is none.
func (f *Files) file(handle uintptr) *File {
	if f == nil {
		return nil
	}
	chunk := f.Opened[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	r := fileOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&r.Handle) != handle {
		return nil
	}
	return r
}

// fileState is the state of an open file that has a record; nil when there is none.
func (f *Files) fileState(handle uintptr) *FileState {
	r := f.file(handle)
	if r == nil {
		return nil
	}
	return fileStateAt(r.State)
}

// randomState is fileState of a file that was not opened for sequential access alone.
func (f *Files) randomState(handle uintptr) *FileState {
	s := f.fileState(handle)
	if s == nil || s.Mode&sequential != 0 {
		return nil
	}
	return s
}

// length is the length of the file in bytes; -1 where Go has to ask for it.
func (s *FileState) length() int64 {
	descriptor := s.Descriptor
	if descriptor == nil {
		return -1
	}
	return FileLength(*descriptor)
}

// FileGetAmode is MPI_File_get_amode (MPI 5.0, 14.2.7).
func FileGetAmode(e *Endpoint, file uintptr, amode *int32) bool {
	s := e.fileState(file)
	if s == nil || nowhere(amode) {
		return false
	}
	*amode = s.Mode
	return true
}

// FileGetAtomicity is MPI_File_get_atomicity (MPI 5.0, 14.6.1).
func FileGetAtomicity(e *Endpoint, file uintptr, flag *int32) bool {
	s := e.fileState(file)
	if s == nil || nowhere(flag) {
		return false
	}
	*flag = int32(atomic.LoadUint32(&s.Atomic))
	return true
}

// FileGetSize is MPI_File_get_size (MPI 5.0, 14.2.6).
func FileGetSize(e *Endpoint, file uintptr, size *int64) bool {
	s := e.fileState(file)
	if s == nil || nowhere(size) {
		return false
	}
	n := s.length()
	if n < 0 {
		return false
	}
	*size = n
	return true
}

// FileGetGroup is MPI_File_get_group (MPI 5.0, 14.2.7) of a file whose group has been asked for before.
func FileGetGroup(e *Endpoint, file, group uintptr) bool {
	r := e.file(file)
	return r != nil && e.handOut(atomic.LoadUintptr(&r.Group), group)
}

// fileObject is what a file has in common with communicators; nil when it has no record.
func (f *Files) fileObject(file uintptr) *Object {
	r := f.file(file)
	if r == nil {
		return nil
	}
	return objectAt(r.Object)
}

// FileGetErrhandler is MPI_File_get_errhandler (MPI 5.0, 9.3.3).
func FileGetErrhandler(e *Endpoint, file, errhandler uintptr) bool {
	return e.getErrhandler(e.fileObject(file), errhandler)
}

// FileSetErrhandler is MPI_File_set_errhandler (MPI 5.0, 9.3.3).
func FileSetErrhandler(e *Endpoint, file, errhandler uintptr) bool {
	return e.setErrhandler(e.fileObject(file), FileErrhandler, errhandler)
}

// FileGetPosition is MPI_File_get_position (MPI 5.0, 14.4.3).
func FileGetPosition(e *Endpoint, file uintptr, offset *int64) bool {
	s := e.randomState(file)
	if s == nil || nowhere(offset) {
		return false
	}
	*offset = int64(atomic.LoadUint64(&s.Position))
	return true
}

// FileGetPositionShared is MPI_File_get_position_shared (MPI 5.0, 14.4.4).
func FileGetPositionShared(e *Endpoint, file uintptr, offset *int64) bool {
	s := e.randomState(file)
	if s == nil || nowhere(offset) {
		return false
	}
	*offset = int64(atomic.LoadUint64(s.Shared))
	return true
}

// end is the position of the end of the file in a view that shows all that is behind its displacement; -1
// where Go has to find it.
func (s *FileState) end() int64 {
	before := atomic.LoadUint32(&s.Changes)
	v := viewAt(s.View)
	n := s.length()
	disp := v.Disp
	unit := v.Unit
	if v.Plain == 0 || n < 0 || !unchanged(&s.Changes, before) {
		return -1
	}
	return (n - min(disp, n) + unit - 1) / unit
}

// FileSeek is MPI_File_seek (MPI 5.0, 14.4.3).
func FileSeek(e *Endpoint, file uintptr, offset int64, whence int32) bool {
	s := e.randomState(file)
	if s == nil {
		return false
	}
	from := int64(0)
	if whence == SeekCurrent {
		from = int64(atomic.LoadUint64(&s.Position))
	} else if whence == SeekEnd {
		from = s.end()
	} else if whence != SeekStart {
		return false
	}
	to := uint64(from) + uint64(offset)
	if from < 0 || int64(to) < 0 {
		return false
	}
	atomic.StoreUint64(&s.Position, to)
	return true
}

// locate is where in the file a position begins; -1 where Go has to find it.
func (s *FileState) locate(offset int64) int64 {
	before := atomic.LoadUint32(&s.Changes)
	v := viewAt(s.View)
	disp := v.Disp
	plain := v.Plain
	extent := v.Extent
	size := uint64(v.Size)
	loops := v.Loops
	all := v.All
	if offset < 0 || offset > v.Last {
		return -1
	}
	at := uint64(offset) * uint64(v.Unit)
	if !unchanged(&s.Changes, before) {
		return -1
	}
	if plain != 0 {
		return disp + int64(at)
	}
	if loops == 0 {
		return -1
	}
	disp += int64(at/size)*extent + withinLoops(all, loops, at%size)
	if !unchanged(&s.Changes, before) {
		return -1 // the loops are gone
	}
	return disp
}

// withinLoops is the displacement of a byte of the data of n loops. It ends whatever they hold.
func withinLoops(all *Loop, n int64, at uint64) int64 {
	off := int64(0)
	i := int64(0)
	for steps := n; steps > 0 && uint64(i) < uint64(n); steps-- {
		l := loopAt(all, i)
		each := uint64(l.Size)
		if at >= each*uint64(l.Count) {
			at -= each * uint64(l.Count)
			i += 1 + l.Inner
		} else {
			turn := at / max(each, 1)
			off += l.Off + int64(turn)*l.Stride
			at -= turn * each
			if l.Inner == 0 {
				break
			}
			i++
		}
	}
	return off + int64(at)
}

// FileGetByteOffset is MPI_File_get_byte_offset (MPI 5.0, 14.4.3).
func FileGetByteOffset(e *Endpoint, file uintptr, offset int64, disp *int64) bool {
	s := e.randomState(file)
	if s == nil || nowhere(disp) {
		return false
	}
	at := s.locate(offset)
	if at < 0 {
		return false
	}
	*disp = at
	return true
}

// FileGetTypeExtent is MPI_File_get_type_extent (MPI 5.0, 14.5.1) and its large-count twin, where the file
// holds what memory does.
func FileGetTypeExtent(e *Endpoint, file, datatype uintptr, extent *int64) bool {
	s := e.fileState(file)
	t := e.datatype(datatype)
	if s == nil || t == nil || nowhere(extent) {
		return false
	}
	before := atomic.LoadUint32(&s.Changes)
	v := viewAt(s.View)
	if v.Native == 0 || !unchanged(&s.Changes, before) {
		return false
	}
	*extent = t.Extent
	return true
}

// FileGetView is MPI_File_get_view (MPI 5.0, 14.3) of a view that is made of predefined types.
func FileGetView(e *Endpoint, file uintptr, disp *int64, etype, filetype, datarep uintptr) bool {
	s := e.fileState(file)
	if s == nil || nowhere(disp) || etype < Lowest || filetype < Lowest ||
		datarep < Lowest {
		return false
	}
	before := atomic.LoadUint32(&s.Changes)
	v := viewAt(s.View)
	at := v.Disp
	element := v.Etype
	tile := v.Filetype
	name := v.Name
	length := v.NameLength
	if element == 0 || tile == 0 || !unchanged(&s.Changes, before) {
		return false
	}
	putString(datarep, name, length, mostDatarep-1)
	*disp = at
	*wordAt(etype) = element
	*wordAt(filetype) = tile
	return true
}

// mostDatarep is MPI_MAX_DATAREP_STRING.
const mostDatarep = 128
