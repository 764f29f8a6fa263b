package target

import (
	"slices"
	"sync/atomic"

	"gompi/runtime/am"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma/alloc"
	"gompi/shm"
)

// The memory attached to a dynamic window stands in a table in the window's allocation, one per rank, in the
// order of the addresses. Its owner changes it, all ranks read it; a version that is odd while it changes
// tells readers to look again. Memory may be attached and detached at any time (MPI 5.0, 12.2.4), so an
// origin looks at each operation.

// Words of an entry of the table, 8 bytes each.
const (
	entryAddr = iota // where the memory begins in the owner's address space
	entrySize        // bytes
	// the allocation that it lies in; 0 for private memory: the file begins with the job's segment
	entryOff
	entryAllocation // bytes of that allocation
	entryDelta      // distance of the memory from the begin of the allocation
	entryWords

	maxRegions = 32 << 10
	// TableSize is the size of a rank's table in bytes.
	TableSize = int64(maxRegions * entryWords * 8)
)

// Attached is memory attached to a dynamic window.
type Attached [entryWords]uint64

// Start is where the memory begins in its owner's address space.
func (a *Attached) Start() uint64 { return a[entryAddr] }

// Allocated reports whether the memory lies in a shared allocation.
func (a *Attached) Allocated() bool { return a[entryOff] != 0 }

// Attachments are the memory attached to a dynamic window; none in others, whose memory is there from the
// start.
type Attachments struct {
	*am.Window
	Tables  uintptr // where the tables of the ranks begin
	dynamic bool
	guards  *Guards
	space   *alloc.Space

	attaching shm.Mutex  // nothing is waited for while it is held
	table     []Attached // this rank's, by address; guarded by attaching
	written   int        // entries of it that have ever been written; guarded by attaching

	mapping shm.Mutex
	found   map[int64]uintptr // allocations of other ranks that are mapped; guarded by mapping
}

// NewAttachments makes those of a window, of whose ranks the guards are.
func NewAttachments(w *am.Window, dynamic bool, s *alloc.Space, g *Guards) *Attachments {
	return &Attachments{Window: w, dynamic: dynamic, space: s, guards: g}
}

// Within reports whether n bytes at an address of a rank near to this one are its memory in the window.
// Everything that others have done in this rank's own memory by its address is checked so.
func (d *Attachments) Within(rank int, addr, n uint64) bool {
	if d.dynamic {
		_, _, ok := d.LookUp(rank, addr, n)
		return ok
	}
	return d.Targets[rank].Within(addr, n)
}

// end is the address behind the memory.
func (a *Attached) end() uint64 { return a[entryAddr] + a[entrySize] }

// entry is a word of an entry of a rank's table.
func (d *Attachments) entry(rank, i, word int) *uint64 {
	return shm.Word64(d.Tables + uintptr(int64(rank)*TableSize+int64(i*entryWords+word)*8))
}

// notDynamic refuses windows that have memory from the start.
func (d *Attachments) notDynamic() error {
	if d.dynamic {
		return nil
	}
	return mpierr.New(mpierr.ErrRMAFlavor, "the window was made by %s, and not by MPI_Win_create_dynamic", d.Origin)
}

// Attach lets the others access size bytes at addr of this rank (MPI_Win_attach, MPI 5.0, 12.2.4).
func (d *Attachments) Attach(addr uintptr, size int64) error {
	if err := d.notDynamic(); err != nil {
		return err
	}
	switch {
	case size < 0 || uint64(size) > -uint64(addr):
		return mpierr.New(mpierr.ErrSize, "size is %d, which is not that of memory at %#x", size, addr)
	case size > 0 && addr == 0:
		return mpierr.New(mpierr.ErrBase, "base is NULL, but size is %d", size)
	}
	a := Attached{entryAddr: uint64(addr), entrySize: uint64(size)}
	if r, ok := d.space.Find(addr, size); ok && size > 0 {
		a[entryOff], a[entryAllocation], a[entryDelta] = uint64(r.Off), uint64(r.Size), uint64(addr-r.Base)
	}
	d.attaching.Lock()
	defer d.attaching.Unlock()
	at, _ := slices.BinarySearchFunc(d.table, a[entryAddr], func(t Attached, addr uint64) int {
		if t[entryAddr] <= addr {
			return -1
		}
		return 1
	})
	switch {
	case len(d.table) == maxRegions:
		return mpierr.New(mpierr.ErrRMAAttach, "%d stretches of memory are attached already, and no more can be", maxRegions)
	case at > 0 && d.table[at-1].end() > a[entryAddr], at < len(d.table) && d.table[at][entryAddr] < a.end():
		return mpierr.New(mpierr.ErrRMAAttach, "some of the %d bytes at %#x are attached already", size, addr)
	}
	d.table = slices.Insert(d.table, at, a)
	d.publish(at)
	return nil
}

// Detach takes back what Attach allowed (MPI_Win_detach). It waits for nobody.
func (d *Attachments) Detach(addr uintptr) error {
	if err := d.notDynamic(); err != nil {
		return err
	}
	d.attaching.Lock()
	defer d.attaching.Unlock()
	at := slices.IndexFunc(d.table, func(t Attached) bool { return t[entryAddr] == uint64(addr) })
	if at < 0 {
		return mpierr.New(mpierr.ErrBase, "base is %#x, at which no memory is attached to the window", addr)
	}
	d.table = slices.Delete(d.table, at, at+1)
	d.publish(at)
	return nil
}

