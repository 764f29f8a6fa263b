package mpi

import (
	"fmt"
	"hash/crc32"
	"slices"
	"sync"

	"gompi/runtime/check"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/rma"
	"gompi/runtime/tool"
	"gompi/shm"
)

// GOMPI_CHECK=windows: accesses that conflict. Each origin notes what it does. With MPI_Win_fence and
// MPI_Win_free the targets learn of it, and compare.

// watched is what is known of a window.
type watched struct {
	*checks
	w    *rma.Window
	comm *comm.Comm // of the library's own

	mu        sync.Mutex
	accesses  [][]*check.Access    // of this rank since they were told last, by target
	pending   []pending            // those of them that nothing has completed, by target
	origins   [][]*check.Operation // whose memory they may use until their target is synchronized, by target
	exposures []exposure
	posted    uint64          // by shm.Now, when the exposure that is open began; 0 for none
	noPut     check.Place     // the last fence, if it has said that nobody will update this rank's memory
	told      []*check.Access // to this rank's memory, in the epoch that ends
}

// pending is accesses that nothing has completed, but for some whose requests have been.
type pending struct{ reads, updates []*check.Access }

// exposure is the time between MPI_Win_post and MPI_Win_wait.
type exposure struct{ posted, ended uint64 }

// Bounds: accesses of one origin to one target that are kept, and pieces of one access.
const (
	mostAccesses = 1 << 16
	mostSpans    = 1 << 12
)

// watchWindow follows the making of a window, on all ranks. It returns the error that this has ended with.
func watchWindow(w *rma.Window, c *comm.Comm, err error) error {
	k := checking.Load()
	if k == nil || err != nil || k.kinds&(tool.CheckWindows|tool.CheckBuffers) == 0 {
		return err
	}
	own, failed := registry().DupBare(c, c.Origin)
	if failed != nil {
		return nil // the program will hear of what is wrong when it communicates
	}
	own.SetName(c.Name()) // for reports of hangs, which know no other one
	x := &watched{checks: k, w: w, comm: own, accesses: make([][]*check.Access, w.Size()),
		pending: make([]pending, w.Size()), origins: make([][]*check.Operation, w.Size())}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.windows[w] = x
	return nil
}

// watchedWindow is what is known of a window; nil when nothing is looked for.
func watchedWindow(w *rma.Window) *watched {
	k := checking.Load()
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.windows[w]
}

// accessing is an operation of a window under way.
type accessing struct {
	*watched
	access check.Access
	target int
	call   *noted
	data   datatype.Buffer // of a put or get without gaps; no type for others
}

// access comes before an operation. f is that of an accumulate; nil for others, whose updates go with all.
func access(w *rma.Window, kind check.AccessKind, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	data datatype.Buffer) *accessing {
	x := watchedWindow(w)
	if x == nil || uint(rank) >= uint(w.Size()) {
		return nil
	}
	n := call()
	a := &accessing{watched: x, target: rank, call: n, access: check.Access{Origin: w.Rank(), Kind: kind,
		Exposed: w.Started(), Text: n.Spell(n.place),
		Args: fmt.Sprintf("%s at displacement %d", spelled(datatype.Buffer{Count: count, Type: t}), disp)}}
	if n.operation != nil {
		n.operation.Text += fmt.Sprintf(", rank %d of window %q", rank, w.Label())
	}
	switch {
	case f == nil:
		a.access.Op = check.AnyOp
	case f.Handle() == opNoOp:
		a.access.Kind = check.Fetch
	default:
		a.access.Op, a.access.Type = f.Handle(), t.Uniform().Handle()
	}
	unit := w.Unit(rank)
	t.Runs(0, count*t.Size(), func(off, size int64) bool {
		a.access.Spans = append(a.access.Spans, check.Span{At: disp*unit + off, N: size})
		return len(a.access.Spans) <= mostSpans
	})
	if len(a.access.Spans) == 1 && data.Contiguous() {
		a.data = data
	}
	return a
}

// sumOf is a checksum that is the same in all processes.
func sumOf(b []byte) uint64 { return uint64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))) }

// uses notes the single elements that an operation has in the place of buffers.
func (a *accessing) uses(t *datatype.Type, result uintptr, origins ...uintptr) {
	if a == nil {
		return
	}
	for _, addr := range origins {
		a.call.use("origin_addr", "", false, datatype.Buffer{Addr: addr, Count: 1, Type: t})
	}
	a.call.use("result_addr", "", true, datatype.Buffer{Addr: result, Count: 1, Type: t})
	a.call.begin(0)
}

