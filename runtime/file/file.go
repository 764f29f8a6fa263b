package file

import (
	"sync/atomic"

	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/sharedmem"
)

// Config says what files need of the process.
type Config struct {
	Comms   *comm.Registry
	Node    sharedmem.Node
	Traffic *Traffic // where accesses are counted; nil for nowhere
}

// Traffic counts the accesses of a process and the bytes of the program's that they have moved, whichever
// way.
type Traffic struct {
	Reads, ReadBytes, Writes, WrittenBytes atomic.Uint64
}

// count counts an access.
func (t *Traffic) count(dir Direction, bytes int64) {
	switch {
	case t == nil:
	case dir == Write:
		t.Writes.Add(1)
		t.WrittenBytes.Add(uint64(bytes))
	default:
		t.Reads.Add(1)
		t.ReadBytes.Add(uint64(bytes))
	}
}

// File is one rank's view of an open file (MPI 5.0, 14.2).
type File struct {
	object.Base

	config Config
	comm   *comm.Comm // a duplicate of the user's: its contexts say where errors of requests go
	engine *p2p.Engine
	rank   int
	size   int
	path   string

	state       fast.FileState // what C reads as well
	storage     storage
	barrier     fileBarrier
	aggregators aggregators
	view        atomic.Pointer[view]
	individual  individualPointer
	shared      sharedPointer
	split       splitAccess
	jobs        jobs
}

// Mode is how the file was opened (MPI_File_get_amode).
func (f *File) Mode() Mode { return Mode(f.state.Mode) }

// State is what C reads. The file keeps it.
func (f *File) State() *fast.FileState { return &f.state }

// Path is the name under which the file was opened, for messages.
func (f *File) Path() string { return f.path }

// Comm is the communicator of the file's own.
func (f *File) Comm() *comm.Comm { return f.comm }

// Group is the group that opened the file (MPI_File_get_group).
func (f *File) Group() *group.Group { return f.comm.Group() }

// Context is a message context that belongs to the file.
func (f *File) Context() uint32 { return f.comm.P2P.ID }

// Size is the size of the file in bytes (MPI_File_get_size).
func (f *File) Size() (int64, error) { return f.storage.system.size() }

// writable refuses a file that is only read.
func (f *File) writable() error {
	if !f.Mode().Writes() {
		return mpierr.New(mpierr.ErrReadOnly, "file %q was opened with %v", f.path, f.Mode())
	}
	return nil
}

// random refuses a file that was opened for sequential access.
func (f *File) random() error {
	if f.Mode()&Sequential != 0 {
		return mpierr.New(mpierr.ErrUnsupportedOperation, "file %q was opened with MPI_MODE_SEQUENTIAL, for access by the shared file pointer alone", f.path)
	}
	return nil
}

// negative refuses a negative size or offset.
func negative(name string, v int64) error {
	if v < 0 {
		return mpierr.New(mpierr.ErrArg, "%s is %d, must not be negative", name, v)
	}
	return nil
}

// first is the first of some errors that is none.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// SetSize makes the file n bytes long (MPI_File_set_size, collective). What lay beyond is lost.
func (f *File) SetSize(n int64) error {
	check := first(negative("size", n), f.writable(), f.random())
	f.storage.pages.drop()
	err := f.barrier.byFirst("size", n, check, func() error { return f.storage.system.resize(n) })
	f.storage.pages.doubt()
	return err
}

// Preallocate makes sure that there is space for the first n bytes, and that the file is not shorter
// (MPI_File_preallocate, collective).
func (f *File) Preallocate(n int64) error {
	check := first(negative("size", n), f.writable(), f.random())
	return f.barrier.byFirst("size", n, check, func() error {
		if n == 0 {
			return nil
		}
		return f.storage.system.reserve(n)
	})
}

// Sync brings all that this rank has written to the device, and makes what others have brought there visible
// (MPI_File_sync, collective).
func (f *File) Sync() error {
	if err := f.barrier.agree(f.split.outstanding()); err != nil {
		return err
	}
	var err error
	if f.Mode().Writes() && f.rank == 0 {
		err = f.storage.system.sync() // all ranks have written by now, and their pages are those of one file
	}
	f.storage.pages.doubt()
	return f.barrier.agree(err)
}

// Atomicity reports whether accesses are atomic (MPI_File_get_atomicity).
func (f *File) Atomicity() bool { return f.storage.atomic() }

// SetAtomicity chooses atomic mode or the other one (MPI_File_set_atomicity, collective).
func (f *File) SetAtomicity(on bool) error {
	var v int64
	var check error
	if on {
		v = 1
		if check = f.storage.system.lock(0, 1, f.Mode().Writes()); check == nil {
			f.storage.system.unlock(0, 1)
		}
	}
	if err := f.barrier.same("flag", v, check); err != nil {
		return err
	}
	atomic.StoreUint32(&f.state.Atomic, uint32(v))
	return nil
}
