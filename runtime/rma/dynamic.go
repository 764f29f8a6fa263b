package rma

import (
	"slices"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
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
	tableSize  = int64(maxRegions * entryWords * 8)
)

// attached is memory attached to a dynamic window.
type attached [entryWords]uint64

// end is the address behind the memory.
func (a *attached) end() uint64 { return a[entryAddr] + a[entrySize] }

// entry is a word of an entry of a rank's table.
func (w *Window) entry(rank, i, word int) *uint64 {
	return shm.Word64(w.allocation.base + uintptr(w.tables+int64(rank)*tableSize+int64(i*entryWords+word)*8))
}

// notDynamic refuses windows that have memory from the start.
func (w *Window) notDynamic() error {
	if w.flavor == Dynamic {
		return nil
	}
	return mpierr.New(mpierr.ErrRMAFlavor, "the window was made by %s, and not by MPI_Win_create_dynamic", w.Origin)
}

// Attach lets the others access size bytes at addr of this rank (MPI_Win_attach, MPI 5.0, 12.2.4).
func (w *Window) Attach(addr uintptr, size int64) error {
	if err := w.notDynamic(); err != nil {
		return err
	}
	switch {
	case size < 0 || uint64(size) > -uint64(addr):
		return mpierr.New(mpierr.ErrSize, "size is %d, which is not that of memory at %#x", size, addr)
	case size > 0 && addr == 0:
		return mpierr.New(mpierr.ErrBase, "base is NULL, but size is %d", size)
	}
	a := attached{entryAddr: uint64(addr), entrySize: uint64(size)}
	if r, ok := w.space.find(addr, size); ok && size > 0 {
		a[entryOff], a[entryAllocation], a[entryDelta] = uint64(r.off), uint64(r.size), uint64(addr-r.base)
	}
	w.attaching.Lock()
	defer w.attaching.Unlock()
	at, _ := slices.BinarySearchFunc(w.table, a[entryAddr], func(t attached, addr uint64) int {
		if t[entryAddr] <= addr {
			return -1
		}
		return 1
	})
	switch {
	case len(w.table) == maxRegions:
		return mpierr.New(mpierr.ErrRMAAttach, "%d stretches of memory are attached already, and no more can be", maxRegions)
	case at > 0 && w.table[at-1].end() > a[entryAddr], at < len(w.table) && w.table[at][entryAddr] < a.end():
		return mpierr.New(mpierr.ErrRMAAttach, "some of the %d bytes at %#x are attached already", size, addr)
	}
	w.table = slices.Insert(w.table, at, a)
	w.publish(at)
	return nil
}

// Detach takes back what Attach allowed (MPI_Win_detach). It waits for nobody.
func (w *Window) Detach(addr uintptr) error {
	if err := w.notDynamic(); err != nil {
		return err
	}
	w.attaching.Lock()
	defer w.attaching.Unlock()
	at := slices.IndexFunc(w.table, func(t attached) bool { return t[entryAddr] == uint64(addr) })
	if at < 0 {
		return mpierr.New(mpierr.ErrBase, "base is %#x, at which no memory is attached to the window", addr)
	}
	w.table = slices.Delete(w.table, at, at+1)
	w.publish(at)
	return nil
}

// publish writes the table from entry number from on. Pairs with lookUp.
func (w *Window) publish(from int) {
	version, count := w.word(w.me, fast.BlockVersion), w.word(w.me, fast.BlockRegions)
	atomic.AddUint32(version, 1)
	for i := from; i < len(w.table); i++ {
		for word, v := range w.table[i] {
			atomic.StoreUint64(w.entry(w.me, i, word), v)
		}
	}
	atomic.StoreUint32(count, uint32(len(w.table)))
	atomic.AddUint32(version, 1)
}

// lookUp finds the attached memory of a rank that holds the n bytes at addr. They may reach over several
// stretches that lie side by side; the one with the first byte is found then, and parted says that they are
// memory of different kinds, or of different allocations. This rank's own memory is looked up in its own
// table, which nobody else can write.
func (w *Window) lookUp(rank int, addr, n uint64) (a attached, parted, ok bool) {
	if rank == w.me {
		w.attaching.Lock()
		defer w.attaching.Unlock()
		return search(ownTable(w.table), addr, n)
	}
	version := w.word(rank, fast.BlockVersion)
	for looks := 0; ; looks++ {
		before := atomic.LoadUint32(version) // pairs with publish
		if before&1 == 0 {
			count := min(atomic.LoadUint32(w.word(rank, fast.BlockRegions)), maxRegions)
			a, parted, ok = search(remoteTable{w, rank, int(count)}, addr, n)
			if atomic.LoadUint32(version) == before {
				return a, parted, ok
			}
		}
		if w.backoff(looks) != nil {
			return a, false, false // the rank has died, perhaps while it changed the table
		}
	}
}

// regions is a table of attached memory.
type regions interface {
	count() int
	addr(i int) uint64
	read(i int) attached
}

type ownTable []attached

func (t ownTable) count() int          { return len(t) }
func (t ownTable) addr(i int) uint64   { return t[i][entryAddr] }
func (t ownTable) read(i int) attached { return t[i] }

type remoteTable struct {
	w       *Window
	rank, n int
}

func (t remoteTable) count() int          { return t.n }
func (t remoteTable) addr(i int) uint64   { return atomic.LoadUint64(t.w.entry(t.rank, i, entryAddr)) }
func (t remoteTable) read(i int) attached { return t.w.read(t.rank, i) }

// search is lookUp in a table that may be changing: what it finds may then be anything.
func search[T regions](t T, addr, n uint64) (a attached, parted, ok bool) {
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
func (w *Window) read(rank, i int) (a attached) {
	for word := range a {
		a[word] = atomic.LoadUint64(w.entry(rank, i, word))
	}
	return a
}

// mapped is where attached memory in an allocation is mapped here, of which n bytes from first on are wanted.
func (w *Window) mapped(a *attached, first, n uint64) (uintptr, error) {
	off, at := int64(a[entryOff]), first-a[entryAddr]
	if e, delta := a[entryAllocation], a[entryDelta]; delta > e || at > e-delta || n > e-delta-at {
		return 0, mpierr.New(mpierr.ErrIntern, "the memory at %#x is said to lie outside the shared memory that it is in", first)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	base, ok := w.found[off]
	if !ok {
		var err error
		if base, err = w.space.attach(off, int64(a[entryAllocation])); err != nil {
			return 0, err
		}
		if w.found == nil {
			w.found = map[int64]uintptr{}
		}
		w.found[off] = base
		w.regions = append(w.regions, off)
	}
	return base + uintptr(a[entryDelta]), nil
}