// did follows the operation.
func (a *accessing) did(err error) error {
	if a == nil || err != nil {
		return err
	}
	// The time is that of the end, so that nobody who has waited for the operation seems to meet it.
	a.access.Begun, a.access.Ended = shm.Now(), check.Pending
	if len(a.access.Spans) > mostSpans {
		a.access.Spans = nil
	}
	if b := a.data; b.Type != nil && (a.access.Kind == check.Read || a.access.Kind == check.Write) {
		n := min(b.Bytes(), a.access.Spans[0].N)
		a.access.Sum, a.access.Summed = sumOf(shm.Bytes(b.Start(), n)), true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.accesses[a.target]
	if len(list) == mostAccesses {
		list = slices.Delete(list, 0, mostAccesses/2)
	}
	a.accesses[a.target] = append(list, &a.access)
	if p := &a.pending[a.target]; a.access.Kind.Reads() {
		p.reads = append(live(p.reads), &a.access)
	} else {
		p.updates = append(live(p.updates), &a.access)
	}
	if o := a.call.operation; o != nil {
		a.call.held = true
		o.SealWritten() // the data of a get is there, and must stay as it is
		if a.call.request == 0 {
			a.origins[a.target] = append(a.origins[a.target], o)
		} else {
			a.call.accessing = a
		}
	}
	return nil
}

// live is a list of accesses without what has ended or is too old to be told, when there are many.
func live(list []*check.Access) []*check.Access {
	if len(list) < 2*mostAccesses {
		return list
	}
	list = slices.DeleteFunc(list, func(a *check.Access) bool { return a.Ended != check.Pending })
	return slices.Delete(list, 0, max(0, len(list)-mostAccesses))
}

// completed follows a call that has found the request of the operation complete: at the origin, and so at the
// target if it reads alone (MPI 5.0, 12.3.5).
func (a *accessing) completed() {
	a.mu.Lock()
	if a.access.Kind.Reads() && a.access.Ended == check.Pending {
		a.access.Ended = shm.Now()
	}
	a.mu.Unlock()
	a.compareWritten(a.call.operation)
}

// compareWritten tells of memory that an operation has written and the program has changed before the
// operation was complete.
func (k *checks) compareWritten(o *check.Operation) {
	if c := o.Changed(true); c != nil {
		k.Report(tool.CheckBuffers.Name(), k.here(), o.Place,
			"%[2]s of %[1]s (%[3]s) was changed before the operation was complete", c.Name, o.Text)
	}
}

// anyTarget stands for all of them.
const anyTarget = -1

// settles comes before a call that completes the operations on a target: at the origin, and at the target
// as well unless local is set.
func settles(w *rma.Window, rank int, local bool) *watched {
	x := watchedWindow(w)
	if x == nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	now := shm.Now()
	for target := range x.pending {
		if rank != anyTarget && rank != target {
			continue
		}
		p := &x.pending[target]
		end(&p.reads, now)
		if !local {
			end(&p.updates, now)
		}
	}
	return x
}

// end notes that accesses have ended, and empties their list.
func end(list *[]*check.Access, now uint64) {
	for _, a := range *list {
		if a.Ended == check.Pending {
			a.Ended = now
		}
	}
	*list = nil
}

// settled follows that call: the buffers are the program's again.
func (x *watched) settled(rank int, err error) error {
	if x == nil || err != nil {
		return err
	}
	var over []*check.Operation
	x.mu.Lock()
	for target, list := range x.origins {
		if rank == anyTarget || rank == target {
			over = append(over, list...)
			x.origins[target] = nil
		}
	}
	x.mu.Unlock()
	for _, o := range over {
		x.ended(o)
		x.compareWritten(o)
	}
	return err
}

// posts follows MPI_Win_post.
func posts(w *rma.Window, err error) error {
	if x := watchedWindow(w); x != nil && err == nil {
		x.mu.Lock()
		x.posted = shm.Now()
		x.mu.Unlock()
	}
	return err
}

// closes follows MPI_Win_wait.
func closes(w *rma.Window, done bool, err error) error {
	if x := watchedWindow(w); x != nil && err == nil && done {
		x.mu.Lock()
		x.exposures = append(x.exposures, exposure{x.posted, shm.Now()})
		x.posted = 0
		x.mu.Unlock()
	}
	return err
}
