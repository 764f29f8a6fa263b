package mpi

import (
	"slices"
	"sync"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// Type constructors (MPI 5.0, 5.1.2 to 5.1.4 and 19.1.9).

func TypeContiguous(count int64, t *datatype.Type, wide bool) (uintptr, error) {
	return newType(datatype.Contiguous(count, t, datatype.Large(wide)))
}

func TypeVector(count, n, stride int64, t *datatype.Type, wide bool) (uintptr, error) {
	return newType(datatype.Vector(count, n, stride, t, datatype.Large(wide)))
}

func TypeCreateHvector(count, n, stride int64, t *datatype.Type, wide bool) (uintptr, error) {
	return newType(datatype.Hvector(count, n, stride, t, datatype.Large(wide)))
}

func TypeIndexed(count int64, n, displs IntArray, t *datatype.Type) (uintptr, error) {
	var lengths, places few
	return newType(datatype.Indexed(n.list(&lengths, count), displs.list(&places, count), t,
		datatype.Large(n.Wide)))
}

func TypeCreateHindexed(count int64, n, displs IntArray, t *datatype.Type) (uintptr, error) {
	var lengths, places few
	return newType(datatype.Hindexed(n.list(&lengths, count), displs.list(&places, count), t,
		datatype.Large(n.Wide)))
}

func TypeCreateIndexedBlock(count, n int64, displs IntArray, t *datatype.Type) (uintptr, error) {
	var places few
	return newType(datatype.IndexedBlock(n, displs.list(&places, count), t, datatype.Large(displs.Wide)))
}

func TypeCreateHindexedBlock(count, n int64, displs IntArray, t *datatype.Type,
	wide bool) (uintptr, error) {
	var places few
	return newType(datatype.HindexedBlock(n, displs.list(&places, count), t, datatype.Large(wide)))
}

func TypeCreateStruct(count int64, n, displs IntArray, types TypeArray) (uintptr, error) {
	list, err := types.list("array_of_types", count)
	if err != nil {
		return 0, err
	}
	var lengths, places few
	return newType(datatype.Struct(n.list(&lengths, count), displs.list(&places, count), list,
		datatype.Large(n.Wide)))
}

func TypeCreateResized(t *datatype.Type, lb, extent int64, wide bool) (uintptr, error) {
	return newType(datatype.Resized(t, lb, extent, datatype.Large(wide)))
}

func TypeCreateSubarray(ndims int, sizes, subsizes, starts IntArray, order int,
	t *datatype.Type) (uintptr, error) {
	n := int64(ndims)
	var a, b, c few
	return newType(datatype.Subarray(sizes.list(&a, n), subsizes.list(&b, n), starts.list(&c, n), order, t,
		datatype.Large(sizes.Wide)))
}

func TypeCreateDarray(size, rank, ndims int, sizes, how, args, procs IntArray, order int,
	t *datatype.Type) (uintptr, error) {
	dist := make([]datatype.Distribution, ndims)
	for i := range dist {
		dist[i] = datatype.Distribution{Size: sizes.at(i), How: int(how.at(i)), Arg: int(args.at(i)),
			Procs: int(procs.at(i))}
	}
	return newType(datatype.Darray(size, rank, dist, order, t, datatype.Large(sizes.Wide)))
}

// numericTypes are the types without a name that Fortran's kinds of numbers stand for. They are never freed,
// and the same arguments give the same handle (MPI 5.0, 19.1.9).
var numericTypes struct {
	mu      sync.Mutex
	handles map[numericType]uintptr
	of      map[*datatype.Type]uintptr
}

type numericType struct {
	combiner datatype.Combiner
	p, r     int
}

func numericHandle(c datatype.Combiner, p, r int, t *datatype.Type, err error) (uintptr, error) {
	if err != nil {
		return 0, err
	}
	numericTypes.mu.Lock()
	defer numericTypes.mu.Unlock()
	key := numericType{c, p, r}
	if h := numericTypes.handles[key]; h != 0 {
		return h, nil
	}
	h, err := newType(t, nil)
	if err != nil {
		return 0, err
	}
	if numericTypes.handles == nil {
		numericTypes.handles, numericTypes.of = map[numericType]uintptr{}, map[*datatype.Type]uintptr{}
	}
	numericTypes.handles[key], numericTypes.of[t] = h, h
	if e := recording(); e != nil {
		e.AddNumeric(int32(c), int32(p), int32(r), h)
	}
	return h, nil
}

func TypeCreateF90Integer(r int) (uintptr, error) {
	t, err := datatype.F90Integer(r)
	return numericHandle(datatype.CombinerF90Integer, 0, r, t, err)
}

func TypeCreateF90Real(p, r int) (uintptr, error) {
	t, err := datatype.F90Real(p, r)
	return numericHandle(datatype.CombinerF90Real, p, r, t, err)
}

func TypeCreateF90Complex(p, r int) (uintptr, error) {
	t, err := datatype.F90Complex(p, r)
	return numericHandle(datatype.CombinerF90Complex, p, r, t, err)
}

func TypeMatchSize(class, size int) (uintptr, error) {
	t, err := datatype.MatchSize(class, size)
	if err != nil {
		return 0, err
	}
	return uintptr(t.Handle()), nil
}

// TypeGetValueIndex finds the predefined pairs; there are no others (MPI 5.0, 5.1.2).
func TypeGetValueIndex(value, index *datatype.Type) (uintptr, error) {
	if t := datatype.ValueIndexOf(value, index); t != nil {
		return uintptr(t.Handle()), nil
	}
	return TypeNull, nil
}

// How a type was made (MPI 5.0, 5.1.13).

func TypeGetEnvelope(t *datatype.Type,
	wide bool) (integers, addresses, counts, types int64, combiner int, err error) {
	c := t.Contents()
	if err := readable(&c, wide); err != nil {
		return 0, 0, 0, 0, 0, err
	}
	return int64(len(c.Integers)), int64(len(c.Addresses)), int64(len(c.Counts)), int64(len(c.Types)),
		int(c.Combiner), nil
}

// readable refuses to tell a type with large counts by the functions that have no place for them.
func readable(c *datatype.Contents, wide bool) error {
	if len(c.Counts) > 0 && !wide {
		return mpierr.New(mpierr.ErrType, "datatype was made by a large-count constructor: the _c twin of this function is needed")
	}
	return nil
}

func TypeGetContents(t *datatype.Type, maxIntegers, maxAddresses, maxCounts, maxTypes int64,
	integers, addresses, counts IntArray, types TypeArray, wide bool) error {
	c := t.Contents()
	if c.Combiner == datatype.CombinerNamed {
		return mpierr.New(mpierr.ErrType, "datatype is %s, which is predefined and has no contents", t.Name())
	}
	if err := readable(&c, wide); err != nil {
		return err
	}
	for _, l := range []struct {
		name string
		max  int64
		n    int
	}{{"max_integers", maxIntegers, len(c.Integers)}, {"max_addresses", maxAddresses, len(c.Addresses)},
		{"max_large_counts", maxCounts, len(c.Counts)}, {"max_datatypes", maxTypes, len(c.Types)}} {
		if l.max < int64(l.n) {
			return mpierr.New(mpierr.ErrArg, "%s is %d, but there are %d", l.name, l.max, l.n)
		}
	}
	for i, v := range c.Integers {
		integers.set(i, v)
	}
	for i, v := range c.Addresses {
		addresses.set(i, v)
	}
	for i, v := range c.Counts {
		counts.set(i, v)
	}
	lasting := checking.Load() == nil
	for i, old := range c.Types {
		h, err := contentHandle(old)
		if err != nil {
			return err
		}
		types.set(i, h)
		lasting = lasting && old.Predefined()
	}
	if lasting {
		noteContents(t, &c)
	}
	return nil
}

// noteContents lets the C stubs tell of contents for which no handle is made.
func noteContents(t *datatype.Type, c *datatype.Contents) {
	all := slices.Concat(c.Integers, c.Addresses, c.Counts)
	for _, old := range c.Types {
		h, _ := contentHandle(old)
		all = append(all, int64(h))
	}
	library.Load().process.Endpoint.SetContents(typeReference(t), all)
}

// contentHandle is a handle for a type of which another was made: a new one for a derived type (MPI 5.0,
// 5.1.13).
func contentHandle(t *datatype.Type) (uintptr, error) {
	if t.Handle() != 0 {
		return uintptr(t.Handle()), nil
	}
	if t.Predefined() {
		numericTypes.mu.Lock()
		defer numericTypes.mu.Unlock()
		return numericTypes.of[t], nil
	}
	return newType(t.Clone(), nil)
}
