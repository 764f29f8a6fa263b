package mpi

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"gompi/runtime/check"
	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/rma"
	"gompi/runtime/tool"
	"gompi/shm"
)

// GOMPI_CHECK=windows: what the ranks of a window tell each other when all of them meet.

// most accesses that are held against what the program itself does.
const mostHeld = 2000

// fencing comes before a fence.
func fencing(w *rma.Window, assert int) *watched {
	x := watchedWindow(w)
	if x == nil || w.MayFence(assert) != nil {
		return nil
	}
	x.meet(assert)
	return x
}

// meet tells the targets what this rank has done with their memory since the last time, and compares what it
// is told of its own. All ranks call it.
func (x *watched) meet(assert int) {
	x.mu.Lock()
	mine := x.accesses
	x.accesses = make([][]*check.Access, len(mine))
	x.pending = make([]pending, len(mine))
	x.mu.Unlock()
	x.told = nil
	all, asserts, err := x.exchange(mine, assert)
	if err != nil || !x.kinds.Has(tool.CheckWindows) {
		return
	}
	at, kind := x.here(), tool.CheckWindows.Name()
	for r, other := range asserts {
		if other != int64(assert&(fast.NoPrecede|fast.NoSucceed)) {
			x.Report(kind, at, check.Place{},
				"rank %d in window %q gives %s where this rank gives %s; all have to give these alike",
				r, x.w.Label(), assertions(other), assertions(int64(assert)))
			break
		}
	}
	x.mu.Lock()
	for _, a := range all {
		if a.Exposed {
			a.Ended = x.endOf(a.Ended)
		}
	}
	x.exposures = nil
	x.mu.Unlock()
	check.Conflicts(all, func(a, b *check.Access) {
		if a.Origin > b.Origin || a.Origin == b.Origin && a.Begun > b.Begun {
			a, b = b, a
		}
		both := check.Place{Function: by(a).Function + " and " + by(b).Function}
		x.Report(kind, at, both, "%s access the same memory of rank %d in window %q in one epoch: %s, and %s",
			x.w.Rank(), x.w.Label(), a.Args, b.Args)
	})
	for _, a := range all {
		if x.noPut != (check.Place{}) && !a.Kind.Reads() {
			x.Report(kind, x.noPut, by(a),
				"MPI_MODE_NOPUT is given for window %[2]q, which %[1]s updates in the epoch that follows", x.w.Label())
		}
	}
	x.told = all
}

// by is an access as a place of another rank.
func by(a *check.Access) check.Place {
	return check.Place{Function: fmt.Sprintf("%s by rank %d", a.Text, a.Origin)}
}

// assertions spells those of a fence that all ranks have to give alike.
func assertions(assert int64) string {
	names := []string{"none", "MPI_MODE_NOPRECEDE", "MPI_MODE_NOSUCCEED", "MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED"}
	i := 0
	if assert&fast.NoPrecede != 0 {
		i++
	}
	if assert&fast.NoSucceed != 0 {
		i += 2
	}
	return names[i]
}

// endOf is when the epoch ended in which an origin has completed its accesses.
func (x *watched) endOf(completed uint64) uint64 {
	for _, e := range x.exposures {
		if e.ended >= completed {
			return e.ended
		}
	}
	return check.Pending
}

// exchange sends each target the accesses to it, and returns those to this rank and the assertions of all.
func (x *watched) exchange(mine [][]*check.Access, assert int) (all []*check.Access,
	asserts []int64, err error) {
	n := len(mine)
	out, in := make([]byte, 16*n), make([]byte, 16*n)
	send := partition.Blocks{Counts: make([]int64, n), Displs: make([]int64, n)}
	receive := partition.Blocks{Counts: make([]int64, n), Displs: make([]int64, n)}
	var data []byte
	for target, list := range mine {
		send.Displs[target] = int64(len(data))
		for _, a := range list {
			data = a.AppendTo(data)
		}
		send.Counts[target] = int64(len(data)) - send.Displs[target]
		binary.NativeEndian.PutUint64(out[16*target:], uint64(send.Counts[target]))
		binary.NativeEndian.PutUint64(out[16*target+8:], uint64(assert&(fast.NoPrecede|fast.NoSucceed)))
	}
	err = coll.Alltoall(x.comm, datatype.Raw(shm.Address(out), 16), datatype.Raw(shm.Address(in), 16))
	runtime.KeepAlive(out)
	if err != nil {
		return nil, nil, err
	}
	total := int64(0)
	for r := range n {
		receive.Displs[r], receive.Counts[r] = total, int64(binary.NativeEndian.Uint64(in[16*r:]))
		total += receive.Counts[r]
		asserts = append(asserts, int64(binary.NativeEndian.Uint64(in[16*r+8:])))
	}
	data = append(data, 0) // for its address
	got := make([]byte, total+1)
	send.Buffer, receive.Buffer = datatype.Raw(shm.Address(data), 0), datatype.Raw(shm.Address(got), 0)
	err = coll.Alltoallw(x.comm, &send, &receive)
	runtime.KeepAlive(data)
	if err != nil {
		return nil, nil, err
	}
	for r := range n {
		part := got[receive.Displs[r]:][:receive.Counts[r]]
		all = append(all, check.DecodeAccesses(r, part)...)
	}
	return all, asserts, nil
}

// fenced follows a fence.
func (x *watched) fenced(assert int, err error) error {
	if x == nil {
		return err
	}
	if err == nil {
		x.compare()
		if x.noPut = (check.Place{}); assert&fast.NoPut != 0 {
			x.noPut = x.here()
		}
	}
	// What others do next must not be taken for what the program does itself.
	if failed := coll.Barrier(x.comm); err == nil {
		err = failed
	}
	return err
}

// compare looks for what the program itself has written where others have put or read before, in the epoch
// that ends.
func (x *watched) compare() {
	if f := x.w.Flavor(); f != rma.Create && f != rma.Allocate || len(x.told) > mostHeld {
		return
	}
	now := x.w.Memory()
	for _, a := range x.told {
		if a.Ended != check.Pending || a.Exposed {
			return // other epochs have been there as well
		}
	}
	for _, a := range x.told {
		if !a.Summed || !a.Alone(x.told, true) {
			continue
		}
		s, what := a.Spans[0], "reads"
		if a.Kind == check.Write {
			what = "writes"
		}
		if s.At >= 0 && s.At+s.N <= int64(len(now)) && sumOf(now[s.At:s.At+s.N]) != a.Sum {
			x.Report(tool.CheckWindows.Name(), x.here(), by(a),
				"this rank has itself written to memory of window %[2]q that %[1]s (%[3]s) %[4]s in the same epoch",
				x.w.Label(), a.Args, what)
		}
	}
}

// freeWindow comes before a window is freed, on all ranks; what it returns follows that.
func freeWindow(w *rma.Window) (freed func()) {
	x := watchedWindow(w)
	if x == nil {
		return func() {}
	}
	x.meet(0)
	return func() {
		registry().Free(x.comm)
		x.checks.mu.Lock()
		delete(x.windows, w)
		x.checks.mu.Unlock()
	}
}
