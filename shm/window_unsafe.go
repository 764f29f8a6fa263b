package shm

import "unsafe"

// A window's description begins with its header; the targets and two lists of ranks follow.
const windowHeader = 320

var _ = [1]struct{}{}[(unsafe.Sizeof(Window{})+windowHeader-1)/windowHeader-1]

func windowSize(n int) int64 { return windowHeader + int64(n)*int64(unsafe.Sizeof(Target{})+8) }

// NewWindow makes the description of a window of n ranks, all zero but N and Targets. Free gives it back.
func NewWindow(n int) (*Window, error) {
	mem, err := Private(uintptr(windowSize(n)))
	if err != nil {
		return nil, err
	}
	w := (*Window)(pointer(mem))
	w.N = uint32(n)
	w.Targets = (*Target)(pointer(mem + windowHeader))
	lists := mem + windowHeader + uintptr(n)*unsafe.Sizeof(Target{})
	w.Started, w.Exposed = Word32(lists), Word32(lists+uintptr(n)*4)
	return w, nil
}

// All is the targets by rank.
func (w *Window) All() []Target { return unsafe.Slice(w.Targets, w.N) }

// StartedRanks and ExposedRanks are the ranks of the two epochs.
func (w *Window) StartedRanks() []uint32 { return unsafe.Slice(w.Started, w.Starts) }

// ExposedRanks is StartedRanks for the exposure epoch.
func (w *Window) ExposedRanks() []uint32 { return unsafe.Slice(w.Exposed, w.Exposes) }

// Address is where the description stands, for the C stubs.
func (w *Window) Address() uintptr { return uintptr(unsafe.Pointer(w)) }

// AttributeAddresses are where the values of MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR and MPI_WIN_MODEL stand.
func (w *Window) AttributeAddresses() (size, unit, flavor, model uintptr) {
	return uintptr(unsafe.Pointer(&w.Size)), uintptr(unsafe.Pointer(&w.Unit)), uintptr(unsafe.Pointer(&w.Flavor)), uintptr(unsafe.Pointer(&w.Model))
}

// Free gives the description back.
func (w *Window) Free() { unmap(w.Address(), windowSize(int(w.N))) }

// Next32 is the n-th word behind p.
func Next32(p *uint32, n uint32) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(p), uintptr(n)*4))
}
