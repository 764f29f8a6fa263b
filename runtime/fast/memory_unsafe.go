//fast:go

package fast

import (
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// What the translated files say of memory. The directives say it in C.

// move copies n bytes; the usual small sizes without a call.
//
//fast:c fast_move(%0, %1, %2)
func move(to, from uintptr, n uint32) { shm.Copy(to, from, int64(n)) }

// tryMove is move that reports false where one of the two is no memory. Some bytes may have been copied then.
//
//fast:c gompi_try_copy(%0, %1, %2)
func tryMove(to, from uintptr, n uint32) bool { return tried(func() { move(to, from, n) }) }

// readable reports whether the first and the last of n bytes are memory.
//
//fast:c fast_readable(%0, %1)
func readable(addr uintptr, n uint32) bool {
	return n == 0 || tried(func() { // loads that no compiler leaves out, in the same pages
		atomic.LoadUint32(shm.Word32(addr &^ 3))
		atomic.LoadUint32(shm.Word32((addr + uintptr(n) - 1) &^ 3))
	})
}

// tried calls f and reports whether all that it touched was memory.
func tried(f func()) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { ok = recover() == nil }()
	f()
	return true
}

// unlikely is its argument.
//
//fast:c __builtin_expect(%0, 0)
func unlikely(b bool) bool { return b }

// nowhere reports whether there is no memory at an address. Such calls are left to package capi, which says
// what is wrong.
//
//fast:c ((uintptr_t)%0 < FAST_LOWEST)
func nowhere[T any](p *T) bool { return uintptr(unsafe.Pointer(p)) < shm.Lowest }

// nowhereElse reports whether an address that may be NULL for what the program does not want is neither
// that nor memory.
//
//fast:c ((uintptr_t)%0 - 1 < FAST_LOWEST - 1)
func nowhereElse[T any](p *T) bool { return uintptr(unsafe.Pointer(p))-1 < shm.Lowest-1 }

// head is the kind, the flags and the size of a slot, which are read as one word.
//
//fast:c __atomic_load_n((const fast_word *)&%0->kind, __ATOMIC_RELAXED)
func (s *Slot) head() uint32 { return atomic.LoadUint32((*uint32)(unsafe.Pointer(&s.Kind))) }

// data is the address of the payload in a slot.
//
//fast:c ((uintptr_t)%0->data)
func (s *Slot) data() uintptr { return uintptr(unsafe.Pointer(&s.Data)) }

// handleAt is element i of an array of handles.
//
//fast:c (%0 + %1)
func handleAt(list *uintptr, i int32) *uintptr {
	return (*uintptr)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*unsafe.Sizeof(*list)))
}

// intAt is element i of an array.
//
//fast:c (%0 + %1)
func intAt(list *int32, i int32) *int32 {
	return (*int32)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*4))
}

// statusAt is element i of an array of statuses, nil when that is MPI_STATUSES_IGNORE.
//
//fast:c (%0 != NULL ? %0 + %1 : NULL)
func statusAt(list *Status, i int32) *Status {
	if list == nil {
		return nil
	}
	return (*Status)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*unsafe.Sizeof(*list)))
}

// Peer is the rings of node rank r.
//
//fast:c (&%0->peers[%1])
func (t *PeerTable) Peer(r uint32) *Peer {
	return (*Peer)(unsafe.Add(unsafe.Pointer(t.Peers), uintptr(r)*unsafe.Sizeof(Peer{})))
}

// Request is request number i.
//
//fast:c (&%0->requests[%1])
func (t *RequestTable) Request(i uint32) *Request {
	return (*Request)(unsafe.Add(unsafe.Pointer(t.Requests), uintptr(i)*unsafe.Sizeof(Request{})))
}

// index is the number of a request.
//
//fast:c ((uint32_t)(%1 - %0->requests))
func (t *RequestTable) index(r *Request) uint32 {
	return uint32((uintptr(unsafe.Pointer(r)) - uintptr(unsafe.Pointer(t.Requests))) / unsafe.Sizeof(*r))
}

// BinAt is bin number i.
//
//fast:c (&%0->bins[%1])
func (m *Matcher) BinAt(i uint32) *Bin {
	return (*Bin)(unsafe.Add(unsafe.Pointer(m.Bins), uintptr(i)*unsafe.Sizeof(Bin{})))
}

// Message is message number i.
//
//fast:c (&%0->messages[%1 / FAST_CHUNK_MESSAGES][%1 % FAST_CHUNK_MESSAGES])
func (t *UnexpectedTable) Message(i uint32) *Unexpected {
	chunk := unsafe.Pointer(t.Messages[i/chunkMessages])
	return (*Unexpected)(unsafe.Add(chunk, uintptr(i%chunkMessages)*unsafe.Sizeof(Unexpected{})))
}

