package coll

import (
	"gompi/runtime/coll/node"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
)

// Which part of an operation goes over the nonblocking segment.

// nbcComm is the nonblocking segment for an operation that is written down; nil when there is none for it. A
// part of an operation over several nodes has none.
func (t *Team) nbcComm() *node.Comm {
	if t.operation == nil || t.Context != &t.Comm.Coll || t.Comm.Inter() || t.Size == 1 {
		return nil
	}
	return node.CommOf(t.Comm, nbcLimits)
}

// nbcLimits is how much package fast may deal with on the nonblocking segment of c, by pattern.
func nbcLimits(c *comm.Comm, roomy bool) [fast.Patterns]uint32 {
	return limits(c, &question{at: onNodeNbc, ranks: c.Size(), roomy: roomy})
}

// offerEmpty lets package fast answer operations without data, where the program begins with such ones.
func offerEmpty(c *comm.Comm) {
	if c.Inter() || c.Size() == 1 || c.Recovery.Impaired() {
		return
	}
	if p := node.CommOf(c, nbcLimits); p != nil {
		p.OfferEmpty()
	}
}
