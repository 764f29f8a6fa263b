package tune

import (
	"math"
	"testing"
)

// Every size has one class, whose bounds are those of all sizes in it, and classes follow each other.
func TestClasses(t *testing.T) {
	s := Sizes{Least: 9}
	next := int64(1)
	for next != math.MinInt64 {
		least, most := s.Class(next)
		if least != next {
			t.Fatalf("a class begins with %d, want %d", least, next)
		}
		l, m := s.Class(most)
		if s.Of(least) != s.Of(most) || l != least || m != most {
			t.Fatalf("the sizes %d and %d are in different classes", least, most)
		}
		next = most + 1
	}
}

// A size that nothing is known of begins with what is known of the nearest one.
func TestNearestSize(t *testing.T) {
	s := Sizes{Least: 9}
	run(s.Of(4096), 10_000, 1, 7, func(_, option int) float64 { return []float64{3, 2, 1}[option] })
	if s.Of(4097) == s.Of(4096) || s.Of(1<<30).Pick(7, 0) != 2 {
		t.Error("a larger size does not begin with the quickest option of the smaller one")
	}
}

// What is sure is so after two trials of each other option, and not when another one is cheaper.
func TestSurely(t *testing.T) {
	var c Choice
	if c.Surely(0, 3) {
		t.Error("the first of two options is sure before anything was tried")
	}
	run(&c, 10_000, 1, 3, func(_, option int) float64 { return []float64{2, 1}[option] })
	if c.Surely(0, 3) || !c.Surely(1, 3) || c.Surely(1, 7) {
		t.Error("want the second of two options to be sure, and not of three")
	}
}
