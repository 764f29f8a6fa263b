package fast

import "sync/atomic"

// Object is what communicators and windows have in common. It stands in the object of Go's, whose record
// leads to it.
type Object struct {
	Errhandler uint32  // the handle of its error handler, that of a predefined one less firstErrhandler
	Changes    uint32  // of Errhandler and Function, see sequence.go
	Function   uintptr // of an error handler of the program's; 0 for a predefined one
	Name       Name
}

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
