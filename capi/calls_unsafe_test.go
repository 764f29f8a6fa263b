package main

import (
	"strings"
	"testing"
	"unsafe"

	"gompi/mpi"
)

// The calls are made as C makes them: by the exports, with addresses and handles as numbers. Package
// variables do not move, so their addresses may be numbers for a while.
var (
	data, other [64]int32
	requests    [40]uintptr
	statuses    [40]status
	flag, index int32
	wide        int64
	text        [512]byte // MPI_MAX_ERROR_STRING
	errh        uintptr
)

func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// status is MPI_Status.
type status struct {
	_, tag, _ int32
	_         [5]int32
}

// Handles of the standard ABI, and one of the form that those of requests have.
const (
	opNull         = 0x20
	opSum          = 0x21
	opBitAnd       = 0x28
	commNull       = 0x100
	commWorld      = 0x101
	commSelf       = 0x102
	errhandlerNull = 0x140
	errorsAreFatal = 0x141
	errorsReturn   = 0x143
	requestNull    = 0x180
	typeNull       = 0x200
	typeInt        = 0x209
	typeDouble     = 0x214
	unknownRequest = 1<<29 | 77
)

// begun is set when MPI is initialized.
var begun bool

// startAlone initializes MPI as a job of one, once, and has errors returned.
func startAlone(t *testing.T) {
	t.Helper()
	for _, name := range []string{"PMI_FD", "PMI_PORT", "PMIX_NAMESPACE", "SLURM_NTASKS"} {
		t.Setenv(name, "")
	}
	gompi_prepare_thread()
	if !begun {
		if rc := gompi_Init(0, 0); rc != 0 {
			t.Fatalf("MPI_Init returns %d", rc)
		}
		begun = true
	}
	for _, c := range []uintptr{commWorld, commSelf} {
		if rc := gompi_Comm_set_errhandler(c, errorsReturn); rc != 0 {
			t.Fatalf("MPI_Comm_set_errhandler returns %d", rc)
		}
	}
}

func errorText(code int32) string {
	gompi_Error_string(int64(code), address(&text), address(&index))
	return string(text[:index])
}

