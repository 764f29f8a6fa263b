package mpi

import (
	"gompi/runtime/check"
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// GOMPI_CHECK=buffers in partitioned communication: each partition is an operation from its MPI_Pready on.
// The memory of a receive is its own until the first partition is found to have come.

// partitionedSend is the memory of a send in n partitions.
type partitionedSend struct {
	buffer datatype.Buffer
	n      int
	ready  []*check.Operation
}

// notePartitions follows the check of the arguments of the call that the thread is in.
func notePartitions(b datatype.Buffer, n int, writes bool) {
	c := call()
	if c == nil || c.operation == nil {
		return
	}
	c.operation.Text = c.text(spelled(b))
	if !writes && !c.noDest {
		c.parts = &partitionedSend{buffer: b, n: n}
	} else if writes && !c.noSource {
		c.use("buf", "", true, b)
		c.operation.Uses = c.buffered
	}
}

// relaidPartitions follows it when the operation of a request, which has not begun, gets another buffer.
func relaidPartitions(handle uintptr, b datatype.Buffer) {
	k := checking.Load()
	if k == nil {
		return
	}
	switch t := k.tracked(handle); {
	case t == nil:
	case t.parts != nil:
		t.parts.buffer = b
	case len(t.operation.Uses) > 0:
		t.operation.Uses[0].Memory = check.MemoryOf(b)
	}
}

// readyPartitions comes before the partitions of a send are said to be ready.
func readyPartitions(r *request.Request, low, high int) {
	k := checking.Load()
	if k == nil {
		return
	}
	t := k.tracked(requestHandle(r))
	if t == nil || t.parts == nil || low < 0 || high >= t.parts.n || t.running == nil {
		return
	}
	p := t.parts
	each := p.buffer.Count / int64(p.n)
	b := p.buffer.Slice(int64(low)*each, int64(high-low+1)*each)
	o := &check.Operation{Place: k.here(), Text: t.running.Text,
		Uses: []check.Use{{Name: "a partition", Sealed: true, Memory: check.MemoryOf(b)}}}
	k.under(o, true)
	k.mu.Lock()
	p.ready = append(p.ready, o)
	k.mu.Unlock()
}
