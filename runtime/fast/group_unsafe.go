//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// groupOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func groupOf(chunk *Group, i uintptr) *Group {
	return (*Group)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddGroup makes the record of a group, whose handle is g.Handle. row holds the numbers of its processes
// where they do not follow each other evenly. An error is a *shm.NoMemory.
func (e *Endpoint) AddGroup(g Group, row []int32) (err error) {
	if err := grow(&e.Groups, g.Handle&objectMask); err != nil {
		return err
	}
	handle := g.Handle
	g.Handle = 0
	if g.Row, err = e.arena.ints(row); err != nil {
		return err
	}
	record := groupOf(e.Groups[handle&objectMask>>ChunkBits], handle&chunkMask)
	*record = g
	atomic.StoreUintptr(&record.Handle, handle)
	return nil
}

// DropGroup ends the record of the group behind a handle.
func (e *Endpoint) DropGroup(handle uintptr) {
	g := e.group(handle)
	if g == nil {
		return
	}
	atomic.StoreUintptr(&g.Handle, 0)
	e.arena.putInts(g.Row, int(g.Size))
	*g = Group{}
}
