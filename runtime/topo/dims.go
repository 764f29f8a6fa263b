package topo

import (
	"slices"

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
	found := balanced(left, free)
	for i, d := range dims {
		if d == 0 {
			dims[i], found = found[0], found[1:]
		}
	}
	return nil
}

// balanced is k factors of n in falling order, chosen as Balance says.
func balanced(n, k int) []int {
	if k == 1 {
		return []int{n}
	}
	s := splitter{divisors: divisorsOf(n), factors: make([]int, k)}
	var best []int
	spread := n
	// The larger the largest factor, the smaller the smallest can be: once even the most even way of
	// splitting the rest is no better than the best so far, none after it is.
	for _, most := range s.divisors {
		if !atLeast(most, k, n) {
			continue
		}
		if most-root(n/most, k-1) > spread {
			break
		}
		s.factors[0], s.most, s.failed = most, most, nil
		if s.split(n/most, k-1, most-spread) {
			best, spread = slices.Clone(s.factors), most-s.factors[k-1]
		}
	}
	return best
}

// splitter finds factors by trying the divisors.
type splitter struct {
	divisors []int // rising
	factors  []int
	most     int // no factor is larger
	failed   map[failure]bool
}

// failure is what is known not to work: to split rest into k factors, none below least.
type failure struct{ rest, k, least int }

// split splits rest into factors number k to 1, the smallest one first and each as large as possible, none
// below least.
func (s *splitter) split(rest, k, least int) bool {
	if k == 1 {
		s.factors[1] = rest
		return rest >= least && rest <= s.most
	}
	tried := failure{rest, k, least}
	if s.failed[tried] {
		return false
	}
	i, found := slices.BinarySearch(s.divisors, root(rest, k))
	if !found {
		i--
	}
	for ; i >= 0 && s.divisors[i] >= least; i-- {
		d := s.divisors[i]
		if !atLeast(s.most, k-1, (rest+d-1)/d) {
			break // what is left is too much for the other factors
		}
		if s.factors[k] = d; rest%d == 0 && s.split(rest/d, k-1, d) {
			return true
		}
	}
	if s.failed == nil {
		s.failed = map[failure]bool{}
	}
	s.failed[tried] = true
	return false
}

// atLeast reports whether base to the power of k is at least n.
func atLeast(base, k, n int) bool {
	for p := 1; k > 0; k-- {
		if p *= base; p >= n || base <= 1 {
			return p >= n
		}
	}
	return n <= 1
}

// root is the largest number whose power of k is at most n.
func root(n, k int) int {
	lo, hi := 1, n
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		if mid > 1 && atLeast(mid, k, n+1) {
			hi = mid - 1
		} else {
			lo = mid
		}
	}
	return lo
}

// divisorsOf lists the divisors of n in rising order.
func divisorsOf(n int) []int {
	var small, large []int
	for d := 1; d*d <= n; d++ {
		if n%d == 0 {
			small = append(small, d)
			if d*d < n {
				large = append(large, n/d)
			}
		}
	}
	slices.Reverse(large)
	return append(small, large...)
}
