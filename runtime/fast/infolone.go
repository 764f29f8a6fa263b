package fast

import "sync/atomic"

// An info object for which Go has none has its list in a piece of memory of the endpoint: the entries, and
// behind them the bytes of keys and values. What does not fit there is left to Go, which makes an object of
// its own then.

// Pieces of memory for lists.
const (
	infoPiece   = 1024 // bytes
	infoEntries = 8    // for so many there is room
	infoTexts   = infoListSize + infoEntries*infoEntrySize
	// sizes of the structs
	infoListSize  = 24
	infoEntrySize = 32
)

// loneList is the list of an info object that may be in memory of the endpoint, which is made if there is
// none; nil where Go has to.
func loneList(e *Endpoint, info uintptr) *InfoList {
	r := e.info(info)
	if r == nil {
		return nil
	}
	at := atomic.LoadUintptr(&r.List)
	if at == 0 && r.isLone() && inC() {
		at = e.arena.piece(infoPiece)
		if at == 0 {
			return nil
		}
		l := infoListAt(at)
		l.Changes = 0
		l.Count = 0
		l.Used = infoTexts
		l.List = pairOf(at + infoListSize)
		if !atomic.CompareAndSwapUintptr(&r.List, 0, at) {
			e.arena.putPiece(at, infoPiece)
			at = atomic.LoadUintptr(&r.List)
		}
	}
	return infoListAt(at)
}

// add adds a key to a list in memory of the endpoint that has room for it, while nobody else uses it.
func (l *InfoList) add(key uintptr, n uint32, value uintptr, size uint32) bool {
	room := (size + infoRoom) &^ (infoRoom - 1)
	at := l.Used
	if at == 0 || l.Count == infoEntries || at+n+room > infoPiece {
		return false
	}
	x := pairAt(l.List, l.Count)
	text := addressOf(l) + uintptr(at)
	x.Key = pointerAt(text, 0)
	x.Value = pointerAt(text, uint64(n))
	copyAll(text, key, uint64(n))
	copyAll(text+uintptr(n), value, uint64(size))
	x.KeyLength = n
	x.ValueLength = size
	x.Room = uint64(room)
	l.Used = at + n + room
	atomic.StoreUint32(&l.Count, l.Count+1)
	return true
}

// InfoDelete is MPI_Info_delete of an info object in memory of the endpoint.
func InfoDelete(e *Endpoint, info, key uintptr) bool {
	l := e.infoList(info)
	n := trimmed(key, maxInfoKey)
	if l == nil || l.Used == 0 || n == 0 || !seize(&l.Changes) {
		return false
	}
	x := l.find(key, n)
	if x != nil {
		room := x.KeyLength + uint32(x.Room)
		if addressOf(x.Key)+uintptr(room) == addressOf(l)+uintptr(l.Used) {
			l.Used -= room
		}
		last := pairAt(l.List, l.Count-1)
		for x != last {
			next := pairAt(x, 1)
			*x = *next
			x = next
		}
		atomic.StoreUint32(&l.Count, l.Count-1)
		if l.Count == 0 {
			l.Used = infoTexts
		}
	}
	release(&l.Changes)
	return x != nil
}

// dropList gives back the list of an info object that has ended, if it is in memory of the endpoint.
func (o *Objects) dropList(r *Info) {
	if r.isLone() && r.List != 0 {
		o.arena.putPiece(r.List, infoPiece)
	}
}