func TestBadArguments(t *testing.T) {
	startAlone(t)
	d := address(&data)
	send := func(buf uintptr, count int64, datatype uintptr, dest, tag int64, comm uintptr) func() int32 {
		return func() int32 { return gompi_Send(buf, count, datatype, dest, tag, comm, 0) }
	}
	requests[0] = unknownRequest
	for _, c := range []struct {
		call  func() int32
		class int32
		text  string
	}{
		{send(d, 1, typeInt, 7, 0, commWorld), 6, `MPI_Send: dest: rank 7 is not in communicator "MPI_COMM_WORLD" of size 1 (MPI_ERR_RANK)`},
		{send(d, 1, typeInt, -1, 0, commWorld), 6, "rank -1"},
		{send(d, 1, typeInt, 1<<40, 0, commWorld), 6, "rank 1099511627776"},
		{send(d, 1, typeInt, 0, -2, commWorld), 4, "MPI_Send: tag is -2, must be from 0 to 1073741823"},
		{send(d, 1, typeInt, 0, 1<<30, commWorld), 4, "tag is 1073741824"},
		{send(d, -1, typeInt, 0, 0, commWorld), 2, "MPI_Send: count is -1, must not be negative (MPI_ERR_COUNT)"},
		{send(0, 1, typeInt, 0, 0, commWorld), 1, "MPI_Send: buf is NULL, but count is 1 (MPI_ERR_BUFFER)"},
		{send(1, 1, typeInt, 0, 0, commWorld), 1, "buf is MPI_IN_PLACE"},
		{send(2, 1, typeInt, 0, 0, commWorld), 1, "buf is 0x2"},
		{send(12345, 1, typeInt, 0, 0, commWorld), 1, "MPI_Send: buf: address 0x3038 cannot be read or written (MPI_ERR_BUFFER)"},
		{send(1<<63, 1, typeInt, 0, 0, commWorld), 1, "cannot be read or written"},
		{send(d, 1, typeNull, 0, 0, commWorld), 3, "datatype is MPI_DATATYPE_NULL"},
		{send(d, 1, 0xdeadbeef, 0, 0, commWorld), 3, "datatype: handle 0xdeadbeef is not a datatype, or it has been freed (MPI_ERR_TYPE)"},
		{send(d, 1, typeInt, 0, 0, commNull), 5, "comm is MPI_COMM_NULL"},
		{send(d, 1, typeInt, 0, 0, 0), 5, "comm: handle 0x0 is not a communicator"},
		{send(d, 1, typeInt, 0, 0, typeInt), 5, "comm: handle 0x209 is not a communicator"},
		{func() int32 { return gompi_Recv(d, 1, typeInt, -4, 0, commWorld, 0, 0) }, 6, "source: rank -4"},
		{func() int32 { return gompi_Recv(d, 1, typeInt, -1, -3, commWorld, 0, 0) }, 4, "tag is -3"},
		{func() int32 { return gompi_Bcast(d, 1, typeInt, 1, commWorld, 0) }, 8, "root: rank 1 is not in communicator"},
		{func() int32 { return gompi_Bcast(1, 1, typeInt, 0, commWorld, 0) }, 1, "buffer is MPI_IN_PLACE"},
		{func() int32 { return gompi_Allreduce(d, address(&other), 1, typeDouble, opBitAnd, commWorld, 0) },
			10, "op MPI_BAND does not accept elements of type MPI_DOUBLE"},
		{func() int32 { return gompi_Allreduce(d, address(&other), 1, typeInt, opNull, commWorld, 0) }, 10,
			"op is MPI_OP_NULL"},
		{func() int32 { return gompi_Allreduce(d, 1, 1, typeInt, opSum, commWorld, 0) }, 1, "recvbuf is MPI_IN_PLACE"},
		{func() int32 { return gompi_Wait(address(&requests[0]), 0) }, 7, "MPI_Wait: request: handle 0x2000004d"},
		{func() int32 { return gompi_Wait(0, 0) }, 13, "MPI_Wait: request is NULL"},
		{func() int32 { return gompi_Waitall(1, address(&requests[0]), 0) }, 7, "array_of_requests[0]"},
		{func() int32 { return gompi_Waitall(1, 0, 0) }, 13, "array_of_requests is NULL"},
		{func() int32 { return gompi_Waitall(-1, 0, 0) }, 2, "count is -1"},
		{func() int32 { return gompi_Get_count(0, typeInt, address(&wide), 0) }, 13, "MPI_STATUS_IGNORE"},
		{func() int32 { return gompi_Type_size(typeInt, 0, 0) }, 13, "MPI_Type_size: size is NULL (MPI_ERR_ARG)"},
		{func() int32 { return gompi_Comm_set_errhandler(commWorld, errhandlerNull) }, 61, "errhandler: handle 0x140"},
		{func() int32 { return gompi_Error_string(99999, address(&text), address(&index)) }, 13, "errorcode 99999 is no error code"},
	} {
		rc := c.call()
		got := errorText(rc)
		if rc != c.class || !strings.Contains(got, c.text) {
			t.Errorf("returns %d, %s\n        want %d, %s", rc, got, c.class, c.text)
		}
	}
}

func TestNullBufferOfNothing(t *testing.T) {
	startAlone(t)
	if rc := gompi_Send(0, 0, typeInt, -3, 0, commWorld, 0); rc != 0 {
		t.Errorf("an empty message from NULL fails: %s", errorText(rc))
	}
}

