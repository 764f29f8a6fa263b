//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// fileOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func fileOf(chunk *File, i uintptr) *File {
	return (*File)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// fileStateAt is the state at an address; nil for 0.
//
//fast:c ((struct fast_file_state *)(%0))
func fileStateAt(addr uintptr) *FileState { return (*FileState)(at(addr)) }

// viewAt is the view at an address.
//
//fast:c ((struct fast_view *)(%0))
func viewAt(addr uintptr) *View { return (*View)(at(addr)) }

// Address is where the state stands, for a record. It is to be kept by Go as long as that is there.
func (s *FileState) Address() uintptr { return uintptr(unsafe.Pointer(s)) }

// SetView puts another view in the place of the present one. It is to be kept by Go as long as it is that.
func (s *FileState) SetView(v *View) {
	await(&s.Changes)
	s.View = uintptr(unsafe.Pointer(v))
	release(&s.Changes)
}

// SetLoops gives a view the loops of its filetype, which do not change.
func (v *View) SetLoops(all []Loop) { v.All, v.Loops = unsafe.SliceData(all), int64(len(all)) }

// SetName gives a view the name of its data representation.
func (v *View) SetName(name string) {
	v.Name, v.NameLength = unsafe.StringData(name), uint32(len(name))
}

// AddFile makes the record of a file, whose handle is f.Handle. An error is a *shm.NoMemory.
func (f *Files) AddFile(file File) error {
	_, err := addRecord(&f.Opened, fileOf, file.Handle, file)
	return err
}

// DropFile ends the record of the file behind a handle. It returns the handle of the group that KeepFileGroup
// has noted, 0 if none.
func (f *Files) DropFile(handle uintptr) (group uintptr) {
	r := f.file(handle)
	if r == nil {
		return 0
	}
	atomic.StoreUintptr(&r.Handle, 0)
	return atomic.LoadUintptr(&r.Group)
}
