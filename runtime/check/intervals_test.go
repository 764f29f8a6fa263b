package check

import (
	"math/rand/v2"
	"testing"
)

// TestIntervals adds and removes memory at random, and compares what overlaps with what a list says.
func TestIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var tree intervals
	var list []*interval
	for step := range 20000 {
		lo := uintptr(r.IntN(500))
		hi := lo + 1 + uintptr(r.IntN(1<<r.IntN(8)))
		switch {
		case len(list) > 0 && r.IntN(200) < len(list):
			i := r.IntN(len(list))
			tree.remove(list[i])
			list[i] = list[len(list)-1]
			list = list[:len(list)-1]
		case r.IntN(2) == 0:
			list = append(list, tree.add(lo, hi, use{u: &Use{Writes: r.IntN(4) == 0}}))
		}
		for _, reads := range []bool{false, true} {
			var want *interval
			for _, n := range list {
				matches := n.lo < hi && lo < n.hi && (reads || n.u.Writes) && n.number%3 != 0
				if matches && (want == nil || n.before(want)) {
					want = n
				}
			}
			third := func(n *interval) bool { return n.number%3 != 0 }
			if got := tree.overlapping(lo, hi, reads, third); got != want {
				t.Fatalf("step %d, [%d, %d): %v, want %v", step, lo, hi, got, want)
			}
		}
	}
	for _, n := range list {
		tree.remove(n)
	}
	if tree.root != nil {
		t.Error("something stays")
	}
}

// TestScattered has memory of more runs than stand by themselves, between which others lie.
func TestScattered(t *testing.T) {
	room := make([]byte, 1000)
	every := func(first int64) *Operation {
		var m Memory
		for from := first; from < 990; from += 10 {
			o := MemoryOf(at(room, from, from+4))
			m.runs = append(m.runs, o.runs...)
		}
		m.lo, m.hi = m.runs[0].lo, m.runs[len(m.runs)-1].hi
		return &Operation{Uses: []Use{{Writes: true, Memory: m}}}
	}
	var b Buffers
	first, beside, across := every(0), every(4), every(2)
	for i, o := range []*Operation{first, beside} {
		if _, found := b.Begin(o, true); found {
			t.Errorf("operation %d", i)
		}
	}
	if c, found := b.Begin(across, true); !found || c.With != first {
		t.Errorf("%v, %t", c, found)
	}
	for _, o := range []*Operation{across, first, beside} {
		b.End(o)
	}
	if b.memory.root != nil {
		t.Error("something stays")
	}
}