// pingSelf sends a message to this process by nonblocking calls and checks what arrives.
func pingSelf(t *testing.T) {
	a, b := address(&data), address(&other)
	data[0]++
	rcs := [...]int32{
		gompi_Irecv(b, 1, typeInt, 0, 3, commSelf, address(&requests[0]), 0),
		gompi_Isend(a, 1, typeInt, 0, 3, commSelf, address(&requests[1]), 0),
		gompi_Wait(address(&requests[0]), address(&statuses[0])),
		gompi_Test(address(&requests[1]), address(&flag), 0),
	}
	if rcs != [4]int32{} || flag != 1 || requests[0] != requestNull || requests[1] != requestNull ||
		other[0] != data[0] || statuses[0].tag != 3 {
		t.Fatalf("codes %v, flag %d, requests %#x, got %d for %d, status %v", rcs, flag, requests[:2], other[0], data[0], statuses[0])
	}
}

func TestNoAllocation(t *testing.T) {
	startAlone(t)
	all := func() {
		for i := range requests {
			gompi_Irecv(address(&other[i]), 1, typeInt, 0, int64(i), commSelf, address(&requests[i]), 0)
		}
		for i := range requests {
			gompi_Send(address(&data[i]), 1, typeInt, 0, int64(i), commSelf, 0)
		}
		if rc := gompi_Waitall(int64(len(requests)), address(&requests), address(&statuses)); rc != 0 {
			t.Fatal(errorText(rc))
		}
	}
	for name, f := range map[string]func(){"Isend, Irecv, Wait, Test": func() { pingSelf(t) }, "Send, Waitall": all} {
		f()
		if n := testing.AllocsPerRun(200, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestStaleRequest(t *testing.T) {
	startAlone(t)
	gompi_Irecv(address(&other), 1, typeInt, 0, 0, commSelf, address(&requests[0]), 0)
	copyOf := requests[0]
	gompi_Send(address(&data), 1, typeInt, 0, 0, commSelf, 0)
	if rc := gompi_Wait(address(&requests[0]), 0); rc != 0 {
		t.Fatal(errorText(rc))
	}
	requests[0] = copyOf
	if rc := gompi_Wait(address(&requests[0]), 0); rc != 7 {
		t.Errorf("waiting for a freed request returns %d", rc)
	}
}

func TestErrhandlerReferences(t *testing.T) {
	startAlone(t)
	const function = 0x1000 // never called
	if rc := gompi_Comm_create_errhandler(function, address(&errh)); rc != 0 {
		t.Fatal(errorText(rc))
	}
	first := errh
	gompi_Comm_set_errhandler(commSelf, first)
	defer gompi_Comm_set_errhandler(commSelf, errorsReturn)
	gompi_Errhandler_free(address(&errh))
	if rc := gompi_Comm_set_errhandler(commWorld, first); errh != errhandlerNull || rc != 61 {
		t.Errorf("after MPI_Errhandler_free the handle is %#x, and the old one gives %d", errh, rc)
	}
	gompi_Comm_get_errhandler(commSelf, address(&errh))
	if rc := gompi_Comm_set_errhandler(commSelf, errh); rc != 0 {
		t.Error("MPI_Comm_get_errhandler does not give the handler back")
	}
	if rc := gompi_Errhandler_free(address(&errh)); rc != 0 {
		t.Error(errorText(rc))
	}
	errh = errorsAreFatal
	rc := gompi_Errhandler_free(address(&errh))
	if rc != 0 || gompi_Comm_set_errhandler(commSelf, errorsAreFatal) != 0 {
		t.Error("a predefined error handler can be freed")
	}
}

// TestPanics checks that a bug below does not reach C.
func TestPanics(t *testing.T) {
	startAlone(t)
	rc := func() (rc int32) {
		a := mpi.Args{Name: "MPI_Test"}
		defer a.Leave(&rc)
		panic("a bug")
	}()
	if got := errorText(rc); rc != 17 || !strings.Contains(got, "MPI_Test: internal error of gompi: a bug") {
		t.Errorf("code %d, %s", rc, got)
	}
}
