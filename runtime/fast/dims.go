package fast

// factors are those of a number, in falling order.
type factors struct {
	list   [mostFactors]int32
	most   int32         // no factor of those that are tried is larger
	failed *failureTable // nil where no failure comes twice
}

// mostFactors is more than any int has factors above 1.
const mostFactors = 31

// failureTable is failures, each at the place that its hash says. One gives way to another.
type failureTable struct{ list [failures]failure }

// failure is what is known not to work: to split rest into k factors, none below least or above most.
type failure struct{ rest, k, least, most int32 }

const failures = 256

// From fewest factors on the same failure can come twice.
const fewest = 6

// atLeast reports whether base to the power of k is at least n.
func atLeast(base, k int32, n int64) bool {
	p := int64(1)
	for ; k > 0 && p < n && base > 1; k-- {
		p *= int64(base)
	}
	return p >= n
}

// root is the largest number whose power of k is at most n. Both are positive.
func root(n, k int32) int32 {
	if k == 1 {
		return n
	}
	lo := int32(1)
	hi := int32(2)
	for !atLeast(hi, k, int64(n)+1) {
		lo = hi
		hi *= 2
	}
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if atLeast(mid, k, int64(n)+1) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo
}

// divisorFrom is the smallest divisor of n that is at least d, which is at most n.
func divisorFrom(n, d int32) int32 {
	for ; int64(d)*int64(d) <= int64(n); d++ {
		if n%d == 0 {
			return d
		}
	}
	other := n / d
	for n%other != 0 {
		other--
	}
	return n / other
}

// split splits rest into factors number k to 1, the smallest one first and each as large as possible, none
// below least.
func (f *factors) split(rest, k, least int32) bool {
	if k == 1 {
		f.list[1] = rest
		return rest >= least && rest <= f.most
	}
	at := f.known(rest, k, least)
	if at != nil && at.rest == rest && at.k == k && at.least == least && at.most == f.most {
		return false
	}
	for d := root(rest, k); d >= least && d > 0; d-- {
		other := rest / d
		if !atLeast(f.most, k-1, (int64(rest)+int64(d)-1)/int64(d)) {
			break // what is left is too much for the other factors
		}
		f.list[k] = d
		if other*d == rest && f.split(other, k-1, d) {
			return true
		}
	}
	if at != nil {
		at.rest = rest
		at.k = k
		at.least = least
		at.most = f.most
	}
	return false
}

// known is the place for a failure; nil where none comes twice.
func (f *factors) known(rest, k, least int32) *failure {
	if f.failed == nil {
		return nil
	}
	h := spread(uint32(rest), k, least)
	return &f.failed.list[h>>24]
}

// balance finds k > 1 factors of n > 1 so that the largest differs as little as possible from the
// smallest. Where that leaves a choice, the smallest is as large as possible, then the second smallest, and
// so on.
func (f *factors) balance(n, k int32) {
	trial := factors{failed: f.failed}
	distance := n
	// The larger the largest factor, the smaller the smallest can be: once even the most even way of
	// splitting the rest is no better than the best so far, none after it is.
	for most := root(n-1, k); most < n; {
		most = divisorFrom(n, most+1)
		if most-root(n/most, k-1) > distance {
			break
		}
		trial.most = most
		if trial.split(n/most, k-1, most-distance) {
			*f = trial
			f.list[0] = most
			distance = most - f.list[k-1]
		}
	}
}

// balanceMany is balance where the same failure can come twice.
//
//fast:cold
func (f *factors) balanceMany(n, k int32) {
	table := failureTable{}
	f.failed = &table
	f.balance(n, k)
	f.failed = nil
}

// BalanceDims fills in those of the dimensions that are 0, by factors of a number of nodes, as
// MPI_Dims_create does (MPI 5.0, 8.5.2): as close to each other as possible, in falling order. It reports
// false, and does nothing, where that cannot be.
func BalanceDims(nodes, n int32, dims *int32) bool {
	if nodes <= 0 {
		return false
	}
	free := int32(0)
	for i := int32(0); i < n; i++ {
		d := *intAt(dims, i)
		if d == 0 {
			free++
		} else if d < 0 || nodes%d != 0 {
			return false
		} else {
			nodes /= d
		}
	}
	if free == 0 {
		return nodes == 1
	}
	k := min(free, mostFactors)
	f := factors{}
	f.list[0] = nodes
	if nodes == 1 || k == 1 {
		k = 1
	} else if k < fewest {
		f.balance(nodes, k)
	} else {
		f.balanceMany(nodes, k)
	}
	at := int32(0)
	for i := int32(0); i < n; i++ {
		if *intAt(dims, i) == 0 {
			*intAt(dims, i) = 1
			if at < k {
				*intAt(dims, i) = f.list[at]
			}
			at++
		}
	}
	return true
}

// DimsCreate is MPI_Dims_create.
func DimsCreate(e *Endpoint, nodes, n int32, dims *int32) bool {
	// There are no groups where checks are to see each call.
	return e.groupAt(groupEmpty) != nil && n >= 0 && (n == 0 || !nowhere(dims)) && BalanceDims(nodes, n, dims)
}
