package topo_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gompi/runtime/mpierr"
	"gompi/runtime/topo"
)

// closest tries all ways of writing n as a product of k factors in falling order, none above most, and
// returns the best one as Balance defines it; nil when there is none.
func closest(n, k, most int) []int {
	if k == 0 {
		if n == 1 {
			return []int{}
		}
		return nil
	}
	var best []int
	each(n, k, most, nil, func(found []int) {
		if best == nil || better(found, best) {
			best = slices.Clone(found)
		}
	})
	return best
}

func each(n, k, most int, head []int, f func([]int)) {
	if k == 1 {
		if n <= most {
			f(append(head, n))
		}
		return
	}
	for d := 1; d <= min(n, most); d++ {
		if n%d == 0 {
			each(n/d, k-1, d, append(head, d), f)
		}
	}
}

func better(a, b []int) bool {
	k := len(a)
	if sa, sb := a[0]-a[k-1], b[0]-b[k-1]; sa != sb {
		return sa < sb
	}
	for i := k - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

func TestBalanceFindsTheClosest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(0, 5).Draw(t, "dimensions")
		n := rapid.IntRange(1, 3000).Draw(t, "nodes")
		if rapid.Bool().Draw(t, "round") {
			n = n%16 + 1
			for range rapid.IntRange(0, 8).Draw(t, "factors") {
				n *= rapid.SampledFrom([]int{2, 2, 3, 5}).Draw(t, "factor")
			}
		}
		dims, left := make([]int, k), n
		free := k
		for i := range dims {
			if d := rapid.IntRange(1, 4).Draw(t, "given"); rapid.IntRange(0, 3).Draw(t, "kept") == 0 {
				dims[i] = d
				free--
				if left%d != 0 {
					left = 0
				}
				left /= d
			}
		}
		got := slices.Clone(dims)
		err := topo.Balance(n, got)
		want := []int(nil)
		if left > 0 {
			want = closest(left, free, left)
		}
		if want == nil {
			if mpierr.CodeOf(err) != int(mpierr.ErrDims) || !slices.Equal(got, dims) {
				t.Fatalf("%d nodes, %v: %v, %v", n, dims, got, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%d nodes, %v: %v", n, dims, err)
		}
		for i, d := range dims {
			if d == 0 {
				d, want = want[0], want[1:]
			}
			if got[i] != d {
				t.Fatalf("%d nodes, %v: got %v, want %d at %d", n, dims, got, d, i)
			}
		}
	})
}

// Numbers with very many divisors, large primes and many dimensions must not take long.
func TestBalanceOfLargeNumbers(t *testing.T) {
	for _, n := range []int{2095133040, 1396755360, 1 << 30, 2147483647, 2147483646, 1102701600,
		2 * 1073741789, 1e9} {
		for k := 1; k <= 32; k++ {
			dims := make([]int, k)
			if err := topo.Balance(n, dims); err != nil {
				t.Fatal(err)
			}
			product := 1
			for i, d := range dims {
				product *= d
				if i > 0 && d > dims[i-1] {
					t.Errorf("%d: %v do not fall", n, dims)
				}
			}
			if product != n {
				t.Errorf("the product of %v is %d, want %d", dims, product, n)
			}
		}
	}
}

func TestBalanceRefuses(t *testing.T) {
	for _, c := range []struct {
		n     int
		dims  []int
		class mpierr.Class
	}{
		{0, []int{0}, mpierr.ErrArg}, {-4, []int{0}, mpierr.ErrArg}, {4, []int{-1, 0}, mpierr.ErrDims},
		{7, []int{2, 0}, mpierr.ErrDims}, {8, []int{2, 2}, mpierr.ErrDims}, {2, nil, mpierr.ErrDims},
	} {
		if err := topo.Balance(c.n, c.dims); mpierr.CodeOf(err) != int(c.class) {
			t.Errorf("%d, %v: %v", c.n, c.dims, err)
		}
	}
}
