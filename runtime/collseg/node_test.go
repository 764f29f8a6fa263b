package collseg

import (
	"testing"

	"gompi/shm"
)

// nodes are the views that n ranks have of one segment.
func nodes(t *testing.T, n int) []*Node {
	t.Helper()
	seg, err := shm.CreateJob(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(seg.Close)
	ranks := make([]int, n)
	for r := range ranks {
		ranks[r] = r
	}
	all := make([]*Node, n)
	for r := range all {
		if all[r], err = NewNode(seg, r, ranks, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func enter(t *testing.T, n *Node, unit int) {
	t.Helper()
	site := n.SetAside()
	if site == 0 {
		t.Fatal("no addresses can be set aside")
	}
	if err := n.Enter(unit, site); err != nil {
		t.Fatal(err)
	}
}

func itself(r int) int { return r }

// contribution is where rank r's contribution stands.
func contribution(a *Segment, r int) uintptr {
	at, _ := a.Contribution(r)
	return at
}

// A communicator has coll segments when its unit is mapped, and what one rank writes there another one reads.
func TestUnitsAreShared(t *testing.T) {
	all := nodes(t, 2)
	for _, unit := range []int{0, 1, kept, 1000, shm.Units - 1} {
		var views [2]*Segment
		for r, n := range all {
			if unit > 0 {
				if n.New(unit, r, 2, itself) != nil || n.NewNbc(unit, r, 2, itself) != nil {
					t.Errorf("there is an area in unit %d, which is not mapped", unit)
				}
				enter(t, n, unit)
			}
			if views[r] = n.New(unit, r, 2, itself); views[r] == nil {
				t.Fatalf("no area in unit %d", unit)
			}
			views[r].Open(0, false)
			views[r].Begin()
		}
		*shm.Word64(views[0].Place(8)) = uint64(unit)
		views[0].Publish()
		if a := views[1]; !a.Published(0) || *shm.Word64(contribution(a, 0)) != uint64(unit) {
			t.Errorf("what rank 0 publishes in unit %d does not reach rank 1", unit)
		}
	}
	if enter(t, all[0], shm.Units); all[0].New(shm.Units, 0, 2, itself) != nil {
		t.Error("there is an area beyond the last unit")
	}
}

// A unit that has been given up costs no memory but for its first pages, which tell the next communicator
// where numbers go on. The units that are given out first stay as they are.
func TestLeave(t *testing.T) {
	n := nodes(t, 2)[0]
	for _, unit := range []int{kept - 1, kept} {
		enter(t, n, unit)
		a := n.New(unit, 0, 2, itself)
		a.Open(41, false)
		a.Begin()
		*shm.Word64(a.Place(MaxData)) = 1
		a.Publish()
		a.End(true)
		at := contribution(a, 0) - a.Peer(0).Base
		n.Leave(unit)
		site := n.SetAside()
		if unit >= kept && n.New(unit, 0, 2, itself) != nil {
			t.Errorf("unit %d is still mapped", unit)
		}
		if err := n.Enter(unit, site); err != nil {
			t.Fatal(err)
		}
		a = n.New(unit, 0, 2, itself)
		if a.Last() < 42 {
			t.Errorf("unit %d begins again with operation %d", unit, a.Last())
		}
		left := *shm.Word64(a.Peer(0).Base + at)
		if unit < kept && left != 1 || unit >= kept && left != 0 {
			t.Errorf("in unit %d there is %d after the communicator has gone", unit, left)
		}
	}
}

// Addresses that were not needed serve the next communicator.
func TestReturn(t *testing.T) {
	n := nodes(t, 2)[0]
	first := n.SetAside()
	second := n.SetAside()
	if first == 0 || first == second {
		t.Fatal("two communicators got the same addresses")
	}
	n.Return(first)
	n.Return(second)
	n.Return(0)
	if got := n.SetAside(); got != first {
		t.Errorf("addresses %x are not used again, but %x", first, got)
	}
}
