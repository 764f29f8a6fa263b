package datatype

import "gompi/runtime/mpierr"

// Values of the standard ABI for the constructors of arrays.
const (
	OrderC       = 0xC
	OrderFortran = 0xF

	DistributeNone       = 16
	DistributeBlock      = 17
	DistributeCyclic     = 18
	DistributeDefaultArg = 19
)

// dimensions are the indices of n dimensions, the one whose elements are neighbours in memory first.
func dimensions(n, order int) ([]int, error) {
	dims := make([]int, n)
	for i := range dims {
		switch order {
		case OrderFortran:
			dims[i] = i
		case OrderC:
			dims[i] = n - 1 - i
		default:
			return nil, mpierr.New(mpierr.ErrArg, "order is %d, must be MPI_ORDER_C or MPI_ORDER_FORTRAN", order)
		}
	}
	return dims, nil
}

// Subarray is the part of an array of t that has subsizes[i] elements from starts[i] on in each dimension of
// sizes[i] elements (MPI_Type_create_subarray, MPI 5.0, 5.1.3). Its extent is that of the whole array.
func Subarray(sizes, subsizes, starts []int64, order int, t *Type, large Large) (*Type, error) {
	dims, err := dimensions(len(sizes), order)
	if err != nil {
		return nil, err
	}
	cut := t
	for _, d := range dims {
		if sizes[d] < 1 || subsizes[d] < 1 || subsizes[d] > sizes[d] || starts[d] < 0 ||
			starts[d] > sizes[d]-subsizes[d] {
			return nil, mpierr.New(mpierr.ErrArg, "dimension %d: %d elements from %d on do not lie in %d", d, subsizes[d], starts[d], sizes[d])
		}
		b := build()
		b.block(cut, subsizes[d], b.mul(starts[d], cut.extent))
		b.mark(0, b.mul(sizes[d], cut.extent))
		if cut, err = b.make("MPI_Type_create_subarray", nil); err != nil {
			return nil, err
		}
	}
	c := &Contents{Combiner: CombinerSubarray, Types: []*Type{t}}
	if n := []int64{int64(len(sizes))}; large {
		c.Integers, c.Counts = append(n, int64(order)), list(sizes, subsizes, starts)
	} else {
		c.Integers = list(n, sizes, subsizes, starts, []int64{int64(order)})
	}
	return array(cut, t, c), nil
}

// array is the type with its last dimension done.
func array(cut, t *Type, c *Contents) *Type {
	if cut == t { // no dimension
		cut = Dup(t)
		cut.object.committed = 0
	}
	cut.contents = c
	return cut
}

// Distribution is how MPI_Type_create_darray deals out one dimension of an array.
type Distribution struct {
	Size  int64 // of the array, in elements
	How   int   // DistributeBlock and so on
	Arg   int   // block length, or DistributeDefaultArg
	Procs int   // among so many processes
}

// Darray is the part of an array of t that belongs to a process of a grid (MPI_Type_create_darray, MPI 5.0,
// 5.1.4). The ranks of the grid are in row-major order, whatever the order of the array.
func Darray(size, rank int, dist []Distribution, order int, t *Type, large Large) (*Type, error) {
	dims, err := dimensions(len(dist), order)
	if err != nil {
		return nil, err
	}
	where, err := gridCoordinates(size, rank, dist)
	if err != nil {
		return nil, err
	}
	cut := t
	for _, d := range dims {
		n, err := dist[d].blockLength(d)
		if err != nil {
			return nil, err
		}
		if cut, err = deal(cut, dist[d].Size, n, int64(where[d]), int64(dist[d].Procs)); err != nil {
			return nil, err
		}
	}
	return array(cut, t, darrayContents(size, rank, dist, order, t, large)), nil
}

