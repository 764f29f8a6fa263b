package fast

import (
	"testing"

	"gompi/shm"
)

// Calls with MPI_PROC_NULL are carried out here, whatever the size, and leave nothing behind.
func TestProcNull(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	const comm, dense = uintptr(0x101), FirstType + 7
	addComm(t, e, Comm{Handle: comm, Ctx: 3, Rank: 0, Size: 1, Targets: 1, Stride: 1})
	e.Sizes[dense-FirstType] = 4
	e.Open, e.Eager, e.MostEager = Opened, 1<<16, MaxMessage
	words := make([]byte, 256)
	buf := shm.Address(words)

	var status Status
	nothing := func(call string, how Reason) {
		t.Helper()
		if how != Done {
			t.Errorf("%s: %v", call, how)
		}
		if status.Source != ProcNull || status.Tag != AnyTag || status.Internal[0]|status.Internal[1] != 0 {
			t.Errorf("%s: status %+v", call, status)
		}
		status = Status{Source: 5, Tag: 5, Internal: [5]int32{5, 5}}
	}
	if how := Send(e, buf, 64, dense, ProcNull, 1, comm); how != Done {
		t.Errorf("send: %v", how)
	}
	nothing("receive", Recv(e, buf, 64, dense, ProcNull, AnyTag, comm, &status))
	nothing("both", Sendrecv(e, buf, 64, dense, ProcNull, 1, buf, 64, dense, ProcNull, 1, comm, &status))
	nothing("probe", Probe(e, ProcNull, 1, comm, &status))
	flag := int32(0)
	nothing("iprobe", Iprobe(e, ProcNull, 1, comm, &flag, &status))
	if flag != 1 {
		t.Error("iprobe finds nothing")
	}
	var requests [3]uintptr
	var statuses [3]Status
	for call, how := range []Reason{
		Isend(e, buf, 64, dense, ProcNull, 1, comm, &requests[0]),
		Irecv(e, buf, 64, dense, ProcNull, 1, comm, &requests[1]),
		Isendrecv(e, buf, 64, dense, ProcNull, 1, buf, 64, dense, ProcNull, 1, comm, &requests[2]),
	} {
		if how != Done {
			t.Fatalf("nonblocking call %d: %v", call, how)
		}
	}
	if how := Waitall(e, 3, &requests[0], &statuses[0]); how != Done {
		t.Fatalf("wait: %v", how)
	}
	for i, want := range []int32{AnySource, ProcNull, ProcNull} {
		if statuses[i].Source != want || statuses[i].Internal[0] != 0 || requests[i] != NullRequest {
			t.Errorf("request %d: handle %x, status %+v", i, requests[i], statuses[i])
		}
	}
	for i := range uint32(len(requests)) {
		if e.Request(i).State != Free {
			t.Errorf("request %d is not free", i)
		}
	}
	if e.Posted != 0 || e.Sent != 0 {
		t.Errorf("%d posted, %d sent", e.Posted, e.Sent)
	}
	if how := Send(e, buf, 64, dense, -7, 1, comm); how == Done {
		t.Error("a rank that is none is sent to")
	}
}
