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

func enter(t *testing.T, n *Node, cid int) {
	t.Helper()
	addresses := n.ReserveAddresses()
	if addresses == 0 {
		t.Fatal("no addresses can be reserved")
	}
	if err := n.Enter(cid, addresses); err != nil {
		t.Fatal(err)
	}
}

func itself(r int) int { return r }

// contribution is where rank r's contribution stands.
func contribution(a *Segment, r int) uintptr {
	at, _ := a.Contribution(r)
	return at
}

// A communicator has coll segments when its coll block is mapped, and what one rank writes there another one
// reads.
func TestUnitsAreShared(t *testing.T) {
	all := nodes(t, 2)
	for _, cid := range []int{0, 1, kept, 1000, shm.MaxCollBlocks - 1} {
		var views [2]*Segment
		for r, n := range all {
			if cid > 0 {
				if n.New(cid, r, 2, itself) != nil || n.NewNbc(cid, r, 2, itself) != nil {
					t.Errorf("there is a segment in coll block %d, which is not mapped", cid)
				}
				enter(t, n, cid)
			}
			if views[r] = n.New(cid, r, 2, itself); views[r] == nil {
				t.Fatalf("no segment in coll block %d", cid)
			}
			views[r].Open(0, false)
			views[r].Begin()
		}
		*shm.Word64(views[0].OwnData(8)) = uint64(cid)
		views[0].Publish()
		if a := views[1]; !a.Published(0) || *shm.Word64(contribution(a, 0)) != uint64(cid) {
			t.Errorf("what rank 0 publishes in coll block %d does not reach rank 1", cid)
		}
	}
	if enter(t, all[0], shm.MaxCollBlocks); all[0].New(shm.MaxCollBlocks, 0, 2, itself) != nil {
		t.Error("there is a segment beyond the last coll block")
	}
}

// A coll block that has been given up stays as it is until many others have been. Then it costs no memory but
// for its first pages, which tell the next communicator where numbers go on.
func TestLeave(t *testing.T) {
	n := nodes(t, 2)[0]
	const dropped, stays = 300, 300 + kept
	for cid := dropped; cid <= stays; cid++ {
		enter(t, n, cid)
		a := n.New(cid, 0, 2, itself)
		a.Open(41, false)
		a.Begin()
		*shm.Word64(a.OwnData(MaxData)) = 1
		at := contributed(a)
		n.Leave(cid)
		if *shm.Word64(at) != 1 {
			t.Fatalf("coll block %d does not stay as it is", cid)
		}
	}
	for _, cid := range []int{dropped, stays} {
		addresses := n.ReserveAddresses()
		if mapped := n.New(cid, 0, 2, itself) != nil; mapped != (cid == stays) {
			t.Errorf("coll block %d is mapped: %v", cid, mapped)
		}
		if err := n.Enter(cid, addresses); err != nil {
			t.Fatal(err)
		}
		a := n.New(cid, 0, 2, itself)
		if a.Last() < 42 {
			t.Errorf("coll block %d begins again with operation %d", cid, a.Last())
		}
		a.Open(a.Last(), false)
		a.Begin()
		if left := *shm.Word64(a.OwnData(MaxData)); (left != 0) != (cid == stays) {
			t.Errorf("in coll block %d there is %d after the communicator has gone", cid, left)
		}
	}
	if len(n.left) != kept-1 {
		t.Errorf("%d coll blocks wait for communicators, want %d", len(n.left), kept-1)
	}
}

// contributed ends the operation of a coll segment, and returns where what it has published stands.
func contributed(a *Segment) uintptr {
	a.Publish()
	a.End(true)
	return contribution(a, 0)
}

// Addresses that were not needed serve the next communicator.
func TestReturn(t *testing.T) {
	n := nodes(t, 2)[0]
	first := n.ReserveAddresses()
	second := n.ReserveAddresses()
	if first == 0 || first == second {
		t.Fatal("two communicators got the same addresses")
	}
	n.Return(first)
	n.Return(second)
	n.Return(0)
	if got := n.ReserveAddresses(); got != first {
		t.Errorf("addresses %x are not used again, but %x", first, got)
	}
}
