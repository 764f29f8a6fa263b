package fast

import (
	"testing"

	"pgregory.net/rapid"

	"gompi/shm"
)

func newPair(t testing.TB) (*shm.Segment, *Tx, *Rx) {
	s, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	tx, rx := new(Tx), new(Rx)
	if err := tx.Open(s, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	if err := rx.Open(s, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	return s, tx, rx
}

// Packets of random sizes, sent and received in random alternation, come out as they went in, in order, and
// the ring never loses room, however long it runs and wherever its counters start.
func TestRing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, tx, rx := newPair(t)
		defer s.Close()
		start := rapid.SampledFrom([]uint32{0, 5, ^uint32(0) - 40}).Draw(rt, "start")
		tx.pos, tx.freed, rx.pos, rx.told = start, start, start, start
		*tx.consumed = start
		for i := range tx.slots { // as if the ring had run that long
			tx.slots[(start+uint32(i))%ringSlots].Seq = start + uint32(i) + 1 - ringSlots
		}
		type sent struct {
			n    int
			fill byte
		}
		var queue []sent
		next := byte(1)
		for range rapid.IntRange(1, 300).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "send") {
				n := rapid.OneOf(rapid.IntRange(0, 64), rapid.IntRange(0, MaxBulk)).Draw(rt, "n")
				slot, at := tx.Reserve(uint32(n))
				if slot == nil {
					if len(queue) == 0 {
						rt.Fatalf("no room for %d bytes in an empty ring", n)
					}
					continue
				}
				for i := range shm.Bytes(at, int64(n)) {
					shm.Bytes(at, int64(n))[i] = next
				}
				slot.Kind = next
				tx.Publish(slot, uint32(n))
				queue = append(queue, sent{n, next})
				next++
				continue
			}
			var slot Slot
			at := rx.Peek(&slot)
			if at == 0 {
				if len(queue) > 0 {
					rt.Fatalf("%d packets sent, none to be seen", len(queue))
				}
				continue
			}
			if len(queue) == 0 {
				rt.Fatal("a packet that nobody sent")
			}
			want := queue[0]
			queue = queue[1:]
			if slot.Kind != want.fill || slot.InBulk() != (want.n > InlineSize) {
				rt.Fatalf("packet %d, want %d", slot.Kind, want.fill)
			}
			for i, b := range shm.Bytes(at, int64(want.n)) {
				if b != want.fill {
					rt.Fatalf("byte %d is %d, want %d", i, b, want.fill)
				}
			}
			rx.Release(slot.InBulk())
		}
	})
}

// A full ring says so, and the receiver hears of a sender that waits.
func TestRingFull(t *testing.T) {
	s, tx, rx := newPair(t)
	defer s.Close()
	for range ringSlots {
		slot, _ := tx.Reserve(8)
		if slot == nil {
			t.Fatal("full too early")
		}
		tx.Publish(slot, 8)
	}
	if slot, _ := tx.Reserve(8); slot != nil {
		t.Fatal("room in a full ring")
	}
	tx.Block()
	woken := 0
	for slot := new(Slot); rx.Peek(slot) != 0; {
		if rx.Release(slot.InBulk()) {
			woken++
		}
	}
	if woken == 0 {
		t.Error("the receiver never learns that the sender waits")
	}
	if !tx.Room() {
		t.Error("the sender sees no room in an empty ring")
	}
	tx.Unblock()
	if slot, _ := tx.Reserve(MaxBulk); slot == nil {
		t.Error("no room in an empty ring")
	}
}

// A pair that exchanges little uses few pages of its payload area, and one that exchanges more all of it.
func TestLap(t *testing.T) {
	const n = bulkSize / ringSlots
	s, tx, rx := newPair(t)
	defer s.Close()
	send := func() (at uint32) {
		slot, _ := tx.Reserve(n)
		if slot == nil {
			t.Fatal("no room")
		}
		at = slot.Bulk
		tx.Publish(slot, n)
		return at
	}
	most := uint32(0)
	for i := range 1000 {
		at := send()
		var p Slot
		if rx.Peek(&p) == 0 {
			t.Fatal("no packet")
		}
		rx.Release(true)
		if most = max(most, at); i < lapsEach && most > firstLap-n {
			t.Fatalf("message %d goes to byte %d of the payload area", i, at)
		}
	}
	if most != bulkSize-n {
		t.Errorf("1000 messages of %d bytes have used the payload area up to byte %d", n, most)
	}
	s2, tx2, _ := newPair(t)
	defer s2.Close()
	tx = tx2
	for i := range uint32(ringSlots) { // none of which is received
		if at := send(); at != i*n {
			t.Fatalf("message %d goes to byte %d", i, at)
		}
	}
}

// There is always room where the receiver has emptied everything, of which it tells in batches.
func TestRoomInAnEmptyRing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, tx, rx := newPair(t)
		defer s.Close()
		sizes := rapid.SliceOfN(rapid.IntRange(InlineSize+1, bulkSize/8/ConsumedBatch), 1, 5).Draw(rt, "sizes")
		for i := range 500 {
			n := uint32(sizes[i%len(sizes)])
			slot, _ := tx.Reserve(n)
			if slot == nil {
				rt.Fatalf("no room for message %d of %d bytes", i, n)
			}
			tx.Publish(slot, n)
			rx.Release(false)
		}
	})
}

func BenchmarkRing(b *testing.B) {
	s, tx, rx := newPair(b)
	defer s.Close()
	b.ReportAllocs()
	got := new(Slot)
	for range b.N {
		slot, _ := tx.Reserve(8)
		tx.Publish(slot, 8)
		rx.Peek(got)
		rx.Release(got.InBulk())
	}
}

// What all ranks map grows with the ranks, and a ring takes addresses only in the processes that use it.
func TestPartsAreMappedWhenUsed(t *testing.T) {
	const n = 128
	s, err := shm.CreateJob(n)
	if err != nil {
		t.Fatal(err)
	}
	if s.Size != shm.HeaderSize+n*shm.RankStride {
		t.Errorf("all of %d ranks map %d bytes", n, s.Size)
	}
	var tx Tx
	var rx Rx
	for range 2 { // a second time costs nothing
		if err := tx.Open(s, n, 5, 7); err != nil {
			t.Fatal(err)
		}
	}
	if err := rx.Open(s, n, 5, 7); err != nil {
		t.Fatal(err)
	}
	if tx.bulk != rx.bulk {
		t.Error("both ends of one ring are mapped twice")
	}
	slot, _ := tx.Reserve(8)
	tx.Publish(slot, 8)
	if !rx.Pending() {
		t.Error("what one end sends does not reach the other")
	}
	base := tx.bulk
	if !shm.Writable(base, shm.BulkSize) {
		t.Error("an open ring is not mapped")
	}
	s.Close()
	if shm.Writable(base, shm.BulkSize) {
		t.Error("the ring of a closed segment is still mapped")
	}
}
