package partitioned

import "testing"

// Numbers of partitions are not used twice at a time, come back with the sends that had them, and when there
// are none left the next send is told so.
func TestNumbersOfPartitions(t *testing.T) {
	q := Space{sends: map[*send]struct{}{}}
	hold := func(n uint32) *send {
		s := &send{offer: &offer{parts: n}}
		base, ok := q.reserve(s, n)
		if !ok {
			return nil
		}
		for o := range q.sends {
			if o != s && base < o.offer.base+o.offer.parts && o.offer.base < base+n {
				t.Fatalf("numbers from %d on are used twice", base)
			}
		}
		s.offer.base = base
		return s
	}
	large, small := hold(tags-16), hold(8)
	if large == nil || small == nil {
		t.Fatal("there are no numbers at the begin")
	}
	if hold(9) != nil {
		t.Error("9 numbers of 8 that are left")
	}
	if hold(8) == nil {
		t.Error("there are not 8 numbers where 8 are left")
	}
	delete(q.sends, large)
	for range 3 {
		if hold(1000) == nil {
			t.Error("numbers that came back cannot be had")
		}
	}
}
