package fast

import "sync/atomic"

// Object is what communicators and windows have in common. It stands in the object of Go's, whose record
// leads to it.
type Object struct {
	Errhandler uint32 // handle of its error handler less firstErrhandler; UserErrhandler for the program's
	Name       Name
}

// UserErrhandler is Object.Errhandler where the error handler is a function of the program's, which has
// references.
const UserErrhandler uint32 = 3

// MaxName is room for a name with the zero behind it: MPI_MAX_OBJECT_NAME.
const MaxName = 128

// Name is the name of an object (MPI 5.0, 7.8).
type Name struct {
	Changes uint32 // see sequence.go
	Length  uint32 // of Text, without the zero behind it
	Text    [MaxName]uint8
}

// get is MPI_Comm_get_name and its kin.
func (n *Name) get(to uintptr, length *int32) bool {
	if to < Lowest || nowhere(length) {
		return false
	}
	before := atomic.LoadUint32(&n.Changes)
	size := n.Length
	if size >= MaxName {
		return false
	}
	copyAll(to, addressOf(&n.Text[0]), uint64(size)+1)
	if !unchanged(&n.Changes, before) {
		return false
	}
	*length = int32(size)
	return true
}

// put is MPI_Comm_set_name and its kin.
func (n *Name) put(from uintptr) bool {
	if from < Lowest {
		return false
	}
	size := uint64(0)
	for byteAt(from, size) != 0 {
		size++
		if size == MaxName {
			return false
		}
	}
	if !seize(&n.Changes) {
		return false
	}
	copyAll(addressOf(&n.Text[0]), from, size+1)
	n.Length = uint32(size)
	release(&n.Changes)
	return true
}

// getErrhandler is MPI_Comm_get_errhandler and its kin (MPI 5.0, 9.3) where the error handler is a predefined
// one, of which nobody counts references.
func (o *Object) getErrhandler(errhandler uintptr) bool {
	h := atomic.LoadUint32(&o.Errhandler)
	if h == UserErrhandler || errhandler < Lowest {
		return false
	}
	*wordAt(errhandler) = firstErrhandler + uintptr(h)
	return true
}

// setErrhandler is MPI_Comm_set_errhandler and its kin, of predefined ones.
func (o *Object) setErrhandler(errhandler uintptr) bool {
	h := atomic.LoadUint32(&o.Errhandler)
	if h == UserErrhandler || errhandler < firstErrhandler || errhandler > lastErrhandler {
		return false
	}
	return atomic.CompareAndSwapUint32(&o.Errhandler, h, uint32(errhandler-firstErrhandler))
}

// object is what a communicator has in common with windows; nil when it has no record.
func (o *Objects) object(comm uintptr) *Object {
	c := o.known(comm)
	if c == nil {
		return nil
	}
	return objectAt(c.Object)
}

// CommGetName is MPI_Comm_get_name (MPI 5.0, 7.8).
func CommGetName(e *Endpoint, comm, name uintptr, length *int32) bool {
	o := e.object(comm)
	return o != nil && o.Name.get(name, length)
}

// CommSetName is MPI_Comm_set_name (MPI 5.0, 7.8).
func CommSetName(e *Endpoint, comm, name uintptr) bool {
	o := e.object(comm)
	return o != nil && o.Name.put(name)
}

// CommGetErrhandler is MPI_Comm_get_errhandler (MPI 5.0, 9.3.1).
func CommGetErrhandler(e *Endpoint, comm, errhandler uintptr) bool {
	o := e.object(comm)
	return o != nil && o.getErrhandler(errhandler)
}

// CommSetErrhandler is MPI_Comm_set_errhandler (MPI 5.0, 9.3.1).
func CommSetErrhandler(e *Endpoint, comm, errhandler uintptr) bool {
	o := e.object(comm)
	return o != nil && o.setErrhandler(errhandler)
}

// winObject is what a window has in common with communicators; nil when it has no record.
func (o *Objects) winObject(win uintptr) *Object {
	w := o.win(win)
	if w == nil {
		return nil
	}
	return objectAt(w.Object)
}

// WinGetName is MPI_Win_get_name (MPI 5.0, 7.8).
func WinGetName(e *Endpoint, win, name uintptr, length *int32) bool {
	o := e.winObject(win)
	return o != nil && o.Name.get(name, length)
}

// WinSetName is MPI_Win_set_name (MPI 5.0, 7.8).
func WinSetName(e *Endpoint, win, name uintptr) bool {
	o := e.winObject(win)
	return o != nil && o.Name.put(name)
}

// WinGetErrhandler is MPI_Win_get_errhandler (MPI 5.0, 9.3.2).
func WinGetErrhandler(e *Endpoint, win, errhandler uintptr) bool {
	o := e.winObject(win)
	return o != nil && o.getErrhandler(errhandler)
}

// WinSetErrhandler is MPI_Win_set_errhandler (MPI 5.0, 9.3.2).
func WinSetErrhandler(e *Endpoint, win, errhandler uintptr) bool {
	o := e.winObject(win)
	return o != nil && o.setErrhandler(errhandler)
}

// TypeGetName is MPI_Type_get_name (MPI 5.0, 7.8) of a datatype that has been given a name.
func TypeGetName(e *Endpoint, datatype, name uintptr, length *int32) bool {
	t := e.datatype(datatype)
	if t == nil {
		return false
	}
	n := nameAt(atomic.LoadUintptr(&t.Name))
	return n != nil && n.get(name, length)
}

// TypeSetName is MPI_Type_set_name (MPI 5.0, 7.8) of a datatype that has been given a name.
func TypeSetName(e *Endpoint, datatype, name uintptr) bool {
	t := e.datatype(datatype)
	if t == nil {
		return false
	}
	n := nameAt(atomic.LoadUintptr(&t.Name))
	return n != nil && n.put(name)
}
