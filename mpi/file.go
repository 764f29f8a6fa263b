package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/file"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
)

// Files as objects: opened, asked, changed and closed (MPI 5.0, 14.2, 14.6). Accesses are in file_access.go,
// views in file_view.go.

var files = table[file.File]{kind: kindFile}

func (a *Args) File(name string, h uintptr) *file.File {
	f := files.get(h)
	if f == nil {
		a.badFile(name, h)
	} else if a.on == nil {
		a.on = &f.Base
	}
	if f != nil && a.noted != nil && a.noted.isOnFile() {
		meeting(f)
	}
	return f
}

// FileCell is a file's handle that a call takes away.
type FileCell uintptr

func PutFile(addr, handle uintptr) { StoreWord(addr, handle) }

// onNoFile sends an error to the error handler of MPI_FILE_NULL: there is no file yet, or none any more.
func onNoFile(err error) error { return object.Locate(noFile, err) }

func FileOpen(c *comm.Comm, name string, mode int, i *info.Info) (uintptr, error) {
	making(c)
	f, err := file.Open(library.Load().process.Files, c, name, file.Mode(mode), i)
	if err != nil {
		return fileNull, onNoFile(err)
	}
	f.SetErrhandler(noFile.Errhandler())
	if f.Handle = files.put(f); f.Handle == 0 {
		_, _ = f.Close() // the other ranks close theirs as well
		return fileNull, onNoFile(tooMany("files"))
	}
	if err := addFile(f); err != nil {
		files.remove(f.Handle)
		_, _ = f.Close()
		return fileNull, onNoFile(err)
	}
	return f.Handle, nil
}

// addFile lets the C stubs tell of a file that has a handle.
func addFile(f *file.File) error {
	endpoint := recording()
	if endpoint == nil {
		return nil
	}
	err := endpoint.AddFile(fast.File{Handle: f.Handle, State: f.State().Address(),
		Object: f.Shared().Address()})
	if err != nil {
		return mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	return nil
}

func FileClose(cell FileCell) error {
	h := LoadWord(uintptr(cell))
	f := files.get(h)
	switch {
	case f == nil && h == fileNull:
		return onNoFile(mpierr.New(mpierr.ErrFile, "fh is MPI_FILE_NULL"))
	case f == nil:
		return onNoFile(badHandle(mpierr.ErrFile, "fh", h, "a file"))
	}
	meeting(f)
	closed, err := f.Close()
	if closed {
		endpoint := library.Load().process.Endpoint
		leaveGroup(endpoint, endpoint.DropFile(h))
		files.remove(h)
		StoreWord(uintptr(cell), fileNull)
	}
	return object.Locate(&f.Base, err)
}

func FileDelete(name string, _ *info.Info) error { return onNoFile(file.Delete(name)) }

func FileGetAmode(f *file.File) (int, error) { return int(f.Mode()), nil }

func FileGetGroup(f *file.File) (uintptr, error) {
	return handOut(f.Group(), func(h uintptr) {
		fast.KeepFileGroup(library.Load().process.Endpoint, f.Handle, h)
	})
}

func FileGetSize(f *file.File) (int64, error) { return f.Size() }

func FileSetSize(f *file.File, size int64) error { return f.SetSize(size) }

func FilePreallocate(f *file.File, size int64) error { return f.Preallocate(size) }

func FileGetInfo(f *file.File) (uintptr, error) { return newInfo(f.Info()) }

func FileSetInfo(f *file.File, i *info.Info) error { return f.SetInfo(i) }

func FileGetAtomicity(f *file.File) (bool, error) { return f.Atomicity(), nil }

func FileSetAtomicity(f *file.File, on bool) error { return f.SetAtomicity(on) }

func FileSync(f *file.File) error { return f.Sync() }
