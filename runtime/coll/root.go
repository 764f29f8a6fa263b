package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/p2p"
)

// Root is MPI_ROOT: in an operation between two groups, the rank that is the root says so. The other ranks of
// its group say MPI_PROC_NULL, and those of the other group its rank (MPI 5.0, 6.2.3).
const Root = -4

// part is what a rank is in an operation with a root.
type part uint8

const (
	peer  part = iota // one of those that deal with the root
	chief             // the root
	idle              // in the root's group, between two groups
)

// partOf tells what this rank is.
func partOf(c *comm.Comm, root int) part {
	switch {
	case !c.Inter() && root == c.Rank() || root == Root:
		return chief
	case root == p2p.ProcNull:
		return idle
	}
	return peer
}
