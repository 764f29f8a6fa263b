package rma

import (
	"encoding/binary"
	"runtime"
	"sync/atomic"

	"gompi/runtime/am"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/rma/alloc"
	"gompi/shm"
)

// memory is the memory of a window that this rank has mapped: the allocation that the ranks of the node
// share, and those of other ranks that their parts of the window lie in.
type memory struct {
	window *am.Window
	space  *Space
	flavor Flavor

	allocation alloc.Region // header, blocks, tables, rings, and the memory of windows that have it allocated
	program    alloc.Region // the part of it that is allocated for the program
	kept       [2]int64     // where tables and rings begin and end, of which each rank clears what it wrote
	others     []int64      // allocations of other ranks that are mapped
}

// Memory is this rank's part of the window; none in dynamic windows.
func (m *memory) Memory() []byte {
	return shm.Bytes(m.window.Desc.Base, int64(m.window.Targets[m.window.Rank()].Size))
}

// Query is where the memory of a rank is mapped here, how large it is and its displacement unit
// (MPI_Win_shared_query, MPI 5.0, 12.2.3). p2p.ProcNull stands for the lowest rank that has any memory, or
// for rank 0 if none has. Memory that is not mapped here counts as none.
func (m *memory) Query(rank int) (size, unit int64, base uintptr, err error) {
	if m.flavor == Dynamic {
		return 0, 0, 0, mpierr.New(mpierr.ErrRMAFlavor, "the window was made by %s: its memory is not known to other ranks", m.window.Origin)
	}
	if rank == p2p.ProcNull {
		for r := range m.window.Targets {
			if t := &m.window.Targets[r]; t.Base != 0 && t.Size > 0 {
				return int64(t.Size), t.Unit, t.Base, nil
			}
		}
		rank = 0
	}
	if err := m.window.CheckRank(rank); err != nil {
		return 0, 0, 0, err
	}
	t := &m.window.Targets[rank]
	if t.Base == 0 {
		return 0, t.Unit, 0, nil
	}
	return int64(t.Size), t.Unit, t.Base, nil
}

// share maps the allocation of the window, total bytes that the lowest of the ranks that share it makes. The
// ranks of c, which are those of the window, call it together.
func (m *memory) share(c *comm.Comm, total int64) error {
	_, first := m.window.Sharers()
	own := make([]byte, 16)
	var failed error
	if m.window.Rank() == first {
		off, size, err := m.space.config.Segment.Reserve(total)
		if err != nil {
			failed = mpierr.Memory(err)
		}
		binary.NativeEndian.PutUint64(own, uint64(off))
		binary.NativeEndian.PutUint64(own[8:], uint64(size))
	}
	where := own
	var err error
	if !m.window.Far() {
		err = coll.Bcast(c, raw(own), 0)
	} else {
		all := make([]byte, 16*m.window.Size())
		err = coll.Allgather(c, raw(own), raw(all[:16]))
		where = all[16*first:]
	}
	runtime.KeepAlive(own)
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return err
	}
	off, size := int64(binary.NativeEndian.Uint64(where)), int64(binary.NativeEndian.Uint64(where[8:]))
	if size == 0 {
		return mpierr.New(mpierr.ErrNoMem, "rank %d got no %d bytes of shared memory for the window", first, total)
	}
	base, err := m.space.config.Segment.Map(off, size)
	if err != nil {
		if m.window.Rank() == first {
			m.space.config.Segment.Discard(off, size)
		}
		return mpierr.Memory(err)
	}
	m.allocation = alloc.Region{Base: base, Size: size, Off: off}
	return nil
}

// attach maps the allocation in which the part of another rank lies, delta bytes from its begin, and returns
// where that part is.
func (m *memory) attach(off, size, delta int64) (uintptr, error) {
	base, err := m.space.Attach(off, size)
	if err != nil {
		return 0, err
	}
	m.others = append(m.others, off)
	return base + uintptr(delta), nil
}

// ring is where the packets of a rank for a target stand; rings is where all of them begin.
func (m *memory) ring(rings int64, target, origin int) uintptr {
	return m.allocation.Base + uintptr(rings+int64(target*m.window.Size()+origin)*fast.PacketRingSize)
}

// close gives the memory back. The last rank to do so gives the allocation back.
func (m *memory) close() {
	m.releaseOthers()
	if m.allocation.Size == 0 {
		return
	}
	s := m.space
	sharers, _ := m.window.Sharers()
	if m.program.Size > 0 {
		s.Remove(m.program.Base)
	}
	m.clearRings()
	if left := atomic.AddUint32(shm.Word32(m.allocation.Base+fast.WindowLeft), 1); left == uint32(sharers) {
		s.config.Segment.Recycle(m.allocation.Base, m.allocation.Off, m.allocation.Size, m.kept)
	}
	s.config.Segment.Part(m.allocation.Base, m.allocation.Off, m.allocation.Size)
}

// abandon gives back the memory of a window that could not be made.
func (m *memory) abandon() {
	m.releaseOthers()
	if m.allocation.Size > 0 {
		m.space.config.Segment.Unmap(m.allocation.Base, m.allocation.Size)
		if _, first := m.window.Sharers(); m.window.Rank() == first {
			m.space.config.Segment.Discard(m.allocation.Off, m.allocation.Size)
		}
	}
}

func (m *memory) releaseOthers() {
	for _, off := range m.others {
		m.space.Detach(off)
	}
}

// clearRings makes the packets zero that this rank has sent, so that the rings may be used again.
func (m *memory) clearRings() {
	for i := range m.window.Targets {
		for k := uint32(0); k < fast.RingPackets && m.window.Targets[i].Ring != 0; k++ {
			if p := fast.PacketAt(m.window.Targets[i].Ring, k); atomic.LoadUint32(&p.State) != 0 {
				clear(shm.Bytes(m.window.Targets[i].Ring+uintptr(k)*fast.PacketStride, fast.PacketStride))
			}
		}
	}
}
