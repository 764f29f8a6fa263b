//fast:go

package fast

import (
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// A window's description begins with its header; the targets and two lists of ranks follow.
const windowHeader = 384

var _ = [1]struct{}{}[(unsafe.Sizeof(Window{})+windowHeader-1)/windowHeader-1]

func windowSize(n int) uintptr { return windowHeader + uintptr(n)*(unsafe.Sizeof(Target{})+8) }

// NewWindow makes the description of a window of n ranks, all zero but N and Targets. Free gives it back.
func NewWindow(e *Endpoint, n int) (*Window, error) {
	mem, err := e.arena.get(windowSize(n))
	if err != nil {
		return nil, err
	}
	w := (*Window)(at(mem))
	w.N, w.Endpoint = uint32(n), e
	w.Targets = (*Target)(at(mem + windowHeader))
	lists := mem + windowHeader + uintptr(n)*unsafe.Sizeof(Target{})
	w.Started, w.Exposed = shm.Word32(lists), shm.Word32(lists+uintptr(n)*4)
	return w, nil
}

// winOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func winOf(chunk *Win, i uintptr) *Win {
	return (*Win)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddWindow makes the record of a window, whose handle is w.Handle. An error is a *shm.NoMemory.
func (o *Objects) AddWindow(w Win) error {
	_, err := addRecord(&o.Windows, winOf, w.Handle, w)
	return err
}

// DropWindow ends the record of the window behind a handle. It returns the handle of the group that
// KeepGroup has noted, 0 if none.
func (o *Objects) DropWindow(handle uintptr) (group uintptr) {
	w := o.win(handle)
	if w == nil {
		return 0
	}
	atomic.StoreUintptr(&w.Handle, 0)
	return atomic.LoadUintptr(&w.Group)
}

// Free gives the description back.
func (w *Window) Free() { w.Endpoint.arena.put(uintptr(unsafe.Pointer(w)), windowSize(int(w.N))) }

// Target is a rank of the window's group.
//
//fast:c (&%0->targets[%1])
func (w *Window) Target(r uint32) *Target {
	return (*Target)(unsafe.Add(unsafe.Pointer(w.Targets), uintptr(r)*unsafe.Sizeof(Target{})))
}

// All is the targets by rank.
func (w *Window) All() []Target { return unsafe.Slice(w.Targets, w.N) }

// StartedRanks and ExposedRanks are the ranks of the two epochs.
func (w *Window) StartedRanks() []uint32 { return unsafe.Slice(w.Started, w.Starts) }

// ExposedRanks is StartedRanks for the exposure epoch.
func (w *Window) ExposedRanks() []uint32 { return unsafe.Slice(w.Exposed, w.Exposes) }

// AttributeAddresses are where the values of MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR
// and MPI_WIN_MODEL stand.
func (w *Window) AttributeAddresses() (size, unit, flavor, model uintptr) {
	return uintptr(unsafe.Pointer(&w.Size)), uintptr(unsafe.Pointer(&w.Unit)),
		uintptr(unsafe.Pointer(&w.Flavor)), uintptr(unsafe.Pointer(&w.Model))
}

// BlockSize is the size in bytes of a rank's block in a window of n ranks. Behind the lines of the
// other ranks stand the turns of its lock: uint32 node rank + 1 of the holder of each ticket, by
// ticket modulo BlockTurns.
func BlockSize(n int) uintptr {
	end := BlockLines + uintptr(n)*LineSize + uintptr(BlockTurns(n))*4
	return (end + shm.FalseShare - 1) &^ (shm.FalseShare - 1)
}

// BlockTurns is the number of turns: a power of two, so that tickets may run over, and no less than
// the ranks that can wait at once.
func BlockTurns(n int) uint32 {
	turns := uint32(1)
	for turns < uint32(n) {
		turns <<= 1
	}
	return turns
}

// WindowControlSize is the size in bytes of header and blocks, a multiple of PageSize.
func WindowControlSize(n int) int64 {
	return (WindowHeader + int64(n)*int64(BlockSize(n)) + shm.PageSize - 1) &^ (shm.PageSize - 1)
}

// PacketAt is the packet of that number in the ring at base.
//
//fast:c ((struct fast_packet *)(%0 + (uintptr_t)(%1 % FAST_RING_PACKETS) * FAST_PACKET_STRIDE))
func PacketAt(base uintptr, number uint32) *Packet {
	return (*Packet)(at(base + uintptr(number%RingPackets)*PacketStride))
}

// address is where a packet stands.
//
//fast:c ((uintptr_t)%0)
func (p *Packet) address() uintptr { return uintptr(unsafe.Pointer(p)) }

// rankBit is the set of one rank.
//
//fast:c (UINT64_C(1) << %0)
func rankBit(rank uint32) uint64 { return 1 << rank }

// upTo is the set of the ranks below n, which are 1 to 64.
//
//fast:c (UINT64_MAX >> (64 - %0))
func upTo(n uint32) uint64 { return math.MaxUint64 >> (64 - n) }

// lowest is the lowest rank of a set.
//
//fast:c ((uint32_t)__builtin_ctzll(%0))
func lowest(ranks uint64) uint32 {
	return uint32(bits.TrailingZeros64(ranks))
}

// load32 reads an element at an address of any alignment.
//
//fast:c fast_load32(%0)
func load32(from uintptr) uint32 { return *shm.Word32(from) }

//fast:c fast_load64(%0)
func load64(from uintptr) uint64 { return *shm.Word64(from) }

// copyAll copies n bytes, to where they were in part if the program wants that.
//
//fast:c fast_copy_all(%0, %1, %2)
func copyAll(to, from uintptr, n uint64) { shm.Copy(to, from, int64(n)) }

//fast:c fast_store32(%0, %1)
func store32(to uintptr, v uint32) { *shm.Word32(to) = v }

//fast:c fast_store64(%0, %1)
func store64(to uintptr, v uint64) { *shm.Word64(to) = v }
