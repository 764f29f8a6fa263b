package main

// #include <stdint.h>
// #include "callback.h"
import "C"

import "gompi/mpi"

// callbacks are the program's functions (mpi.Callbacks).
type callbacks struct{}

// The stubs know two results of exports that are no error codes.
var (
	_ = [1]struct{}{}[C.GOMPI_CALLED-mpi.CodeCalled]
	_ = [1]struct{}{}[C.GOMPI_AGAIN-mpi.CodeAgain]
)

// A function that goes along with an operation is told what for.
var (
	_ = [1]struct{}{}[C.GOMPI_FOLLOW_BEGIN-mpi.FollowBegin]
	_ = [1]struct{}{}[C.GOMPI_FOLLOW_END-mpi.FollowEnd]
	_ = [1]struct{}{}[C.GOMPI_FOLLOW_RELEASE-mpi.FollowRelease]
)

// fromBool is a C int that says yes or no.
func fromBool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

func attributeResult(c C.struct_gompi_callback) mpi.AttributeResult {
	return mpi.AttributeResult{Asked: c.asked != 0, Code: int32(c.code), Copied: uintptr(c.copied),
		Flag: c.flag != 0}
}

func (callbacks) Caller() mpi.Caller {
	var integers C.int
	table := C.gompi_callers_now(&integers)
	return mpi.Caller{Table: uintptr(table), Integers: integers != 0}
}

func (callbacks) CopyAttribute(f mpi.Function, handle uintptr, keyval int,
	extra, value uintptr) mpi.AttributeResult {
	return attributeResult(C.gompi_call_copy(C.uintptr_t(f.By), C.uintptr_t(f.Addr), C.uintptr_t(handle),
		C.int(keyval), C.uintptr_t(extra), C.uintptr_t(value)))
}

func (callbacks) DeleteAttribute(f mpi.Function, handle uintptr, keyval int,
	value, extra uintptr) mpi.AttributeResult {
	return attributeResult(C.gompi_call_delete(C.uintptr_t(f.By), C.uintptr_t(f.Addr), C.uintptr_t(handle),
		C.int(keyval), C.uintptr_t(value), C.uintptr_t(extra)))
}

func (callbacks) SetHandler(function, handle uintptr, code int32) {
	C.gompi_set_handler(C.uintptr_t(function), C.uintptr_t(handle), C.int(code))
}

func (callbacks) Reduce(function, in, inout uintptr, count int, datatype uintptr) {
	C.gompi_call_op(C.uintptr_t(function), C.uintptr_t(in), C.uintptr_t(inout), C.int(count),
		C.uintptr_t(datatype))
}

func (callbacks) ReduceLarge(function, in, inout uintptr, count int64, datatype uintptr) {
	C.gompi_call_op_large(C.uintptr_t(function), C.uintptr_t(in), C.uintptr_t(inout), C.int64_t(count),
		C.uintptr_t(datatype))
}

func (callbacks) DatarepExtent(f mpi.Function, datatype, extra uintptr) (extent int64, code int) {
	var n C.int64_t
	code = int(C.gompi_call_extent(C.uintptr_t(f.By), C.uintptr_t(f.Addr), C.uintptr_t(datatype), &n,
		C.uintptr_t(extra)))
	return int64(n), code
}

func (callbacks) DatarepConvert(f mpi.Function, wide bool, buf, datatype uintptr, count int64,
	file, extra uintptr) (code int) {
	return int(C.gompi_call_conversion(C.uintptr_t(f.By), C.uintptr_t(f.Addr), fromBool(wide),
		C.uintptr_t(buf), C.uintptr_t(datatype), C.int64_t(count), C.uintptr_t(file), 0, C.uintptr_t(extra)))
}

func (callbacks) QueryRequest(f mpi.Function, extra uintptr) (status [8]int32, code int32) {
	q := C.gompi_call_query(C.uintptr_t(f.By), C.uintptr_t(f.Addr), C.uintptr_t(extra))
	for i := range status {
		status[i] = int32(q.status[i])
	}
	return status, int32(q.code)
}

func (callbacks) FreeRequest(f mpi.Function, extra uintptr) (code int32) {
	return int32(C.gompi_call_free(C.uintptr_t(f.By), C.uintptr_t(f.Addr), C.uintptr_t(extra)))
}

func (callbacks) CancelRequest(f mpi.Function, extra uintptr, complete bool) (code int32) {
	return int32(C.gompi_call_cancel(C.uintptr_t(f.By), C.uintptr_t(f.Addr), C.uintptr_t(extra),
		fromBool(complete)))
}

func (callbacks) Follow(function, arg uintptr, what int) {
	C.gompi_call_follower(C.uintptr_t(function), C.uintptr_t(arg), C.int(what))
}

//export gompi_follow_request
func gompi_follow_request(request, function, arg uintptr) (rc int32) {
	a := mpi.Args{Name: "gompi_follow"}
	defer a.Leave(&rc)
	mpi.Follow(request, function, arg)
	return 0
}

//export gompi_lay_out_request
func gompi_lay_out_request(request, buf uintptr, count int64, datatype uintptr) (rc int32) {
	a := mpi.Args{Name: "gompi_lay_out"}
	defer a.Leave(&rc)
	if err := mpi.LayOut(request, buf, count, datatype); err != nil {
		return a.Done(err)
	}
	return 0
}

// Callbacks of events must stand nothing: they are called outside of all locks.
const requireNone = 0 // MPI_T_CB_REQUIRE_NONE

func (callbacks) TellEvent(function, instance, registration, userData uintptr) {
	C.gompi_call_event(C.uintptr_t(function), C.uintptr_t(instance), C.uintptr_t(registration), requireNone,
		C.uintptr_t(userData))
}

func (callbacks) TellDropped(function uintptr, count int64, registration, userData uintptr) {
	C.gompi_call_event_dropped(C.uintptr_t(function), C.int64_t(count), C.uintptr_t(registration), 0,
		requireNone, C.uintptr_t(userData))
}

func (callbacks) TellFreed(function, registration, userData uintptr) {
	C.gompi_call_event_free(C.uintptr_t(function), C.uintptr_t(registration), requireNone,
		C.uintptr_t(userData))
}
