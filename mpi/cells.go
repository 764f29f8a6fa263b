package mpi

import (
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Access to what the program's pointers name: scalars, arrays, handles and statuses, in the layout of the
// standard ABI. No other file knows these layouts; another ABI needs another version of this one.

// cStatus is MPI_Status: internal[0] and [1] are the number of bytes, low half first, [2] is 1 when
// cancelled.
type cStatus struct {
	source, tag, err int32
	internal         [5]int32
}

// CallStatus is the status of one call, in no ABI's layout.
type CallStatus = request.Status

// PutStatus writes a status but for its error field, which calls with one status leave alone (MPI 5.0, 3.2.5)
// unless it is that of a null request.
func PutStatus(addr uintptr, st *request.Status) {
	if addr == 0 {
		return // MPI_STATUS_IGNORE
	}
	s := cStatus{source: st.Source, tag: st.Tag, err: loadInt32(addr + 8)}
	s.internal[0], s.internal[1] = int32(st.Bytes), int32(st.Bytes>>32)
	if st.Cancelled {
		s.internal[2] = 1
	}
	if st.WithError {
		s.err = st.Error
	}
	storeStatus(addr, s)
}

func getStatus(addr uintptr) request.Status { return loadStatus(addr).decoded() }

func (s cStatus) decoded() request.Status {
	return request.Status{Source: s.source, Tag: s.tag, Error: s.err, Cancelled: s.internal[2] != 0,
		Bytes: int64(uint32(s.internal[0])) | int64(s.internal[1])<<32}
}

// StatusArray is an array of statuses, 0 for MPI_STATUSES_IGNORE.
type StatusArray uintptr

const statusSize = 32

func (a StatusArray) ignored() bool { return a == 0 }

// set writes element i. Its error field counts where a call fails with MPI_ERR_IN_STATUS alone (MPI 5.0,
// 3.7.5), but programs look at it elsewhere as well, so it is MPI_SUCCESS there.
func (a StatusArray) set(i int, st *request.Status, withError bool) {
	if a == 0 {
		return
	}
	addr := uintptr(a) + uintptr(i)*statusSize
	PutStatus(addr, st)
	code := int32(0)
	if withError {
		code = st.Error
	}
	storeInt32(addr+8, code)
}

// IntArray is an array of int, or of int64 when wide.
type IntArray struct {
	Addr uintptr
	Wide bool
}

// IntSize is the size of an element of such an array.
func IntSize(wide bool) uintptr {
	if wide {
		return 8
	}
	return 4
}

func (a IntArray) set(i int, v int64) {
	if a.Wide {
		StoreInt64(a.Addr+uintptr(i)*8, v)
	} else {
		storeInt32(a.Addr+uintptr(i)*4, int32(v))
	}
}

// IntCell is an int that a call reads and writes; 0 when the program passed NULL.
type IntCell uintptr

// A handle fills a pointer.
const (
	handleSize  = 8
	requestNull = 0x180
)

// RequestCell is a request handle that a call may take away.
type RequestCell uintptr

// load is the request that the cell names; nil for MPI_REQUEST_NULL.
func (c RequestCell) load() (*request.Request, error) {
	h := LoadWord(uintptr(c))
	if h == requestNull {
		return nil, nil
	}
	if r := lookupRequest(h); r != nil {
		return r, nil
	}
	return nil, badHandle(mpierr.ErrRequest, "request", h, "an active or inactive request")
}

func (c RequestCell) clear() { StoreWord(uintptr(c), requestNull) }

// RequestArray is an array of request handles.
type RequestArray uintptr

func (a RequestArray) at(i int) RequestCell { return RequestCell(uintptr(a) + uintptr(i)*handleSize) }

func PutRequest(addr uintptr, r *request.Request) { StoreWord(addr, requestHandle(r)) }

func PutErrh(addr, handle uintptr) { StoreWord(addr, handle) }

// ErrhCell is an error handler's handle that a call may take away.
type ErrhCell uintptr

// TypeCell is a datatype handle that a call may take away.
type TypeCell uintptr

// Results go to addresses that may be 0 where the standard lets the program ignore them.

func PutInt(addr uintptr, v int) {
	if addr != 0 {
		storeInt32(addr, int32(v))
	}
}

func PutInt64(addr uintptr, v int64) {
	if addr != 0 {
		StoreInt64(addr, v)
	}
}

// PutCount writes an int64 when wide, otherwise an int: MPI_UNDEFINED where that is too small (MPI 5.0,
// 3.2.5).
func PutCount(addr uintptr, v int64, wide bool) {
	if wide {
		PutInt64(addr, v)
		return
	}
	if v != int64(int32(v)) {
		v = undefined
	}
	PutInt(addr, int(v))
}

func PutFlag(addr uintptr, v bool) {
	if v {
		PutInt(addr, 1)
	} else {
		PutInt(addr, 0)
	}
}

func PutAddress(addr, value uintptr) {
	if addr != 0 {
		StoreWord(addr, value)
	}
}

// Room for strings, the final zero included (MPI 5.0, A.1.1).
const (
	MaxErrorString          = 512
	MaxLibraryVersionString = 8192
	MaxObjectName           = 128
	MaxProcessorName        = 256
	MaxPortName             = jobs.MaxPort
)

// PutText writes s, cut where it does not fit into room bytes, and its length without the final zero.
func PutText(addr uintptr, room int, length uintptr, s string) {
	if len(s) > room-1 {
		s = s[:room-1]
	}
	m := memory(addr, len(s)+1)
	copy(m, s)
	m[len(s)] = 0
	PutInt(length, len(s))
}
