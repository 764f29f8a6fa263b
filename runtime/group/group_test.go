package group

import (
	"runtime"
	"slices"
	"testing"

	"gompi/runtime/mpierr"
	"pgregory.net/rapid"
)

const jobSize = 12

// draw makes a group in one of the ways that there are.
func draw(t *rapid.T, name string) *Group {
	if rapid.Bool().Draw(t, name+" is a range") {
		stride := rapid.SampledFrom([]int{1, 2, -1, 3}).Draw(t, "stride")
		n := rapid.IntRange(0, 3).Draw(t, "size")
		return Range(rapid.IntRange(3, 5).Draw(t, "base")*2, stride, n)
	}
	p := rapid.Permutation([]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).Draw(t, name)
	return New(slices.Clone(p[:rapid.IntRange(0, jobSize).Draw(t, "size")]))
}

func filter(l []int32, keep func(int32) bool) []int32 {
	out := []int32{}
	for _, v := range l {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}

func in(l []int32) func(int32) bool    { return func(v int32) bool { return slices.Contains(l, v) } }
func notIn(l []int32) func(int32) bool { return func(v int32) bool { return !slices.Contains(l, v) } }

// TestAgainstLists holds the set operations against lists of job ranks.
func TestAgainstLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		la, lb := a.Table(), b.Table()
		for _, c := range []struct {
			name string
			got  *Group
			want []int32
		}{
			{"union", Union(a, b), append(slices.Clone(la), filter(lb, notIn(la))...)},
			{"intersection", Intersection(a, b), filter(la, in(lb))},
			{"difference", Difference(a, b), filter(la, notIn(lb))},
		} {
			if !slices.Equal(c.got.Table(), c.want) {
				t.Fatalf("%s of %v and %v is %v, want %v", c.name, la, lb, c.got.Table(), c.want)
			}
		}
		want := Unequal
		sa, sb := slices.Clone(la), slices.Clone(lb)
		slices.Sort(sa)
		slices.Sort(sb)
		if slices.Equal(la, lb) {
			want = Identical
		} else if slices.Equal(sa, sb) {
			want = Similar
		}
		if got := Compare(a, b); got != want {
			t.Fatalf("comparing %v and %v: %d, want %d", la, lb, got, want)
		}
		for job := range int32(jobSize + 10) {
			want := slices.Index(la, job)
			if want < 0 {
				want = Undefined
			}
			if got := a.Rank(int(job)); got != want {
				t.Fatalf("rank of %d in %v is %d, want %d", job, la, got, want)
			}
		}
	})
}

func TestSelections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t, "g")
		l := g.Table()
		triplet := rapid.Custom(func(t *rapid.T) Triplet {
			return Triplet{rapid.IntRange(-1, jobSize).Draw(t, "first"), rapid.IntRange(-1, jobSize).Draw(t, "last"),
				rapid.IntRange(-3, 3).Draw(t, "stride")}
		})
		ts := rapid.SliceOfN(triplet, 0, 3).Draw(t, "ranges")
		var ranks []int
		bad := false
		for _, x := range ts {
			bad = bad || x.Stride == 0
			for r := x.First; x.Stride != 0 && (x.Last-r)*x.Stride >= 0; r += x.Stride {
				bad = bad || r < 0 || r >= len(l) || slices.Contains(ranks, r)
				ranks = append(ranks, r)
			}
		}
		incl, err := g.RangeIncl(ts)
		excl, err2 := g.RangeExcl(ts)
		if (err != nil) != bad || (err2 != nil) != bad {
			t.Fatalf("ranges %v of %d: %v, %v", ts, len(l), err, err2)
		}
		if bad {
			return
		}
		in := []int32{}
		for _, r := range ranks {
			in = append(in, l[r])
		}
		if !slices.Equal(incl.Table(), in) {
			t.Fatalf("including %v of %v is %v, want %v", ts, l, incl.Table(), in)
		}
		if out := filter(l, notIn(in)); !slices.Equal(excl.Table(), out) {
			t.Fatalf("excluding %v of %v is %v, want %v", ts, l, excl.Table(), out)
		}
	})
}

func TestErrors(t *testing.T) {
	g := Range(0, 1, 4)
	_, twice := g.Incl([]int{1, 1})
	_, far := g.Excl([]int{4})
	_, still := g.RangeIncl([]Triplet{{0, 3, 0}})
	for err, want := range map[error]mpierr.Class{twice: mpierr.ErrRank, far: mpierr.ErrRank,
		still: mpierr.ErrArg} {
		if mpierr.CodeOf(err) != int(want) {
			t.Errorf("error %v, want class %v", err, want.Name())
		}
	}
}

// A group of a range costs no memory per process.
func TestRangesNeedNoTable(t *testing.T) {
	world := Range(0, 1, 10000)
	evens, err := world.RangeIncl([]Triplet{{0, 9999, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*Group{world, evens, New(evens.Table())} {
		if _, _, table := g.Form(); table != nil {
			t.Errorf("a group of %d has a table", g.Size())
		}
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = world.RangeIncl([]Triplet{{1, 9999, 2}}) }); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

// Groups of a large job, and the rows, halves and strides of it, take the same memory as those of a small
// one, however they were made.
func TestLargeGroupsTakeLittleMemory(t *testing.T) {
	const ranks, each, most = 10000, 50, 256 // most: bytes that one may take
	job := Range(0, 1, ranks)
	reversed := make([]int, ranks)
	for i := range reversed {
		reversed[i] = ranks - 1 - i
	}
	odd := []Triplet{{1, ranks - 1, 2}}
	incl := func(g *Group, err error) *Group {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	even := incl(job.RangeExcl(odd))
	for name, build := range map[string]func() *Group{
		"range":        func() *Group { return Range(0, 1, ranks) },
		"stride":       func() *Group { return incl(job.RangeIncl(odd)) },
		"excluded":     func() *Group { return incl(job.RangeExcl(odd)) },
		"reversed":     func() *Group { return incl(job.Incl(reversed)) },
		"union":        func() *Group { return Union(job, even) },
		"intersection": func() *Group { return Intersection(job, even) },
		"difference":   func() *Group { return Difference(job, even) },
	} {
		var before, after runtime.MemStats
		var kept [each]*Group
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range kept {
			kept[i] = build()
			kept[i].Rank(ranks / 2) // a look-up leaves no index behind
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > each*most {
			t.Errorf("%s: %d groups of %d processes take %d bytes", name, each, kept[0].Size(), used)
		}
		runtime.KeepAlive(kept)
	}
}
