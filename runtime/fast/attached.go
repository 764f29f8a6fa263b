package fast

import "sync/atomic"

// Attached is a buffer that the program has attached for sends in buffered mode (MPI 5.0, 3.6). Whoever uses
// the endpoint may change it. The messages in it are known to package buffered.
type Attached struct {
	Next      *Attached
	Addr      uintptr
	Size      int64  // in bytes
	Behind    int64  // bytes that are free behind the last message in it
	Messages  uint32 // in it
	To        AttachedTo
	ID        uint32 // context of the communicator's messages, or number of the session
	Automatic uint32 // 1 for MPI_BUFFER_AUTOMATIC: memory of the library's, as much as is needed
}

// AttachedTo says to whom a buffer is attached.
type AttachedTo uint32

// Those that have buffers.
const (
	ToProcess AttachedTo = iota
	ToSession
	ToContext
)

// Overhead is MPI_BSEND_OVERHEAD: what a message takes of an attached buffer beyond its data, in bytes.
const Overhead = 512

// BufferAutomatic is MPI_BUFFER_AUTOMATIC.
const BufferAutomatic uintptr = 2

// Attachments are the buffers that are attached in a process.
type Attachments struct {
	First *Attached
}

// Find is the buffer that is attached to somebody; nil when there is none.
func (l *Attachments) Find(to AttachedTo, id uint32) *Attached {
	for b := l.First; b != nil; b = b.Next {
		if b.To == to && b.ID == id {
			return b
		}
	}
	return nil
}

// add puts a buffer into memory of an Attached, to which nothing is attached.
func (l *Attachments) add(at uintptr, to AttachedTo, id uint32, addr uintptr, size int64) {
	b := attachedAt(at)
	b.Next = l.First
	b.Addr = addr
	b.Size = size
	b.Behind = size
	b.Messages = 0
	b.To = to
	b.ID = id
	b.Automatic = 0
	if addr == BufferAutomatic {
		b.Size = 0
		b.Automatic = 1
	}
	l.First = b
}

// remove takes a buffer out of the list.
func (l *Attachments) remove(b *Attached) {
	if l.First == b {
		l.First = b.Next
		return
	}
	before := l.First
	for before.Next != b {
		before = before.Next
	}
	before.Next = b.Next
}

// TellRoom notes how large messages are that have room in the buffer of the process, as long as there is no
// other.
func TellRoom(e *Endpoint) {
	room := int64(0)
	b := e.First
	if b != nil && b.Next == nil && b.To == ToProcess {
		room = b.Behind - Overhead + 1
		if b.Automatic != 0 {
			room = MaxMessage + 1
		}
	}
	atomic.StoreUint32(&e.BufferRoom, uint32(min(max(room, 0), mostBytes)))
}

// writable reports whether there is memory at an address. It writes the byte there as it is.
func writable(addr uintptr) bool { return tryMove(addr, addr, 1) }

// attach is MPI_Buffer_attach and its kin.
func attach(e *Endpoint, to AttachedTo, id uint32, addr uintptr, size int64) bool {
	if addr != BufferAutomatic && (addr < Lowest || size < 0) {
		return false
	}
	if addr != BufferAutomatic && size > 0 {
		if !writable(addr) || !writable(addr+uintptr(size)-1) {
			return false
		}
	}
	if e == nil || !e.enter() {
		return false
	}
	at := uintptr(0)
	if e.Find(to, id) == nil {
		at = e.arena.piece(attachedSize)
	}
	if at != 0 {
		e.add(at, to, id, addr, size)
		TellRoom(e)
	}
	e.leave()
	return at != 0
}

// detach is MPI_Buffer_detach and its kin, of a buffer without messages, whose size is no more than most.
func detach(e *Endpoint, to AttachedTo, id uint32, most int64, addr uintptr, size *int64) bool {
	if addr < Lowest || e == nil || !e.enter() {
		return false
	}
	b := e.Find(to, id)
	done := b != nil && b.Messages == 0 && b.Size <= most
	if done {
		*wordAt(addr) = b.Addr
		*size = b.Size
		DetachBuffer(e, b)
	}
	e.leave()
	return done
}

// DetachBuffer takes a buffer away. The endpoint is the caller's.
func DetachBuffer(e *Endpoint, b *Attached) {
	e.remove(b)
	e.arena.putPiece(addressOf(b), attachedSize)
	TellRoom(e)
}

// BufferAttach is MPI_Buffer_attach and its large-count twin.
func BufferAttach(e *Endpoint, buffer uintptr, size int64) bool {
	return attach(e, ToProcess, 0, buffer, size)
}

// BufferDetachC is MPI_Buffer_detach_c.
func BufferDetachC(e *Endpoint, addr uintptr, size *int64) bool {
	return !nowhere(size) && detach(e, ToProcess, 0, mostSize, addr, size)
}

// mostSize bounds what is no more than the largest size.
const mostSize int64 = 1<<63 - 1

// BufferDetach is MPI_Buffer_detach.
func BufferDetach(e *Endpoint, addr uintptr, size *int32) bool {
	n := int64(0)
	if nowhere(size) || !detach(e, ToProcess, 0, mostBytes, addr, &n) {
		return false
	}
	*size = int32(n)
	return true
}

// CommAttachBuffer is MPI_Comm_attach_buffer and its large-count twin.
func CommAttachBuffer(e *Endpoint, comm, buffer uintptr, size int64) bool {
	c := e.comm(comm)
	return c != nil && attach(e, ToContext, c.Ctx, buffer, size)
}

// CommDetachBufferC is MPI_Comm_detach_buffer_c.
func CommDetachBufferC(e *Endpoint, comm, addr uintptr, size *int64) bool {
	c := e.comm(comm)
	return c != nil && !nowhere(size) && detach(e, ToContext, c.Ctx, mostSize, addr, size)
}

// CommDetachBuffer is MPI_Comm_detach_buffer.
func CommDetachBuffer(e *Endpoint, comm, addr uintptr, size *int32) bool {
	c := e.comm(comm)
	n := int64(0)
	if c == nil || nowhere(size) || !detach(e, ToContext, c.Ctx, mostBytes, addr, &n) {
		return false
	}
	*size = int32(n)
	return true
}
