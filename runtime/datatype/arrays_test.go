package datatype

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// index is the coordinates of element i of an array, the fastest dimension's neighbours next to each other.
func index(i int64, sizes []int64, order int) []int64 {
	x := make([]int64, len(sizes))
	for k := range sizes {
		d := k
		if order == OrderC {
			d = len(sizes) - 1 - k
		}
		x[d], i = i%sizes[d], i/sizes[d]
	}
	return x
}

// chosen is the reference of an array type: the elements of an array of r for which own says yes.
func chosen(r reference, sizes []int64, order int, own func(x []int64) bool) reference {
	all := int64(1)
	for _, s := range sizes {
		all *= s
	}
	var l layout
	for i := range all {
		if own(index(i, sizes, order)) {
			l.block(r, 1, i*r.extent())
		}
	}
	a := l.reference()
	a.lb, a.ub, a.marked = 0, all*r.extent(), true
	return a
}

func agree(t *rapid.T, typ *Type, want reference) {
	if typ.size != want.size() || typ.lb != want.lb || typ.extent != want.extent() {
		t.Fatalf("size %d, lb %d, extent %d; want %d, %d, %d", typ.size, typ.lb, typ.extent, want.size(), want.lb, want.extent())
	}
	where := want.bytes(1)
	lo, hi := want.span(1)
	mem := fill(hi-lo+1, 7)
	stream := make([]byte, len(where))
	b := Buffer{Addr: addressOf(mem) - uintptr(lo), Count: 1, Type: typ}
	if n := b.Pack(0, stream); n != len(where) {
		t.Fatalf("Pack = %d, want %d", n, len(where))
	}
	for i, w := range where {
		if stream[i] != mem[w-lo] {
			t.Fatalf("byte %d of the stream is not that at %d", i, w)
		}
	}
}

func TestSubarraysAreCutAsTheStandardSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := drawType(t, 1)
		var sizes, sub, starts []int64
		for range rapid.IntRange(1, 4).Draw(t, "dimensions") {
			size := rapid.Int64Range(1, 4).Draw(t, "size")
			n := rapid.Int64Range(1, size).Draw(t, "subsize")
			sizes, sub = append(sizes, size), append(sub, n)
			starts = append(starts, rapid.Int64Range(0, size-n).Draw(t, "start"))
		}
		order := rapid.SampledFrom([]int{OrderC, OrderFortran}).Draw(t, "order")
		typ, err := Subarray(sizes, sub, starts, order, old.Type, false)
		agree(t, must(t, typ, err), chosen(old.ref, sizes, order, func(x []int64) bool {
			for d := range x {
				if x[d] < starts[d] || x[d] >= starts[d]+sub[d] {
					return false
				}
			}
			return true
		}))
	})
}

func TestDistributedArraysAreDealtOutAsTheStandardSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := drawBasic(t)
		var dist []Distribution
		var sizes []int64
		size := 1
		for range rapid.IntRange(1, 3).Draw(t, "dimensions") {
			x := Distribution{Size: rapid.Int64Range(1, 9).Draw(t, "size"),
				Procs: rapid.IntRange(1, 3).Draw(t, "processes"), Arg: DistributeDefaultArg}
			x.How = rapid.SampledFrom([]int{DistributeNone, DistributeBlock, DistributeCyclic}).Draw(t, "distribution")
			if x.How == DistributeNone {
				x.Procs = 1
			}
			if x.How != DistributeNone && rapid.Bool().Draw(t, "argument") {
				least := 1
				if x.How == DistributeBlock {
					least = (int(x.Size)-1)/x.Procs + 1
				}
				x.Arg = rapid.IntRange(least, least+3).Draw(t, "block")
			}
			dist, sizes, size = append(dist, x), append(sizes, x.Size), size*x.Procs
		}
		order := rapid.SampledFrom([]int{OrderC, OrderFortran}).Draw(t, "order")
		total := int64(0)
		for rank := range size {
			where := make([]int64, len(dist))
			for d, r := len(dist)-1, rank; d >= 0; d-- {
				where[d], r = int64(r%dist[d].Procs), r/dist[d].Procs
			}
			typ, err := Darray(size, rank, dist, order, old.Type, false)
			total += must(t, typ, err).size
			agree(t, typ, chosen(old.ref, sizes, order, func(x []int64) bool {
				for d := range x {
					n, err := dist[d].blockLength(d)
					if err != nil || x[d]/n%int64(dist[d].Procs) != where[d] {
						return false
					}
				}
				return true
			}))
		}
		for _, s := range sizes {
			total /= s
		}
		if total != old.size {
			t.Fatal("not every element belongs to one process")
		}
	})
}

// The size of a program, not of the type map, is what a type costs.
func TestRegularTypesHaveSmallPrograms(t *testing.T) {
	double := ByHandle(0x214)
	vector, _ := Vector(1_000_000_000, 1, 2, double, false)
	rows, _ := Hvector(1000, 1, 1<<40, vector, false)
	contiguous, _ := Contiguous(1<<40, double, true)
	var displs []int64
	for i := range int64(1000) {
		displs = append(displs, 3*(i%10)+100*(i/10))
	}
	grid, _ := IndexedBlock(2, displs, double, false)
	for _, c := range []struct {
		name  string
		t     *Type
		steps int
	}{{"vector", vector, 1}, {"rows of a vector", rows, 2}, {"contiguous", contiguous, 1}, {"list of a regular grid", grid, 2}} {
		if n := countSteps(c.t.body); n != c.steps {
			t.Errorf("%s: %d steps, want %d", c.name, n, c.steps)
		}
	}
	if !contiguous.dense {
		t.Error("a contiguous type is not dense")
	}
}

func countSteps(body []step) int {
	n := len(body)
	for _, s := range body {
		n += countSteps(s.body)
	}
	return n
}

func TestSizesThatDoNotFitAreRefused(t *testing.T) {
	double := ByHandle(0x214)
	for name, err := range map[string]error{
		"size":   second(Contiguous(1<<61, double, true)),
		"stride": second(Vector(3, 1, 1<<61, double, true)),
		"extent": second(Resized(double, 1<<62, 1<<62, true)),
		"blocks": second(Hindexed([]int64{1 << 60, 1 << 60}, []int64{0, 1 << 62}, double, true)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second(_ *Type, err error) error { return err }

func TestContentsAreInTheOrderOfTheStandard(t *testing.T) {
	double := ByHandle(0x214)
	sub, err := Subarray([]int64{5, 6}, []int64{2, 3}, []int64{1, 0}, OrderC, double, true)
	if err != nil {
		t.Fatal(err)
	}
	c := sub.Contents()
	if !slices.Equal(c.Integers, []int64{2, OrderC}) || !slices.Equal(c.Counts, []int64{5, 6, 2, 3, 1, 0}) ||
		c.Types[0] != double {
		t.Errorf("contents %+v", c)
	}
}
