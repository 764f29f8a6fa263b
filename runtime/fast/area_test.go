package fast

import (
	"testing"

	"pgregory.net/rapid"

	"gompi/shm"
)

// newSender is the rings from rank 0 of a segment to the others, with their area.
func newSender(t testing.TB, n int) (s *shm.Segment, a *Area, txs []*Tx, rxs []*Rx) {
	s, err := shm.CreateJob(n)
	if err != nil {
		t.Fatal(err)
	}
	a = NewArea(s, n, 0)
	if a == nil {
		t.Fatal("no area")
	}
	for to := 1; to < n; to++ {
		tx, rx := new(Tx), new(Rx)
		if err := tx.Open(s, n, to, 0); err != nil {
			t.Fatal(err)
		}
		tx.Through(a)
		if err := rx.Open(s, n, to, 0); err != nil {
			t.Fatal(err)
		}
		txs, rxs = append(txs, tx), append(rxs, rx)
	}
	return s, a, txs, rxs
}

// send sends n bytes of a value; where is the offset of its payload. It reports false when there is no room.
func send(t *Tx, n uint32, fill byte) (where uint32, sent bool) {
	slot, at := t.Reserve(n)
	if slot == nil {
		return 0, false
	}
	for i := range shm.Bytes(at, int64(n)) {
		shm.Bytes(at, int64(n))[i] = fill
	}
	slot.Kind = fill
	where = slot.Bulk
	t.Publish(slot, n)
	return where, true
}

// take receives the next packet, of n bytes, and checks it.
func take(t rapid.TB, r *Rx, n uint32, fill byte) {
	var slot Slot
	at := r.Peek(&slot)
	if at == 0 || slot.Kind != fill || n > InlineSize && !slot.Holds(uint64(n)) {
		t.Fatalf("packet %d (at %#x), want %d of %d bytes", slot.Kind, at, fill, n)
	}
	for i, b := range shm.Bytes(at, int64(n)) {
		if b != fill {
			t.Fatalf("byte %d of %d is %d, want %d", i, n, b, fill)
		}
	}
	r.Release(slot.InBulk())
}

// What is sent to several ranks, which take it in any order, comes out as it went in, whatever the size of
// the area is; and to a rank that has taken everything there is always room.
func TestArea(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const peers = 3
		s, a, txs, rxs := newSender(t, peers+1)
		defer s.Close()
		a.SetSize(int64(rapid.SampledFrom([]int{0, 100 << 10, 1 << 20, 4 << 20}).Draw(rt, "size")))
		type sent struct {
			n    uint32
			fill byte
		}
		var queues [peers][]sent
		next, through := byte(1), 0
		for range rapid.IntRange(1, 400).Draw(rt, "steps") {
			to := rapid.IntRange(0, peers-1).Draw(rt, "to")
			q := queues[to]
			if !rapid.Bool().Draw(rt, "send") {
				if len(q) > 0 {
					take(rt, rxs[to], q[0].n, q[0].fill)
					queues[to] = q[1:]
				}
				continue
			}
			n := uint32(rapid.OneOf(rapid.IntRange(0, 64), rapid.IntRange(0, MaxBulk)).Draw(rt, "n"))
			where, ok := send(txs[to], n, next)
			if !ok && len(q) == 0 {
				rt.Fatalf("no room for %d bytes in an empty ring", n)
			}
			if !ok {
				continue
			}
			if n > InlineSize && where >= bulkSize {
				through++
				if where+n > bulkSize+a.units*areaUnit {
					rt.Fatalf("%d bytes at %d of an area of %d pages", n, where-bulkSize, a.units)
				}
			}
			queues[to] = append(q, sent{n, next})
			next++
		}
		for to, q := range queues {
			for _, m := range q {
				take(rt, rxs[to], m.n, m.fill)
			}
		}
	})
}

// The area is used round and round: no page again before all others, however little is under way.
func TestAreaRound(t *testing.T) {
	s, a, txs, rxs := newSender(t, 2)
	defer s.Close()
	const n = 16 << 10
	rounds, last := 0, uint32(0)
	for i := range 10 * a.units / (n / areaUnit) {
		where, ok := send(txs[0], n, byte(i))
		if !ok || i > 2 && where < bulkSize {
			t.Fatalf("message %d goes to %d", i, where)
		}
		if where < last {
			rounds++
		}
		last = where
		take(t, rxs[0], n, byte(i))
	}
	if rounds < 9 || rounds > 10 {
		t.Errorf("ten times the area was sent, and it was used %d times", rounds)
	}
}

// Small payloads use the area only once the pair has exchanged some; a rank that takes nothing holds up
// nobody else, and what it held is free again when it has died.
func TestAreaHeld(t *testing.T) {
	s, a, txs, rxs := newSender(t, 3)
	defer s.Close()
	a.SetSize(512 << 10)
	for i := range 4 * lapsEach * firstLap / LeastLong {
		where, _ := send(txs[1], LeastLong, 1)
		if i < 4 && where >= bulkSize {
			t.Fatalf("message %d of %d bytes goes to the area", i, LeastLong)
		}
		take(t, rxs[1], LeastLong, 1)
		if where >= bulkSize {
			break
		}
		if i > 3*lapsEach*firstLap/LeastLong {
			t.Fatalf("message %d of %d bytes does not go to the area", i, LeastLong)
		}
	}
	held := 0
	for {
		where, ok := send(txs[0], MaxBulk, 2)
		if !ok {
			break
		}
		if where >= bulkSize {
			held++
		}
	}
	if most := 512 << 10 / MaxBulk; held > most || held < most-2 { // it does not begin at the first page
		t.Errorf("a rank that takes nothing holds %d payloads of the area", held)
	}
	for i := range 100 {
		if _, ok := send(txs[1], MaxBulk, byte(i)); !ok {
			t.Fatal("there is no room for another rank")
		}
		take(t, rxs[1], MaxBulk, byte(i))
	}
	txs[0].Lose()
	if where, _ := send(txs[1], MaxBulk, 3); where < bulkSize {
		t.Error("the area is not free again after the death of the rank that held it")
	}
}

// As long as the receiver has not mapped the area nothing goes through it, and an offset in it is malformed.
func TestAreaNotMapped(t *testing.T) {
	s, _, txs, rxs := newSender(t, 2)
	defer s.Close()
	*txs[0].mapped = 0
	for i := range 50 {
		if where, _ := send(txs[0], MaxBulk, 1); where >= bulkSize {
			t.Fatalf("payload %d goes to an area that the receiver does not have", i)
		}
		take(t, rxs[0], MaxBulk, 1)
	}
	rxs[0].end = bulkSize
	slot, _ := txs[0].Reserve(100)
	slot.Kind, slot.Bulk = 1, bulkSize
	txs[0].Publish(slot, 100)
	var p Slot
	if rxs[0].Peek(&p); p.Kind != Malformed {
		t.Error("a payload in an area that is not mapped is taken")
	}
}
