package tool

import (
	"slices"
	"testing"
)

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		text  string
		ranks int
		want  []int
	}{
		{"", 3, nil},
		{"4", 4, nil},
		{"2x2", 2, nil},
		{"2x2", 4, []int{0, 0, 1, 1}},
		{"2x2:cyclic", 4, []int{0, 1, 0, 1}},
		{"3+1", 4, []int{0, 0, 0, 1}},
		{"3+1:cyclic", 4, []int{0, 1, 0, 0}},
		{"3+1", 7, []int{0, 0, 0, 1, 2, 2, 2}},
		{"1", 3, []int{0, 1, 2}},
		{"4X1", 4, []int{0, 1, 2, 3}},
		{"2:CYCLIC", 5, []int{0, 1, 2, 0, 1}},
		{"1+2x3", 7, []int{0, 1, 1, 1, 2, 2, 2}},
	} {
		n, err := ParseNodes(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := n.Assign(c.ranks); !slices.Equal(got, c.want) {
			t.Errorf("%q with %d ranks: %v, want %v", c.text, c.ranks, got, c.want)
		}
	}
	for _, bad := range []string{"0", "x", "2x", "x2", "-1", "2+", "+", "2:round", "5000x1", "a", "2x2x2", ":cyclic", "1.5"} {
		if _, err := ParseNodes(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
