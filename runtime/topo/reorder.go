package topo

import "gompi/runtime/comm"

// A grid that may be reordered (MPI 5.0, 8.5.1) is cut into equal blocks of neighbouring points, one for each
// node, where that takes fewer neighbours apart than the order of the ranks does.

// reordered is the rank of c at each point of a grid, in row-major order; nil when the order of the ranks is
// as good. All ranks draw the same conclusion.
func reordered(c *comm.Comm, dims []int) []int32 {
	l := c.Layout()
	n := 1
	for _, d := range dims {
		n *= d
	}
	if l == nil || !l.Even || n != c.Size() {
		return nil
	}
	block := bestBlock(dims, l.Size(0))
	if block == nil {
		return nil
	}
	table := make([]int32, n)
	at := make([]int, len(dims))
	for point := range table {
		coordinates(point, dims, at)
		node, seat := 0, 0
		for i, x := range at {
			node = node*(dims[i]/block[i]) + x/block[i]
			seat = seat*block[i] + x%block[i]
		}
		table[point] = l.Ranks(node)[seat]
	}
	before := apart(dims, func(point int) int { return l.NodeOf(point) })
	if apart(dims, func(point int) int { return l.NodeOf(int(table[point])) }) >= before {
		return nil
	}
	return table
}

// coordinates writes where a point of a grid is.
func coordinates(point int, dims, at []int) {
	for i := len(dims) - 1; i >= 0; i-- {
		at[i] = point % dims[i]
		point /= dims[i]
	}
}

// apart is the number of pairs of neighbours that are on different nodes.
func apart(dims []int, node func(point int) int) int {
	n, stride := 1, 1
	for _, d := range dims {
		n *= d
	}
	pairs := 0
	for i := len(dims) - 1; i >= 0; i-- {
		for point := range n {
			if point/stride%dims[i] < dims[i]-1 && node(point) != node(point+stride) {
				pairs++
			}
		}
		stride *= dims[i]
	}
	return pairs
}

// bestBlock is the size in each dimension of blocks of k points that a grid can be cut into, those that
// cut the fewest pairs of neighbours; nil when it cannot.
func bestBlock(dims []int, k int) []int {
	var best []int
	least := 0
	block, n := make([]int, len(dims)), 1
	for _, d := range dims {
		n *= d
	}
	var try func(i, left int)
	try = func(i, left int) {
		if i == len(dims) {
			if left != 1 {
				return
			}
			cut := 0
			for j, b := range block {
				cut += (dims[j]/b - 1) * (n / dims[j])
			}
			if best == nil || cut < least {
				best, least = append([]int{}, block...), cut
			}
			return
		}
		for b := 1; b <= min(left, dims[i]); b++ {
			if left%b == 0 && dims[i]%b == 0 {
				block[i] = b
				try(i+1, left/b)
			}
		}
	}
	try(0, k)
	return best
}
