package fast

import "sync/atomic"

// Numeric is one of the types without a name that Fortran's kinds of numbers stand for. They are never freed,
// and the same arguments give the same handle (MPI 5.0, 19.1.9). Go makes them.
type Numeric struct {
	Combiner int32 // MPI_COMBINER_F90_REAL, ...
	P, R     int32
	Handle   uintptr
	Next     uintptr // address of the next one of its bucket
}

// NumericTable is those that there are.
type NumericTable struct {
	Numerics [numericBuckets]uintptr // address of the first one
}

const numericBuckets = 64

// Combiners of these types (MPI 5.0, 5.1.13).
const (
	CombinerF90Real    int32 = 113
	CombinerF90Complex int32 = 114
	CombinerF90Integer int32 = 115
)

// numericBucket is the bucket for these arguments.
func numericBucket(combiner, p, r int32) uint32 {
	return uint32(p*8+r*4+combiner) % numericBuckets
}

// NumericType is the handle of the type with these arguments; 0 where there is none yet.
func (t *NumericTable) NumericType(combiner, p, r int32) uintptr {
	at := atomic.LoadUintptr(&t.Numerics[numericBucket(combiner, p, r)])
	for at != 0 {
		n := numericAt(at)
		if n.Combiner == combiner && n.P == p && n.R == r {
			return n.Handle
		}
		at = n.Next
	}
	return 0
}

// giveNumeric gives the program the type with these arguments.
func (t *NumericTable) giveNumeric(combiner, p, r int32, datatype uintptr) bool {
	h := t.NumericType(combiner, p, r)
	if h == 0 || datatype < Lowest {
		return false
	}
	*wordAt(datatype) = h
	return true
}

// TypeCreateF90Integer is MPI_Type_create_f90_integer.
func TypeCreateF90Integer(e *Endpoint, r int32, datatype uintptr) bool {
	return e != nil && e.giveNumeric(CombinerF90Integer, 0, r, datatype)
}

// TypeCreateF90Real is MPI_Type_create_f90_real.
func TypeCreateF90Real(e *Endpoint, p, r int32, datatype uintptr) bool {
	return e != nil && e.giveNumeric(CombinerF90Real, p, r, datatype)
}

// TypeCreateF90Complex is MPI_Type_create_f90_complex.
func TypeCreateF90Complex(e *Endpoint, p, r int32, datatype uintptr) bool {
	return e != nil && e.giveNumeric(CombinerF90Complex, p, r, datatype)
}
