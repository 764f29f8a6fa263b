package p2p_test

import (
	"bytes"
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// comms makes the fast engine know the world of a process, under this handle.
const handle, byteType = 4096, fast.FirstType + 1

// post posts a receive with the fast engine, as the stub of MPI_Irecv does.
func post(t testing.TB, p *runtime.Process, in []byte, src, tag int32) (named uintptr) {
	e, x := p.Endpoint, &p.World.P2P
	if err := e.AddComm(fast.Comm{Handle: handle, Ctx: x.ID, Rank: int32(x.Rank), Targets: uint32(x.Size),
		Base: int32(x.Peers.Base), Stride: int32(x.Peers.Stride)}, fast.CommLists{}, true); err != nil {
		t.Error(err)
	}
	e.Sizes[byteType-fast.FirstType] = 1
	e.Open = fast.Opened
	if how := fast.Irecv(e, shm.Address(in), int32(len(in)), byteType, src, tag, handle,
		&named); how != fast.Done {
		t.Errorf("a receive is not posted: %d", how)
	}
	return named
}

// Receives that the stubs have posted come before all that Go posts later, in their order, and their numbers
// are used again in another generation.
func TestExtendsFastRequests(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank == 1 {
			for i := range 90 {
				if err := e.Send(x, buffer(pattern(100, uint64(i))), 0, 5); err != nil {
					return err
				}
			}
			return nil
		}
		seen := map[uintptr]bool{}
		for round := range 30 {
			in := [3][]byte{make([]byte, 100), make([]byte, 100), make([]byte, 100)}
			buffer(in[0])
			buffer(in[1])
			first, second := post(t, p, in[0], 1, 5), post(t, p, in[1], -1, -2)
			if seen[first] || seen[second] {
				return fmt.Errorf("round %d: a number comes again in the same generation", round)
			}
			seen[first], seen[second] = true, true
			if err := e.Recv(x, buffer(in[2]), 1, 5, nil); err != nil {
				return err
			}
			var st request.Status
			for _, h := range []uintptr{second, first} {
				r := e.Named(h)
				if r == nil {
					return fmt.Errorf("round %d: request %#x is not found", round, h)
				}
				if err := e.Wait(r, &st); err != nil || st.Source != 1 || st.Tag != 5 || st.Bytes != 100 {
					return fmt.Errorf("round %d: %+v, %v", round, st, err)
				}
				if e.Named(h) != nil {
					return fmt.Errorf("round %d: request %#x is there after it was given back", round, h)
				}
			}
			for i := range in {
				if !bytes.Equal(in[i], pattern(100, uint64(3*round+i))) {
					return fmt.Errorf("round %d: receive %d has another message", round, i)
				}
			}
		}
		if n := e.Pool.Live(); n != 0 {
			return fmt.Errorf("%d requests are left", n)
		}
		return nil
	})
	kept.memory = nil
}

// Receives that the stubs have posted stay with them however often Go is asked for them, until a message
// comes for one: that one is Go's, and the others stay.
func TestAskingLeavesReceivesToTheStubs(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank == 1 {
			if err := e.Recv(x, buffer(nil), 0, 9, nil); err != nil {
				return err
			}
			return e.Send(x, buffer(pattern(100, 1)), 0, 5)
		}
		in := [2][]byte{make([]byte, 100), make([]byte, 100)}
		buffer(in[0])
		buffer(in[1])
		handles := buffer(make([]byte, 16)).Addr
		put := func(i uintptr, handle uintptr) { *shm.Word64(handles + 8*i) = uint64(handle) }
		first, second := post(t, p, in[0], 1, 5), post(t, p, in[1], 1, 6)
		put(0, first)
		put(1, second)
		for range 100 {
			if !e.StillPending(2, handles, false) || p.Endpoint.Posted != 2 {
				return fmt.Errorf("%d of 2 receives are left to the stubs before a message comes", p.Endpoint.Posted)
			}
		}
		if err := e.Send(x, buffer(nil), 1, 9); err != nil {
			return err
		}
		for e.StillPending(2, handles, false) {
		}
		if e.StillPending(2, handles, false) || !e.StillPending(1, handles+8, false) ||
			p.Endpoint.Posted != 1 {
			return fmt.Errorf("%d receives are left to the stubs after a message has come for one", p.Endpoint.Posted)
		}
		if put(1, second^1<<fast.IndexBits); e.StillPending(1, handles+8, false) {
			return fmt.Errorf("a receive is found by another generation of its number")
		}
		var st request.Status
		done, err := e.Test(e.Named(first), &st)
		if !done || err != nil || st.Tag != 5 ||
			!bytes.Equal(in[0], pattern(100, 1)) {
			return fmt.Errorf("%v, %+v, %v", done, st, err)
		}
		r := e.Named(second)
		if err := e.Cancel(r); err != nil {
			return err
		}
		return e.Wait(r, &st)
	})
	kept.memory = nil
}
