package datatype

import (
	"testing"

	"pgregory.net/rapid"
)

// Dense data is one run however many elements it has: the time does not grow with them.
func TestRunsOfDenseData(t *testing.T) {
	const at, n = 6, 1 << 60
	calls := 0
	ByHandle(0x208).Runs(at, n, func(off, size int64) bool {
		if calls++; off != at || size != n {
			t.Errorf("%d bytes at %d, want %d at %d", size, off, int64(n), at)
		}
		return true
	})
	if calls != 1 {
		t.Errorf("%d runs, want 1", calls)
	}
}

// Locate, Runs, Ascends and Before agree with the type map.
func TestPlacesOfData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawType(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		const elements = 4
		where := d.ref.bytes(elements)
		if len(where) == 0 {
			return
		}
		at := rapid.IntRange(0, len(where)-1).Draw(t, "at")
		if got := d.Locate(int64(at)); got != where[at] {
			t.Fatalf("byte %d stands at %d, want %d", at, got, where[at])
		}
		n := rapid.IntRange(1, len(where)-at).Draw(t, "n")
		var visited []int64
		d.Runs(int64(at), int64(n), func(off, size int64) bool {
			if len(visited) > 0 && visited[len(visited)-1]+1 == off {
				t.Fatalf("the run at %d goes on the one before", off)
			}
			for i := range size {
				visited = append(visited, off+i)
			}
			return true
		})
		if len(visited) != n {
			t.Fatalf("%d bytes visited, want %d", len(visited), n)
		}
		for i, off := range visited {
			if off != where[at+i] {
				t.Fatalf("byte %d visited at %d, want %d", at+i, off, where[at+i])
			}
		}
		ascends := true
		for i := 1; i < len(where); i++ {
			ascends = ascends && where[i] > where[i-1]
		}
		if got := d.Ascends(false); got != ascends {
			t.Fatalf("ascends: %v, want %v", got, ascends)
		}
		within := true
		for i := 1; i < len(where)/elements; i++ {
			within = within && where[i] > where[i-1]
		}
		if got := d.AscendsWithin(false); got != within {
			t.Fatalf("ascends within an element: %v, want %v", got, within)
		}
		if within && !d.AscendsWithin(true) {
			t.Fatal("what ascends without overlaps within an element ascends with them")
		}
		if ascends && !d.Ascends(true) {
			t.Fatal("what ascends without overlaps ascends with them")
		}
		if !ascends || d.extent < 0 {
			return
		}
		off := rapid.Int64Range(where[0]-3, where[len(where)-1]+1).Draw(t, "off")
		want := int64(0)
		for _, w := range where {
			if w < off {
				want++
			}
		}
		if got := d.Before(off); got != want {
			t.Fatalf("%d bytes before %d, want %d", got, off, want)
		}
	})
}
