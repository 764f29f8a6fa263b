package schedule

import (
	"gompi/runtime/comm"
	"gompi/runtime/p2p"
)

// Root is MPI_ROOT: in an operation between two groups, the rank that is the root says so. The other ranks of
// its group say MPI_PROC_NULL, and those of the other group its rank (MPI 5.0, 6.2.3).
const Root = -4

// Role is what a rank is in an operation with a root.
type Role uint8

const (
	IsPeer Role = iota // one of those that deal with the root
	IsRoot             // the root
	IsIdle             // in the root's group, between two groups
)

// RoleOf tells what this rank is.
func RoleOf(c *comm.Comm, root int) Role {
	switch {
	case !c.Inter() && root == c.Rank() || root == Root:
		return IsRoot
	case root == p2p.ProcNull:
		return IsIdle
	}
	return IsPeer
}
