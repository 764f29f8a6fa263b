package topo

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Balance fills in those of dims that are 0 so that the product of all is nodes, and that what it fills in is
// as close to each other as possible, in falling order (MPI_Dims_create, MPI 5.0, 8.5.2). As close as
// possible means: the largest differs as little as possible from the smallest; where that leaves a choice,
// the smallest is as large as possible, then the second smallest, and so on.
func Balance(nodes int, dims []int) error {
	if nodes <= 0 {
		return mpierr.New(mpierr.ErrArg, "nnodes is %d, must be positive", nodes)
	}
	left, free := nodes, 0
	for i, d := range dims {
		switch {
		case d < 0:
			return mpierr.New(mpierr.ErrDims, "dims[%d] is %d, must not be negative", i, d)
		case d == 0:
			free++
		case left%d != 0:
			return mpierr.New(mpierr.ErrDims, "nnodes is %d, which is no multiple of the product of the dimensions that are given in %v", nodes, dims)
		default:
			left /= d
		}
	}
	if free == 0 {
		if left != 1 {
			return mpierr.New(mpierr.ErrDims, "nnodes is %d, but all dimensions are given, and the product of %v is %d", nodes, dims, nodes/left)
		}
		return nil
	}
	list := make([]int32, len(dims))
	for i, d := range dims {
		list[i] = int32(d)
	}
	fast.BalanceDims(int32(nodes), int32(len(list)), &list[0])
	for i, d := range list {
		dims[i] = int(d)
	}
	return nil
}
