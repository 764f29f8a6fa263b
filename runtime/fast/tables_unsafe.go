//fast:go

package fast

import (
	"math/bits"
	"unsafe"

	"gompi/shm"
)

// The tables of an endpoint that grow: requests, and bins of posted receives.

// makeTables makes them as they are at first. Requests have an address each from the beginning, and memory as
// they are needed.
func (e *Endpoint) makeTables() error {
	base, err := shm.Reserve(MaxRequests * unsafe.Sizeof(Request{}))
	if err != nil {
		return err
	}
	e.Requests = (*Request)(at(base))
	if err := e.makeRequests(FirstRequests); err != nil {
		return err
	}
	if err := e.makeBins(FirstBins); err != nil {
		return err
	}
	return e.makeMessages()
}

// MoreRequests makes more requests. It reports false when there is no memory for more.
func (t *RequestTable) MoreRequests() bool {
	return t.RequestsMade < MaxRequests && t.makeRequests(2*t.RequestsMade) == nil
}

func (t *RequestTable) makeRequests(n uint32) error {
	err := shm.Commit(uintptr(unsafe.Pointer(t.Requests)), uintptr(n)*unsafe.Sizeof(Request{}))
	if err == nil {
		t.RequestsMade = n
	}
	return err
}

// Kept is block i of those that the lists of a CollRequest name: how many elements, where they begin, in
// bytes, and the handle of their datatype, 0 for bytes.
func (b *blocks) Kept(i int) (count, offset int64, datatype uintptr) {
	if b.types != nil {
		datatype = *handleAt(b.types, int32(i))
	}
	return int64(*intAt(b.counts, int32(i))), *longAt(b.offsets, int32(i)), datatype
}

// Each is the size of a block where they have none of their own.
func (b *blocks) Each() int64 { return int64(b.each) }

// Uneven reports whether the blocks have sizes of their own.
func (b *blocks) Uneven() bool { return b.counts != nil }

// KeepsTypes reports whether some of these blocks have a datatype.
func (b *blocks) KeepsTypes() bool { return b.types != nil }

// RoomToPost makes more bins if there are many posted receives for each. The old ones stay if there is no
// memory.
func (m *Matcher) RoomToPost() {
	if m.Posted < m.MostPosted {
		return
	}
	old, n := m.Bins, m.BinCount()
	if n == mostBins || m.makeBins(2*n) != nil {
		m.MostPosted = NoRequest
		return
	}
	for _, bin := range unsafe.Slice(old, n) {
		for i := bin.First; i != NoRequest; {
			r := m.Request(i)
			i = r.Next
			m.addLast(m.binOf(r.Ctx, r.Src, r.Tag), r)
		}
	}
	shm.Unmap(uintptr(unsafe.Pointer(old)), int64(n)*int64(unsafe.Sizeof(Bin{})))
}

// BinCount is how many bins there are.
func (m *Matcher) BinCount() uint32 { return 1 << (32 - m.BinShift) }

// makeBins makes n empty bins in place of those that there are.
func (m *Matcher) makeBins(n uint32) error {
	bins, err := newBins(n)
	if err != nil {
		return err
	}
	m.Bins, m.BinShift, m.MostPosted = bins, uint32(32-bits.TrailingZeros32(n)), binLoad*n
	return nil
}

// newBins is n empty bins.
func newBins(n uint32) (*Bin, error) {
	base, err := shm.Private(uintptr(n) * unsafe.Sizeof(Bin{}))
	if err != nil {
		return nil, err
	}
	bins := (*Bin)(at(base))
	for i := range unsafe.Slice(bins, n) {
		unsafe.Slice(bins, n)[i] = Bin{First: NoRequest, Last: NoRequest}
	}
	return bins, nil
}