// gridCoordinates is the coordinates of a rank.
func gridCoordinates(size, rank int, dist []Distribution) ([]int, error) {
	if rank < 0 || rank >= size {
		return nil, mpierr.New(mpierr.ErrArg, "rank %d is not among the %d of the grid", rank, size)
	}
	all := 1
	for d := range dist {
		if p := dist[d].Procs; p < 1 || p > size {
			return nil, mpierr.New(mpierr.ErrArg, "array_of_psizes[%d] is %d, must be from 1 to %d", d, p, size)
		}
		if all *= dist[d].Procs; all > size {
			break
		}
	}
	if all != size {
		return nil, mpierr.New(mpierr.ErrArg, "the grid of array_of_psizes does not have the %d processes of size", size)
	}
	where := make([]int, len(dist))
	for d, left := 0, size; d < len(dist); d++ {
		left /= dist[d].Procs
		where[d], rank = rank/left, rank%left
	}
	return where, nil
}

// blockLength is how many elements of dimension d in a row go to one process.
func (x Distribution) blockLength(d int) (int64, error) {
	arg, procs := int64(x.Arg), int64(x.Procs)
	if x.Size < 1 {
		return 0, mpierr.New(mpierr.ErrArg, "array_of_gsizes[%d] is %d, must be positive", d, x.Size)
	}
	if x.How != DistributeNone && x.Arg != DistributeDefaultArg && arg < 1 {
		return 0, mpierr.New(mpierr.ErrArg, "array_of_dargs[%d] is %d, must be positive or MPI_DISTRIBUTE_DFLT_DARG", d, arg)
	}
	switch x.How {
	case DistributeNone:
		if procs != 1 {
			return 0, mpierr.New(mpierr.ErrArg, "dimension %d is not distributed, but array_of_psizes says %d processes", d, procs)
		}
		return x.Size, nil
	case DistributeBlock:
		least := (x.Size-1)/procs + 1
		if x.Arg == DistributeDefaultArg {
			return least, nil
		}
		if arg < least {
			return 0, mpierr.New(mpierr.ErrArg, "dimension %d: blocks of %d elements for %d processes do not hold %d elements", d, arg, procs, x.Size)
		}
		return arg, nil
	case DistributeCyclic:
		if x.Arg == DistributeDefaultArg {
			return 1, nil
		}
		return arg, nil
	}
	return 0, mpierr.New(mpierr.ErrArg, "array_of_distribs[%d] is %d, which is no distribution", d, x.How)
}

// deal is the elements of t, of size of them, that process p of procs gets when blocks of n are dealt out in
// turn.
func deal(t *Type, size, n, p, procs int64) (*Type, error) {
	b := build()
	if p < (size-1)/n+1 { // there is a block for p
		start, round := p*n, b.mul(n, procs)
		whole := int64(0) // blocks of full length
		if size-start >= n {
			whole = (size-start-n)/round + 1
		}
		rest := min(max(size-start-whole*round, 0), n)
		b.sign(t, whole*n+rest)
		b.bound(t, n, start*t.extent, whole, b.mul(round, t.extent))
		b.bound(t, rest, (start+whole*round)*t.extent, 1, 0)
		if t.size > 0 && whole > 0 {
			u := t.whole().repeated(n, t.extent).repeated(whole, round*t.extent)
			u.off += start * t.extent
			b.steps = append(b.steps, u)
		}
		if t.size > 0 && rest > 0 {
			u := t.whole().repeated(rest, t.extent)
			u.off += (start + whole*round) * t.extent
			b.steps = append(b.steps, u)
		}
	}
	b.mark(0, b.mul(size, t.extent))
	return b.make("MPI_Type_create_darray", nil)
}

func darrayContents(size, rank int, dist []Distribution, order int, t *Type, large Large) *Contents {
	var sizes, how, args, procs []int64
	for _, x := range dist {
		sizes, how = append(sizes, x.Size), append(how, int64(x.How))
		args, procs = append(args, int64(x.Arg)), append(procs, int64(x.Procs))
	}
	c := &Contents{Combiner: CombinerDarray, Types: []*Type{t}}
	head, tail := []int64{int64(size), int64(rank), int64(len(dist))}, []int64{int64(order)}
	if large {
		c.Integers, c.Counts = list(head, how, args, procs, tail), sizes
	} else {
		c.Integers = list(head, sizes, how, args, procs, tail)
	}
	return c
}
