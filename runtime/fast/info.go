package fast

import "sync/atomic"

// Info is the record of an info object.
type Info struct {
	Record
	List uintptr // address of its InfoList; 0 where it is empty, and Go has no object for it
}

// InfoList is the keys of an info object with their values (MPI 5.0, 10). It stands in Go's memory, where Go
// alone changes which keys there are; or in memory of the endpoint (infolone.go).
type InfoList struct {
	Changes uint32 // see sequence.go
	Count   uint32
	Used    uint32 // bytes used of the memory of the endpoint; 0 in Go's
	List    *InfoEntry
}

// InfoEntry is a key with its value. Both have their lengths, and no zero behind them.
type InfoEntry struct {
	Key, Value             *uint8
	KeyLength, ValueLength uint32
	Room                   uint64 // bytes at Value that are the entry's own
}

// Room for a key and for a value with the zero behind it: MPI_MAX_INFO_KEY and MPI_MAX_INFO_VAL.
const (
	maxInfoKey   = 256
	maxInfoValue = 1024
)

// infoRoom is what the room for a value is a multiple of, so that another value fits in mostly.
const infoRoom = 64

// info is the record of an info object; nil when there is none.
func (o *Objects) info(handle uintptr) *Info {
	if o == nil {
		return nil
	}
	chunk := o.Infos[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	r := infoOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&r.Handle) != handle {
		return nil
	}
	return r
}

// infoList is the list of an info object that has a record; nil when there is none.
func (o *Objects) infoList(info uintptr) *InfoList {
	r := o.info(info)
	if r == nil {
		return nil
	}
	return infoListAt(atomic.LoadUintptr(&r.List))
}

// trimmed is the length of a text of the program's, below most; 0 for what is none, is empty, or may have
// blanks around it.
func trimmed(text uintptr, most uint64) uint32 {
	if text < Lowest || byteAt(text, 0) <= ' ' {
		return 0
	}
	n := uint64(1)
	for byteAt(text, n) != 0 {
		n++
		if n == most {
			return 0
		}
	}
	if byteAt(text, n-1) <= ' ' || byteAt(text, n-1) >= 0x80 || byteAt(text, 0) >= 0x80 {
		return 0
	}
	return uint32(n)
}

// find is the entry of a key of that length; nil when there is none.
func (l *InfoList) find(key uintptr, length uint32) *InfoEntry {
	n := atomic.LoadUint32(&l.Count)
	list := l.List
	for i := uint32(0); i < n; i++ {
		x := pairAt(list, i)
		if x.KeyLength == length && sameBytes(addressOf(x.Key), key, uint64(length)) {
			return x
		}
	}
	return nil
}

// sameBytes compares n bytes.
func sameBytes(a, b uintptr, n uint64) bool {
	for i := uint64(0); i < n; i++ {
		if byteAt(a, i) != byteAt(b, i) {
			return false
		}
	}
	return true
}

// putString writes at most n bytes, and a zero behind them.
func putString(to uintptr, from *uint8, length, n uint32) {
	size := min(length, n)
	copyAll(to, addressOf(from), uint64(size))
	*pointerAt(to, uint64(size)) = 0
}

// InfoCreate is MPI_Info_create (MPI 5.0, 10).
func InfoCreate(e *Endpoint, info uintptr) bool {
	if e == nil || info < Lowest {
		return false
	}
	h := e.takeRecord(KindInfo)
	if h == 0 {
		return false
	}
	r := infoOf(e.Infos[h&objectMask>>ChunkBits], h&chunkMask)
	r.List = 0
	r.publish(h, info)
	return true
}

// InfoFree is MPI_Info_free.
func InfoFree(e *Endpoint, info uintptr) bool {
	if info < Lowest {
		return false
	}
	h := *wordAt(info)
	r := e.info(h)
	if r == nil || !r.end(h) {
		return false
	}
	e.dropList(r)
	e.retire(KindInfo, &r.Record, h)
	*wordAt(info) = infoNull
	return true
}

// InfoSet is MPI_Info_set where there is room for the value, and for a key that is not there.
func InfoSet(e *Endpoint, info, key, value uintptr) bool {
	l := loneList(e, info)
	n := trimmed(key, maxInfoKey)
	size := trimmed(value, maxInfoValue)
	if l == nil || n == 0 || size == 0 || !seize(&l.Changes) {
		return false
	}
	x := l.find(key, n)
	fits := false
	if x == nil {
		fits = l.add(key, n, value, size)
	} else if uint64(size) <= x.Room {
		fits = true
		copyAll(addressOf(x.Value), value, uint64(size))
		x.ValueLength = size
	}
	release(&l.Changes)
	return fits
}

// InfoGetNkeys is MPI_Info_get_nkeys.
func InfoGetNkeys(e *Endpoint, info uintptr, n *int32) bool {
	l := e.infoList(info)
	if l == nil || nowhere(n) {
		return false
	}
	*n = int32(atomic.LoadUint32(&l.Count))
	return true
}

// InfoGetNthkey is MPI_Info_get_nthkey.
func InfoGetNthkey(e *Endpoint, info uintptr, n int32, key uintptr) bool {
	l := e.infoList(info)
	if l == nil || key < Lowest {
		return false
	}
	before := atomic.LoadUint32(&l.Changes)
	if uint32(n) >= atomic.LoadUint32(&l.Count) {
		return false
	}
	x := pairAt(l.List, uint32(n))
	putString(key, x.Key, x.KeyLength, maxInfoKey-1)
	return unchanged(&l.Changes, before)
}

// value looks a key up: whether it is there, the length of its value, and up to room bytes of that with a
// zero behind them, unless room is negative.
func (l *InfoList) value(key, to uintptr, room int32, length, flag *int32) bool {
	n := trimmed(key, maxInfoKey)
	if l == nil || n == 0 || room >= 0 && to < Lowest || nowhere(length) || nowhere(flag) {
		return false
	}
	before := atomic.LoadUint32(&l.Changes)
	x := l.find(key, n)
	size := uint32(0)
	if x != nil {
		size = x.ValueLength
		if room >= 0 {
			putString(to, x.Value, size, uint32(room))
		}
	}
	if !unchanged(&l.Changes, before) {
		return false
	}
	*flag = 0
	if x != nil {
		*length = int32(size)
		*flag = 1
	}
	return true
}

// InfoGetValuelen is MPI_Info_get_valuelen.
func InfoGetValuelen(e *Endpoint, info, key uintptr, valuelen, flag *int32) bool {
	l := e.infoList(info)
	return l.value(key, 0, -1, valuelen, flag)
}

// InfoGet is MPI_Info_get, which counts in valuelen the characters without the zero behind them.
func InfoGet(e *Endpoint, info, key uintptr, valuelen int32, value uintptr, flag *int32) bool {
	length := int32(0)
	l := e.infoList(info)
	return valuelen >= 0 && l.value(key, value, valuelen, &length, flag)
}

// InfoGetString is MPI_Info_get_string, which counts the zero in buflen.
func InfoGetString(e *Endpoint, info, key uintptr, buflen *int32, value uintptr, flag *int32) bool {
	length := int32(0)
	l := e.infoList(info)
	if nowhere(buflen) || *buflen < 0 || !l.value(key, value, *buflen-1, &length, flag) {
		return false
	}
	if *flag != 0 {
		*buflen = length + 1
	}
	return true
}
