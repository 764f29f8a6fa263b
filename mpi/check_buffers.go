package mpi

import (
	"fmt"
	"slices"
	"strings"

	"gompi/runtime/check"
	"gompi/runtime/coll/partition"
	"gompi/runtime/datatype"
	"gompi/runtime/request"
	"gompi/runtime/tool"
)

// GOMPI_CHECK=buffers: memory that operations under way use.

// uses notes a buffer of the call. names are those of its parameters, with spaces between.
func (a *Args) uses(names string, b datatype.Buffer, writes bool) {
	name := fields(names)[0]
	if a.absent {
		return
	}
	if a.noted.blocksOf == nil {
		a.noted.blocksOf = map[string]datatype.Buffer{}
	}
	a.noted.blocksOf[name] = b
	writes = writes || name == "recvbuf" // the root may pass MPI_IN_PLACE there, like what is read elsewhere
	if n := a.noted.blocks(a, name); n != 1 {
		b = b.Slice(0, int64(n)*b.Count)
	}
	a.noted.use(name, spelled(b), writes, b)
}

func (a *Args) usesBlocks(name string, b *partition.Blocks, n int, writes bool) {
	all := make([]datatype.Buffer, n)
	for i := range all {
		all[i] = b.Of(i)
	}
	a.noted.use(name, "", writes, all...)
}

func (n *noted) use(name, data string, writes bool, buffers ...datatype.Buffer) {
	if n.data == "" {
		n.data = data
	}
	if n.kinds.Has(tool.CheckBuffers) {
		u := check.Use{Name: name, Writes: writes, Memory: check.MemoryOf(buffers...)}
		n.buffered = append(n.buffered, u)
	}
}

// spelled is the extent of a buffer: "100 MPI_INT".
func spelled(b datatype.Buffer) string {
	name := b.Type.Label()
	if name == "" {
		name = b.Type.Name()
	}
	return fmt.Sprintf("%d %s", b.Count, name)
}

// base is the name of an operation without what tells how it is called: "allgather".
func base(function string) string {
	name, _ := strings.CutPrefix(function, "MPI_")
	name = strings.TrimSuffix(name, "_init")
	if rest, ok := strings.CutPrefix(name, "I"); ok {
		name = rest
	}
	return strings.ToLower(name)
}

// blocks is how many blocks of its count a buffer consists of.
func (n *noted) blocks(a *Args, name string) int {
	if n.comm == nil {
		return 1
	}
	switch f := base(a.Name); {
	case name == "recvbuf" && (f == "allgather" || f == "gather" || f == "alltoall"),
		name == "sendbuf" && (f == "scatter" || f == "alltoall"):
		return n.comm.Targets()
	case name == "sendbuf" && f == "reduce_scatter_block":
		return n.comm.Size()
	case name == "recvbuf" && (f == "neighbor_allgather" || f == "neighbor_alltoall"):
		return a.Indegree(n.comm)
	case name == "sendbuf" && f == "neighbor_alltoall":
		return a.Outdegree(n.comm)
	}
	return 1
}

// Begin follows the checks of the arguments: the operation comes next. request is the address of the handle
// that the call returns, 0 if it returns none.
func (a *Args) Begin(request uintptr) {
	if a.noted != nil {
		a.noted.begin(request)
	}
}

func (n *noted) begin(request uintptr) {
	n.request = request
	n.persistent = strings.Contains(n.place.Function, "_init")
	n.buffered = slices.DeleteFunc(n.buffered, func(u check.Use) bool {
		return u.Writes && n.noSource || !u.Writes && n.noDest // nothing is done with the memory
	})
	n.operation = &check.Operation{Place: n.place, Text: n.text(n.data), Uses: n.buffered}
	for i := range n.buffered {
		// What a receive has found no message for yet nobody writes to; collective operations may write
		// at any time.
		n.buffered[i].Sealed = !n.buffered[i].Writes || n.receives
	}
	if !n.persistent {
		n.within = n.under(n.operation, request != 0 || n.window)
	}
}

// under notes that an operation is under way, and tells what it must not overlap. It returns what tells of an
// overlap within the operation; nil when there is none.
func (k *checks) under(o *check.Operation, lasts bool) (within func()) {
	c, found := k.buffers.Begin(o, lasts)
	if !found {
		return nil
	}
	if c.With == o {
		return func() { k.overlapsItself(o, c) }
	}
	k.unguard(c.With)
	k.Report(tool.CheckBuffers.Name(), o.Place, c.With.Place,
		"%[2]s (%[3]s) overlaps %[4]s of %[1]s (%[5]s), which is not complete", c.Own.Name, o.Text,
		c.Other.Name, c.With.Text)
	return nil
}

func (k *checks) overlapsItself(o *check.Operation, c check.Conflict) {
	name := tool.CheckBuffers.Name()
	switch c.Own {
	case c.Other:
		k.Report(name, o.Place, check.Place{}, "parts of %s (%s) overlap", c.Own.Name, o.Text)
	default:
		k.Report(name, o.Place, check.Place{}, "%s (%s) overlaps %s of the same call", c.Own.Name, o.Text, c.Other.Name)
	}
}

// writes notes that the call is about to write n bytes, which are no message.
func (n *noted) writes(name string, addr uintptr, bytes int64) {
	if !n.kinds.Has(tool.CheckBuffers) {
		return
	}
	if o := n.buffers.Touch(check.MemoryOf(datatype.Raw(addr, bytes))); o != nil {
		n.unguard(o)
		n.Report(tool.CheckBuffers.Name(), n.place, o.Place,
			"%[2]s overlaps a buffer of %[1]s (%[3]s), which is not complete", name, o.Text)
	}
}

// settle follows the operation: with a request it goes on. An overlap of its own that it has refused it has
// told of itself.
func (n *noted) settle(rc int32) {
	o := n.operation
	if rc == 0 && n.within != nil {
		n.within()
	}
	if rc == 0 {
		n.compareLater()
	}
	if rc == 0 && n.held && n.request == 0 {
		return
	}
	if rc != 0 || n.request == 0 {
		n.release(o)
		return
	}
	t := &tracked{operation: o, persistent: n.persistent, parts: n.parts, receives: n.receives,
		accessing: n.accessing}
	if !n.persistent {
		t.running = o
	}
	handle := LoadWord(n.request)
	n.track(handle, t)
	n.guard(handle, t)
}

// matched follows a receive that has found its message, whose data has not been moved yet. The engine's lock
// is held.
func (k *checks) matched(r *request.Request) {
	k.mu.Lock()
	t := k.requests[requestHandle(r)]
	var o *check.Operation
	if t != nil {
		o = t.running
	}
	k.mu.Unlock()
	if o == nil {
		return
	}
	k.unguard(o)
	if u := o.Changed(true); u != nil {
		k.Report(tool.CheckBuffers.Name(), k.here(), o.Place,
			"%[2]s of %[1]s (%[3]s) was changed before the message came", u.Name, o.Text)
	}
}

// ended follows an operation that a call has found complete: its memory is the program's again.
func (k *checks) ended(o *check.Operation) {
	k.release(o)
	if u := o.Changed(false); u != nil {
		k.Report(tool.CheckBuffers.Name(), k.here(), o.Place,
			"%[2]s of %[1]s (%[3]s) was changed before the operation was complete", u.Name, o.Text)
	}
}
