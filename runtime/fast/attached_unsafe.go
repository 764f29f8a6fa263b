//fast:go

package fast

import "unsafe"

// attachedSize is room for an Attached.
const attachedSize = 64

var _ = [1]struct{}{}[(unsafe.Sizeof(Attached{})+attachedSize-1)/attachedSize-1]

// attachedAt is the buffer whose description stands at an address.
//
//fast:c ((struct fast_attached *)(%0))
func attachedAt(addr uintptr) *Attached { return (*Attached)(at(addr)) }

// AttachBuffer is attach for package buffered. The endpoint is the caller's, and nothing is attached to whom
// it is for. An error is a *shm.NoMemory.
func AttachBuffer(e *Endpoint, to AttachedTo, id uint32, addr uintptr, size int64) error {
	at, err := e.arena.get(attachedSize)
	if err != nil {
		return err
	}
	e.add(at, to, id, addr, size)
	TellRoom(e)
	return nil
}
