//fast:go

package fast

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// groupOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func groupOf(chunk *Group, i uintptr) *Group {
	return (*Group)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddGroup makes the record of a group with a handle. row holds the numbers of its processes
// where they do not follow each other evenly. An error is a *shm.NoMemory.
func (o *Objects) AddGroup(handle uintptr, g Group, row []int32) (err error) {
	g.Refs = 1
	if g.Row, err = o.arena.ints(row); err != nil {
		return err
	}
	if _, err = addRecord(&o.Groups, groupOf, handle, g); err != nil {
		o.arena.putInts(g.Row, len(row))
	}
	return err
}

// LoneGroup is the record of a group for which Go has no object; nil when there is none.
func (o *Objects) LoneGroup(handle uintptr) *Group {
	if g := o.group(handle); g != nil && g.isLone() {
		return g
	}
	return nil
}

// Processes is a copy of the numbers of all processes; nil where there is no row.
func (g *Group) Processes() []int32 {
	if g.Row == nil {
		return nil
	}
	return slices.Clone(unsafe.Slice(g.Row, g.Size))
}

// KeepCommGroup has a communicator hand out a group, to which the program has a reference, from now on.
func (o *Objects) KeepCommGroup(comm, group uintptr) {
	if c := o.known(comm); c != nil {
		o.keep(&c.Group, group)
	}
}

// KeepWinGroup is KeepCommGroup for a window.
func (o *Objects) KeepWinGroup(win, group uintptr) {
	if w := o.win(win); w != nil {
		o.keep(&w.Group, group)
	}
}

// KeepFileGroup is KeepCommGroup for a file.
func KeepFileGroup(e *Endpoint, file, group uintptr) {
	if r := e.file(file); r != nil {
		e.keep(&r.Group, group)
	}
}

// keep lets an object hand out a group, unless another thread was first.
func (o *Objects) keep(at *uintptr, group uintptr) {
	g := o.group(group)
	if g == nil {
		return
	}
	atomic.OrUint32(&g.Refs, keptGroup)
	if !atomic.CompareAndSwapUintptr(at, 0, group) {
		atomic.AndUint32(&g.Refs, ^keptGroup) // the program has a reference
	}
}

// LeaveGroup ends what KeepCommGroup has begun, and reports whether nobody uses the group any more.
func (o *Objects) LeaveGroup(group uintptr) bool {
	g := o.groupAt(group)
	return g != nil && atomic.AndUint32(&g.Refs, ^keptGroup) == keptGroup
}

// Freed reports whether the program has freed all its references to a group that has a record.
func (o *Objects) Freed(group uintptr) bool { return o.groupAt(group) != nil && o.group(group) == nil }

// FreeGroup takes one of the program's references to a group away, and reports whether nobody uses it any
// more.
func (o *Objects) FreeGroup(group uintptr) bool {
	g := o.group(group)
	if g == nil {
		return true // it has no record
	}
	o.FreedGroup() // windows know groups by their handles
	return atomic.AddUint32(&g.Refs, ^uint32(0)) == 0
}

// DropGroup ends the record of the group behind a handle.
func (o *Objects) DropGroup(handle uintptr) {
	g := recordOf(&o.Groups, groupOf, handle)
	if g == nil || !g.drop(handle) {
		return
	}
	o.arena.putInts(g.Row, int(g.Size))
	*g = Group{}
}