// MessageBin is bin number i of messages.
//
//fast:c (&%0->message_bins[%1])
func (t *UnexpectedTable) MessageBin(i uint32) *Bin {
	return (*Bin)(unsafe.Add(unsafe.Pointer(t.MessageBins), uintptr(i)*unsafe.Sizeof(Bin{})))
}

// LinkAt is the link that a reference names.
//
//fast:c (&%0->messages[%1 / 4 / FAST_CHUNK_MESSAGES][%1 / 4 % FAST_CHUNK_MESSAGES].links[%1 % 4])
func (t *UnexpectedTable) LinkAt(ref uint32) *Link {
	return &t.Message(ref / KeyKinds).Links[ref%KeyKinds]
}

// own is where the data of a short message is.
//
//fast:c ((uintptr_t)%0->inline_data)
func (m *Unexpected) own() uintptr { return uintptr(unsafe.Pointer(&m.InlineData)) }

// Source is the source of the message of a receive that is done.
//
//fast:c ((int32_t)%0->next)
func (r *Request) Source() int32 { return int32(r.Next) }

// GotTag is the tag of the message of a receive that is done.
//
//fast:c ((int32_t)%0->prev)
func (r *Request) GotTag() int32 { return int32(r.Prev) }

// CollRequest is collective operation number i of those that wait for others.
//
//fast:c (&%0->coll_requests[%1])
func (t *CollTable) CollRequest(i uint32) *CollRequest {
	return (*CollRequest)(unsafe.Add(unsafe.Pointer(t.CollRequests), uintptr(i)*unsafe.Sizeof(CollRequest{})))
}

// ListsOf is the lists of that operation.
//
//fast:c (&%0->coll_lists[%1])
func (t *CollTable) ListsOf(i uint32) *CollLists {
	return (*CollLists)(unsafe.Add(unsafe.Pointer(t.CollLists), uintptr(i)*unsafe.Sizeof(CollLists{})))
}

// ActivePeer is the node rank of the i-th active peer.
//
//fast:c %0->order[%1]
func (t *PeerTable) ActivePeer(i uint32) uint32 {
	return *(*uint32)(unsafe.Add(unsafe.Pointer(t.Order), uintptr(i)*4))
}

// CallWord is the i-th word of Calls.
//
//fast:c (%0->calls + %1)
func (t *PeerTable) CallWord(i uint32) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(t.Calls), uintptr(i)*8))
}

// word32At is the word at an address.
//
//fast:c ((uint32_t *)(%0))
func word32At(addr uintptr) *uint32 { return shm.Word32(addr) }

// word64At is the word at an address.
//
//fast:c ((uint64_t *)(%0))
func word64At(addr uintptr) *uint64 { return shm.Word64(addr) }

// wordAt is the handle at an address.
//
//fast:c ((uintptr_t *)(%0))
func wordAt(addr uintptr) *uintptr { return (*uintptr)(at(addr)) }

// RequestAt is the address of a request for an operation.
//
//fast:c ((uintptr_t)(%0))
func RequestAt(request *uintptr) uintptr { return uintptr(unsafe.Pointer(request)) }

// address is where a status stands.
//
//fast:c ((uintptr_t)(%0))
func (s *Status) address() uintptr { return uintptr(unsafe.Pointer(s)) }

// cellAt is the cell at an address.
//
//fast:c ((struct fast_cell *)(%0))
func cellAt(addr uintptr) *Cell { return (*Cell)(at(addr)) }

// data is where a cell's data stands.
//
//fast:c ((uintptr_t)%0->data)
func (c *Cell) data() uintptr { return uintptr(unsafe.Pointer(&c.Data)) }

// EntryAt is entry i of a table.
//
//fast:c ((uint32_t *)(%0) + %1)
func EntryAt(table uintptr, i uint32) *uint32 { return shm.Word32(table + uintptr(i)*TableEntry) }

// Peer is the segment of rank r.
//
//fast:c (%0->peers + %1)
func (s *CellRing) Peer(r uint32) *CollPeer {
	return (*CollPeer)(unsafe.Add(unsafe.Pointer(s.Peers), uintptr(r)*unsafe.Sizeof(CollPeer{})))
}

// level is room for a step at a level of the tree.
//
//fast:c ((uintptr_t)(%0->room + (%1) * (FAST_COMBINE_STEP / 8)))
func (c *combiner) level(i uint32) uintptr {
	return uintptr(unsafe.Pointer(&c.room)) + uintptr(i)*combineStep
}

// bit is 1 << i; i is below 32.
//
//fast:c ((uint32_t)1 << (%0))
func bit(i uint32) uint32 { return 1 << i }

// shiftRight is x >> n; n is below 32.
//
//fast:c ((%0) >> (%1))
func shiftRight(x, n uint32) uint32 { return x >> n }

// prefetch fetches a cell into the cache.
//
//fast:c __builtin_prefetch(%0)
func prefetch(*Cell) {}
