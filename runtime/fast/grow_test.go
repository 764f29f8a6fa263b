package fast

import (
	"testing"

	"gompi/shm"
)

// The receiver sees as much of a payload that was published early as its sender has told of, and all of it
// once the next one has been published.
func TestGrow(t *testing.T) {
	s, _, txs, rxs := newSender(t, 2)
	defer s.Close()
	tx, rx := txs[0], rxs[0]
	send(tx, MaxBulk, 1) // the receiver has mapped the area
	take(t, rx, MaxBulk, 1)
	early := func(n uint32) {
		slot, _ := tx.Reserve(n)
		slot.Kind = 2
		if slot.Bulk < bulkSize || !tx.PublishEarly(slot, n) {
			t.Fatalf("a packet of %d bytes at %d cannot be published early", n, slot.Bulk)
		}
	}
	grown := func(n, want uint32, wanted bool) {
		t.Helper()
		there := rx.Grown(n)
		if ok := there != GrownNever; ok != wanted || ok && there != want {
			t.Errorf("%d of %d bytes are there; want %d, %v", there, n, want, wanted)
		}
	}
	early(20000)
	var slot Slot
	if rx.Peek(&slot) == 0 || slot.Kind != 2 {
		t.Fatal("the packet cannot be seen before its payload is there")
	}
	grown(20000, 0, true)
	tx.Grow(GrowStep)
	grown(20000, GrowStep, true)
	grown(100, 100, true)
	tx.Grow(20000)
	grown(20000, 20000, true)
	early(30000)
	grown(20000, 20000, true) // it is the first one's that is asked for
	tx.Grow(5)
	rx.Release(true)
	grown(30000, 5, true)
	tx.GrowNever()
	grown(30000, 0, false)
	send(tx, 100, 3)
	slot2, _ := tx.Reserve(MaxBulk)
	if tx.PublishEarly(slot2, MaxBulk) {
		t.Error("the receiver will not know that a payload will never be there")
	}
	rx.Release(true)
	take(t, rx, 100, 3)
	early(MaxBulk)
	tx.Grow(MaxBulk)
	rx.Release(true)
	slot2, _ = tx.Reserve(100)
	if tx.PublishEarly(slot2, 100) {
		t.Error("a payload outside of the area is published early")
	}
}

// A payload that grows is there when its sender says so, in another thread.
func TestGrowBeside(t *testing.T) {
	s, _, txs, rxs := newSender(t, 2)
	defer s.Close()
	tx, rx := txs[0], rxs[0]
	send(tx, MaxBulk, 1)
	take(t, rx, MaxBulk, 1)
	const rounds, n = 200, MaxBulk
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range rounds {
			slot, at := tx.Reserve(n)
			for ; slot == nil; slot, at = tx.Reserve(n) {
				shm.Pause(1)
			}
			slot.Kind = 2
			early := slot.Bulk >= bulkSize
			if early {
				tx.PublishEarly(slot, n)
			}
			for k := uint32(0); k < n; k += GrowStep {
				for j := range shm.Bytes(at+uintptr(k), GrowStep) {
					shm.Bytes(at+uintptr(k), GrowStep)[j] = byte(i) + 1
				}
				if early {
					tx.Grow(k + GrowStep)
				}
			}
			if !early {
				tx.Publish(slot, n)
			}
		}
	}()
	for i := range rounds {
		var slot Slot
		at := rx.Peek(&slot)
		for ; at == 0; at = rx.Peek(&slot) {
			shm.Pause(1)
		}
		for done := uint32(0); done < n; {
			there := uint32(n)
			if slot.Bulk >= bulkSize {
				there = rx.Grown(n)
			}
			for ; done < there; done++ {
				if b := shm.Bytes(at+uintptr(done), 1)[0]; b != byte(i)+1 {
					t.Fatalf("byte %d of packet %d is %d", done, i, b)
				}
			}
		}
		rx.Release(true)
	}
	<-done
}
