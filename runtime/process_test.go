package runtime

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gompi/fabric"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// A job of several machines must be told that its network cannot be opened, not left to fail at the first
// message.
func TestSeveralMachines(t *testing.T) {
	seg, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	_, err = New(Config{Rank: 0, Size: 4, Node: []int{0, 1}, Machines: []int{0, 0, 1, 1}, Segment: seg,
		Fabric: func(fabric.Opening) (fabric.Opened, error) {
			return fabric.Opened{}, errors.New("no device")
		}})
	if mpierr.CodeOf(err) != int(mpierr.ErrOther) || !strings.Contains(err.Error(), "no device") {
		t.Errorf("error %v", err)
	}
}

// Machines may pretend to be several nodes each.
func TestCombine(t *testing.T) {
	for _, c := range []struct{ machines, pretended, want []int }{
		{nil, nil, nil},
		{[]int{0, 0, 1}, nil, []int{0, 0, 1}},
		{nil, []int{0, 1, 1}, []int{0, 1, 1}},
		{[]int{0, 0, 1, 1}, []int{0, 1, 1, 0}, []int{0, 1, 2, 3}},
		{[]int{0, 1, 0, 1}, []int{0, 0, 0, 0}, []int{0, 1, 0, 1}},
	} {
		if got := combine(c.machines, c.pretended); !slices.Equal(got, c.want) {
			t.Errorf("combine(%v, %v): %v, want %v", c.machines, c.pretended, got, c.want)
		}
	}
}
