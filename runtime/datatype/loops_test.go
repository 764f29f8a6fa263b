package datatype

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gompi/runtime/fast"
)

// walkLoops appends the displacement of every byte that loops move, in the order of the stream.
func walkLoops(all []int64, loops []fast.Loop, base int64) []int64 {
	for len(loops) > 0 {
		l, body := loops[0], loops[1:1+loops[0].Inner]
		for turn := range l.Count {
			begin := len(all)
			at := base + l.Off + turn*l.Stride
			if l.Inner == 0 {
				for k := range l.Size {
					all = append(all, at+k)
				}
			} else {
				all = walkLoops(all, body, at)
			}
			if n := int64(len(all) - begin); n != l.Size {
				panic("a turn does not move as many bytes as it says")
			}
		}
		loops = loops[1+l.Inner:]
	}
	return all
}

func TestLoopsAreTheTypeMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawType(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		loops := d.Loops(nil)
		if n := d.LoopCount(); n != len(loops) {
			t.Fatalf("%d loops are counted, there are %d", n, len(loops))
		}
		if got, want := walkLoops(nil, loops, 0), d.ref.bytes(1); !slices.Equal(got, want) {
			t.Fatalf("loops %+v move\n%v, want\n%v", loops, got, want)
		}
	})
}

func TestTypesOfTwoLevelsAreFewLoops(t *testing.T) {
	double := ByHandle(0x214)
	made := func(typ *Type, err error) *Type {
		if err != nil {
			t.Fatal(err)
		}
		return typ
	}
	vector := made(Vector(8, 1, 3, double, false))
	for _, c := range []struct {
		what string
		typ  *Type
		want int
	}{
		{"one run", double, 1},
		{"vector", vector, 1},
		{"vector of vectors", made(Hvector(5, 1, 4096, vector, false)), 2},
		{"subarray of 3 dimensions", made(Subarray([]int64{9, 8, 7}, []int64{3, 4, 5}, []int64{1, 2, 1}, OrderC, double, false)), 2},
		{"subarray of 4 dimensions", made(Subarray([]int64{9, 9, 8, 7}, []int64{3, 3, 4, 5}, []int64{1, 1, 2,
			1}, OrderC, double, false)), 3},
		{"struct of vectors", made(Struct([]int64{1, 1}, []int64{0, 1000},
			[]*Type{vector, made(Vector(4, 2, 5, double, false))}, false)), 2},
	} {
		if got := len(c.typ.Loops(nil)); got != c.want {
			t.Errorf("%s: %d loops, want %d", c.what, got, c.want)
		}
	}
	many := made(Indexed([]int64{1, 2, 1, 3, 1}, []int64{0, 2, 7, 9, 20}, double, false))
	if got := many.Loops(nil); len(got) != 5 {
		t.Errorf("5 irregular blocks: %d loops", len(got))
	}
}