// publish writes the table from entry number from on. Pairs with LookUp.
func (d *Attachments) publish(from int) {
	version, count := d.Word(d.Rank(), fast.BlockVersion), d.Word(d.Rank(), fast.BlockRegions)
	atomic.AddUint32(version, 1)
	for i := from; i < len(d.table); i++ {
		for word, v := range d.table[i] {
			atomic.StoreUint64(d.entry(d.Rank(), i, word), v)
		}
	}
	d.written = max(d.written, len(d.table))
	atomic.StoreUint32(count, uint32(len(d.table)))
	atomic.AddUint32(version, 1)
}

// ClearTable makes this rank's table zero when nobody reads it any more, so that the allocation may be used
// again.
func (d *Attachments) ClearTable() {
	if d.written > 0 {
		clear(shm.Bytes(d.Tables+uintptr(int64(d.Rank())*TableSize), int64(d.written*entryWords*8)))
	}
}

// LookUp finds the attached memory of a rank that holds the n bytes at addr. They may reach over several
// stretches that lie side by side; the one with the first byte is found then, and parted says that they are
// memory of different kinds, or of different allocations. This rank's own memory is looked up in its own
// table, which nobody else can write.
func (d *Attachments) LookUp(rank int, addr, n uint64) (a Attached, parted, ok bool) {
	if rank == d.Rank() {
		d.attaching.Lock()
		defer d.attaching.Unlock()
		return search(ownTable(d.table), addr, n)
	}
	version := d.Word(rank, fast.BlockVersion)
	for looks := 0; ; looks++ {
		before := atomic.LoadUint32(version) // pairs with publish
		if before&1 == 0 {
			count := min(atomic.LoadUint32(d.Word(rank, fast.BlockRegions)), maxRegions)
			a, parted, ok = search(remoteTable{d, rank, int(count)}, addr, n)
			if atomic.LoadUint32(version) == before {
				return a, parted, ok
			}
		}
		if d.guards.backoff(looks) != nil {
			return a, false, false // the rank has died, perhaps while it changed the table
		}
	}
}

// regions is a table of attached memory.
type regions interface {
	count() int
	addr(i int) uint64
	read(i int) Attached
}

type ownTable []Attached

func (t ownTable) count() int          { return len(t) }
func (t ownTable) addr(i int) uint64   { return t[i][entryAddr] }
func (t ownTable) read(i int) Attached { return t[i] }

type remoteTable struct {
	d       *Attachments
	rank, n int
}

func (t remoteTable) count() int          { return t.n }
func (t remoteTable) addr(i int) uint64   { return atomic.LoadUint64(t.d.entry(t.rank, i, entryAddr)) }
func (t remoteTable) read(i int) Attached { return t.d.read(t.rank, i) }

// search is LookUp in a table that may be changing: what it finds may then be anything.
func search[T regions](t T, addr, n uint64) (a Attached, parted, ok bool) {
	lo, hi := 0, t.count() // the answer is in front of hi
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if t.addr(mid) <= addr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	// Stretches of no bytes may stand at the same address as another one.
	i := lo - 1
	for ; i >= 0; i-- {
		if a = t.read(i); a[entrySize] > 0 {
			break
		}
	}
	if i < 0 || addr-a[entryAddr] >= a[entrySize] || a.end() < addr {
		return a, false, false
	}
	end := a.end()
	for i++; end-addr < n && i < t.count(); i++ {
		next := t.read(i)
		if next[entryAddr] != end || next.end() < end {
			break
		}
		end = next.end()
		parted = parted || next[entryOff] != a[entryOff]
	}
	return a, parted, end-addr >= n
}

// read is an entry of a rank's table.
func (d *Attachments) read(rank, i int) (a Attached) {
	for word := range a {
		a[word] = atomic.LoadUint64(d.entry(rank, i, word))
	}
	return a
}

// Mapped is where attached memory in an allocation is mapped here, of which n bytes from first on are wanted.
func (d *Attachments) Mapped(a *Attached, first, n uint64) (uintptr, error) {
	off, at := int64(a[entryOff]), first-a[entryAddr]
	if e, delta := a[entryAllocation], a[entryDelta]; delta > e || at > e-delta || n > e-delta-at {
		return 0, mpierr.New(mpierr.ErrIntern, "the memory at %#x is said to lie outside the shared memory that it is in", first)
	}
	d.mapping.Lock()
	defer d.mapping.Unlock()
	base, ok := d.found[off]
	if !ok {
		var err error
		if base, err = d.space.Attach(off, int64(a[entryAllocation])); err != nil {
			return 0, err
		}
		if d.found == nil {
			d.found = map[int64]uintptr{}
		}
		d.found[off] = base
	}
	return base + uintptr(a[entryDelta]), nil
}

// Unmap unmaps what LookUp has found.
func (d *Attachments) Unmap() {
	for off := range d.found {
		d.space.Detach(off)
	}
}
