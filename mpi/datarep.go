package mpi

import (
	"math"
	"sync"

	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Data representations of the program's own (MPI 5.0, 14.5.3).

// datareps are the representations that the process knows.
var datareps struct {
	mu  sync.Mutex
	all file.Representations
}

func findRepresentation(name string) *file.Representation {
	datareps.mu.Lock()
	defer datareps.mu.Unlock()
	return datareps.all.Find(name)
}

// userRepresentation calls the program's functions.
type userRepresentation struct {
	read, write, extent Function // without an address: the bytes of the file are those of memory
	extra               uintptr
	wide                bool // read and write take an MPI_Count
}

func RegisterDatarep(name string, read uintptr, readWide bool, write uintptr, _ bool, extent,
	extra uintptr) error {
	switch {
	case name == "" || len(name) >= maxDatarep:
		return onNoFile(mpierr.New(mpierr.ErrArg, "datarep has %d characters, must have from 1 to %d", len(name), maxDatarep-1))
	case extent == 0:
		return onNoFile(mpierr.New(mpierr.ErrArg, "dtype_file_extent_fn is NULL"))
	}
	datareps.mu.Lock()
	defer datareps.mu.Unlock()
	by := host.Caller().Table
	u := &userRepresentation{read: Function{read, by}, write: Function{write, by},
		extent: Function{extent, by}, extra: extra, wide: readWide}
	return onNoFile(datareps.all.Add(file.NewRepresentation(name, u)))
}

// Extent asks the program how long an element of a predefined type is in the file.
func (u *userRepresentation) Extent(t *datatype.Type) (int64, error) {
	n, code := host.DatarepExtent(u.extent, t.Reference(), u.extra)
	if code != 0 {
		return 0, userCode(code, "dtype_file_extent_fn")
	}
	return n, nil
}

// ToFile has the program convert what a buffer holds.
func (u *userRepresentation) ToFile(b datatype.Buffer, to []byte) error {
	if u.write.Addr == 0 {
		b.Pack(0, to)
		return nil
	}
	elements, _, err := b.Prefix(int64(len(to)), u.Extent)
	if err != nil {
		return err
	}
	return u.convert(u.write, "write_conversion_fn", b, elements, to)
}

// FromFile has the program convert what came out of a file.
func (u *userRepresentation) FromFile(b datatype.Buffer, elements int64, from []byte) error {
	if u.read.Addr == 0 {
		b.Unpack(0, from)
		return nil
	}
	return u.convert(u.read, "read_conversion_fn", b, elements, from)
}

// convert calls a conversion function once for everything, or in parts where its counts are too narrow for
// that.
func (u *userRepresentation) convert(function Function, what string, b datatype.Buffer, elements int64,
	file []byte) error {
	if elements == 0 {
		return nil
	}
	if elements > math.MaxInt32 && !u.wide {
		return mpierr.New(mpierr.ErrConversion, "%d elements are more than %s can count; register one that takes an MPI_Count", elements, what)
	}
	t, err := typeOfCallback(b.Type)
	if err != nil {
		return err
	}
	code := host.DatarepConvert(function, u.wide, b.Addr, t, elements, shm.Address(file), u.extra)
	if code != 0 {
		return userCode(code, what)
	}
	return nil
}

// typeOfCallback is the handle by which the program knows a type.
func typeOfCallback(t *datatype.Type) (uintptr, error) {
	if h := t.Reference(); h != 0 {
		return h, nil
	}
	return 0, mpierr.New(mpierr.ErrType, "the datatype has no handle that a conversion function could be given")
}

// userCode is the error for a function of the program's that has failed.
func userCode(code int, what string) error {
	e := mpierr.New(mpierr.ErrConversion, "%s returned %d", what, code)
	return e
}
