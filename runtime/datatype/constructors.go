package datatype

import (
	"gompi/runtime/mpierr"
)

// The constructors of MPI 5.0, 5.1.2. large says that the large-count twin was called, which shows in the
// contents. They fail with MPI_ERR_ARG where an argument is impossible.

// Contiguous is count elements of t (MPI_Type_contiguous).
func Contiguous(count int64, t *Type, large Large) (*Type, error) {
	b := build()
	b.blocks(t, count, 1, 0)
	return b.make("MPI_Type_contiguous", b.few(large, CombinerContiguous, 1, t, count))
}

// Vector is count blocks of n elements of t; stride is the distance between blocks in elements
// (MPI_Type_vector).
func Vector(count, n, stride int64, t *Type, large Large) (*Type, error) {
	b := build()
	b.blocks(t, n, count, b.mul(stride, t.extent))
	return b.make("MPI_Type_vector", b.few(large, CombinerVector, 3, t, count, n, stride))
}

// Hvector is Vector with the distance in bytes (MPI_Type_create_hvector).
func Hvector(count, n, stride int64, t *Type, large Large) (*Type, error) {
	b := build()
	b.blocks(t, n, count, stride)
	return b.make("MPI_Type_create_hvector", b.few(large, CombinerHvector, 2, t, count, n, stride))
}

// Indexed is blocks of n[i] elements of t, displs[i] extents of t from the begin (MPI_Type_indexed).
func Indexed(n, displs []int64, t *Type, large Large) (*Type, error) {
	b := buildRuns(len(n))
	for i := range n {
		if err := length(i, n[i]); err != nil {
			return nil, err
		}
		if n[i] > 0 { // the displacement of nothing may be anything
			b.block(t, n[i], b.mul(displs[i], t.extent))
		}
	}
	return b.make("MPI_Type_indexed", large.contents(CombinerIndexed, list([]int64{int64(len(n))}, n, displs), nil, t))
}

// Hindexed is Indexed with the displacements in bytes (MPI_Type_create_hindexed).
func Hindexed(n, displs []int64, t *Type, large Large) (*Type, error) {
	b := buildRuns(len(n))
	for i := range n {
		if err := length(i, n[i]); err != nil {
			return nil, err
		}
		b.block(t, n[i], displs[i])
	}
	return b.make("MPI_Type_create_hindexed", large.contents(CombinerHindexed, list([]int64{int64(len(n))}, n), list(displs), t))
}

// IndexedBlock is Indexed with blocks of equal length (MPI_Type_create_indexed_block).
func IndexedBlock(n int64, displs []int64, t *Type, large Large) (*Type, error) {
	b := buildRuns(len(displs))
	for _, d := range displs {
		b.block(t, n, b.mul(d, t.extent))
	}
	return b.make("MPI_Type_create_indexed_block", large.contents(CombinerIndexedBlock,
		list([]int64{int64(len(displs)), n}, displs), nil, t))
}

// HindexedBlock is Hindexed with blocks of equal length (MPI_Type_create_hindexed_block).
func HindexedBlock(n int64, displs []int64, t *Type, large Large) (*Type, error) {
	b := buildRuns(len(displs))
	for _, d := range displs {
		b.block(t, n, d)
	}
	return b.make("MPI_Type_create_hindexed_block", large.contents(CombinerHindexedBlock, []int64{int64(len(displs)), n}, list(displs), t))
}

// Struct is blocks of n[i] elements of types[i], displs[i] bytes from the begin (MPI_Type_create_struct). Its
// extent is rounded up as a C compiler does for a struct.
func Struct(n, displs []int64, types []*Type, large Large) (*Type, error) {
	b := buildRuns(len(n))
	if len(n) > cap(b.parts) {
		b.parts = make([]part, 0, len(n))
	}
	for i := range n {
		if err := length(i, n[i]); err != nil {
			return nil, err
		}
		b.block(types[i], n[i], displs[i])
	}
	b.pad()
	return b.make("MPI_Type_create_struct", large.contents(CombinerStruct, list([]int64{int64(len(n))}, n), list(displs), types...))
}

func length(i int, n int64) error {
	if n < 0 {
		return mpierr.New(mpierr.ErrArg, "array_of_blocklengths[%d] is %d, must not be negative", i, n)
	}
	return nil
}

// Resized is t with the lower bound and the extent given (MPI_Type_create_resized, MPI 5.0, 5.1.7).
func Resized(t *Type, lb, extent int64, large Large) (*Type, error) {
	b := build()
	b.block(t, 1, 0)
	b.mark(lb, extent)
	return b.make("MPI_Type_create_resized", b.few(large, CombinerResized, 0, t, lb, extent))
}
