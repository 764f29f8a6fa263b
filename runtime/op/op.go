// Package op holds the reduction operations (MPI 5.0, 6.9): which types each accepts and how it combines two
// vectors. It knows nothing of communicators or of how the vectors travel.
package op

// Op is one reduction operation.
type Op struct {
	name        string
	commutative bool
}

// Name is the name in mpi.h, "MPI_SUM".
func (o *Op) Name() string { return o.name }

// Commutative tells whether the operands may be exchanged (MPI_Op_commutative).
func (o *Op) Commutative() bool { return o.commutative }
