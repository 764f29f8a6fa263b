package socket

import (
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// job makes the ranks of one, with a counter of how often each was woken.
func job(t *testing.T, n int) (ranks []*Provider, woken []atomic.Int32) {
	t.Helper()
	var id shm.JobID
	rand.Read(id[:])
	woken = make([]atomic.Int32, n)
	for r := range n {
		p, err := New(Config{Job: id, Rank: r, Size: n, Reaches: func(int) bool { return true },
			Wake: func() { woken[r].Add(1) },
			Malformed: func(peer int, what string) {
				panic(fmt.Sprintf("rank %d has written %s", peer, what))
			}})
		if err != nil {
			t.Fatal(err)
		}
		ranks = append(ranks, p)
	}
	return ranks, woken
}

// put sends a packet with n bytes of payload and a number, if there is room.
func put(p *Provider, to, n int, number uint32) bool {
	head, payload := p.Reserve(to, n)
	if head == nil {
		return false
	}
	b := shm.Bytes(payload, int64(n))
	for i := range b {
		b[i] = byte(int(number) + i)
	}
	head.Kind, head.Ctx, head.Src = 1, number, int32(n)
	p.Publish(to, head, n)
	return true
}

// take checks the next packet and releases it; ok is false when there is none.
func take(t *testing.T, p *Provider) (from int, number uint32, ok bool) {
	t.Helper()
	from, head, payload := p.Poll()
	if head == nil {
		return 0, 0, false
	}
	if again, same, _ := p.Poll(); again != from || same != head {
		t.Fatal("Poll shows another packet before the first is released")
	}
	n := uint64(head.Src)
	if !head.Holds(n) || head.InBulk() && head.Holds(n+1) {
		t.Fatalf("a packet of %d bytes does not hold just these", n)
	}
	for i, b := range shm.Bytes(payload, int64(n)) {
		if b != byte(int(head.Ctx)+i) {
			t.Fatalf("byte %d of packet %d is %d", i, head.Ctx, b)
		}
	}
	number = head.Ctx
	p.Release(from, head)
	return from, number, true
}

func leave(ranks ...*Provider) {
	for _, p := range ranks {
		p.Leave(nil, 0)
		p.Close()
	}
}

// Two senders fill what there is room for, again and again: all arrives, that of each in order.
func TestOrderAndRoom(t *testing.T) {
	ranks, _ := job(t, 3)
	defer leave(ranks...)
	sizes := []int{0, 8, fast.InlineSize, fast.InlineSize + 1, 1000, maxPayload}
	const packets = 3000
	var sent, got [2]uint32
	refused := 0
	for got[0] < packets || got[1] < packets {
		for s := range sent {
			for sent[s] < packets && put(ranks[s], 2, sizes[int(sent[s])%len(sizes)], sent[s]) {
				sent[s]++
			}
			if sent[s] < packets {
				refused++
			}
		}
		for {
			from, number, ok := take(t, ranks[2])
			if !ok {
				break
			}
			if number != got[from] {
				t.Fatalf("packet %d of rank %d comes in the place of %d", number, from, got[from])
			}
			got[from]++
		}
	}
	if refused == 0 {
		t.Error("there was always room: a sender can flood a receiver")
	}
	if n := ranks[0].Crossed(); n != packets {
		t.Errorf("rank 0 has counted %d packets", n)
	}
}

// A packet ends the sleep of a rank that has armed, and of one that has not it does nothing.
func TestWake(t *testing.T) {
	ranks, woken := job(t, 2)
	defer leave(ranks...)
	for round := range uint32(20) {
		if !ranks[1].Arm(nil) {
			t.Fatal("no wake-up, although no peer is blocked")
		}
		before := woken[1].Load()
		if ranks[1].Pending(nil) {
			t.Fatal("something is pending before anything was sent")
		}
		if !put(ranks[0], 1, 100, round) {
			t.Fatal("no room")
		}
		for end := time.Now().Add(2 * time.Minute); woken[1].Load() == before; {
			if time.Now().After(end) {
				t.Fatal("nobody wakes the receiver")
			}
		}
		if !ranks[1].Pending(nil) {
			t.Fatal("nothing is pending")
		}
		take(t, ranks[1])
		ranks[1].Disarm()
	}
}

// A rank that waits for room cannot be woken, says so, and learns of it by asking.
func TestBlocked(t *testing.T) {
	ranks, _ := job(t, 2)
	defer leave(ranks...)
	for number := uint32(0); put(ranks[0], 1, maxPayload, number); number++ {
	}
	blocked := []int{1}
	if ranks[0].Arm(blocked) {
		t.Error("the provider promises to wake whoever waits for room")
	}
	if ranks[0].Pending(blocked) {
		t.Error("there is room where there was none")
	}
	for ok := true; ok; _, _, ok = take(t, ranks[1]) {
	}
	if !ranks[0].Pending(blocked) {
		t.Error("the peer has taken everything and there is no room")
	}
}

// A peer that ends without a word has died, for those who receive from it and for those who send to it.
func TestDeath(t *testing.T) {
	for _, c := range []struct {
		what     string
		bye      bool
		receives bool // the survivor has packets from the peer, otherwise it sends to it
		unread   bool // the peer has not taken what was sent to it
	}{
		{"to a receiver", false, true, false},
		{"to a sender", false, false, false},
		{"to a sender, with packets unread", false, false, true},
		{"a farewell to a receiver", true, true, false},
		{"a farewell to a sender", true, false, false},
		{"a farewell to a sender, with packets unread", true, false, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			ranks, _ := job(t, 2)
			survivor, peer := ranks[0], ranks[1]
			if c.receives {
				put(peer, 0, 8, 0)
				take(t, survivor)
			} else {
				put(survivor, 1, 8, 0)
				take(t, peer)
			}
			if c.unread {
				put(survivor, 1, 8, 1)
			}
			if c.bye {
				peer.Leave(nil, 0)
			}
			peer.Close()
			if !c.receives {
				for range 3 { // the packets go nowhere
					if !put(survivor, 1, 8, 2) {
						t.Fatal("no room for packets to a peer that has gone")
					}
				}
			}
			take(t, survivor)
			want := 1
			if c.bye {
				want = -1
			}
			if dead := survivor.Failed(); dead != want {
				t.Errorf("the rank that has died is said to be %d, want %d", dead, want)
			}
			leave(survivor)
		})
	}
}

// Before a peer is there, there is no room for packets to it.
func TestPeerToCome(t *testing.T) {
	ranks, _ := job(t, 2)
	late := ranks[1].c
	leave(ranks[1])
	if put(ranks[0], 1, 8, 0) {
		t.Fatal("a packet to a peer that is not there has found room")
	}
	peer, err := New(late)
	if err != nil {
		t.Fatal(err)
	}
	defer leave(ranks[0], peer)
	if !put(ranks[0], 1, 8, 5) {
		t.Fatal("no room for a packet to a peer that has come")
	}
	if _, number, ok := take(t, peer); !ok || number != 5 {
		t.Errorf("packet %d, %v", number, ok)
	}
}

// A connection that does not begin with the number of a peer is closed; a peer that writes no packet ends the
// process.
func TestStrangers(t *testing.T) {
	ranks, _ := job(t, 2)
	defer leave(ranks...)
	greetings := [][]byte{{1}, {0, 0, 0, 0}, {2, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff}, make([]byte, 80)}
	for _, hello := range greetings {
		fd := ranks[1].sockets.connect(name(ranks[0].c.Job, 0))
		if fd < 0 || !write(fd, hello) {
			t.Fatal("no connection")
		}
		if _, _, ok := take(t, ranks[0]); ok {
			t.Error("a stranger's packet")
		}
		if n, err := unix.Read(fd, make([]byte, 1)); n != 0 || err != nil {
			t.Errorf("after hello % x the connection stays: %d, %v", hello, n, err)
		}
		unix.Close(fd)
	}
	var bulk, slot record
	bulk.head.Inline, slot.head.Inline = fast.InBulk, fast.InlineSize+1
	for _, b := range [][]byte{make([]byte, 63), make([]byte, 65), slot.bytes(0), bulk.bytes(0)[:40]} {
		fd := ranks[1].sockets.connect(name(ranks[0].c.Job, 0))
		write(fd, []byte{1, 0, 0, 0})
		write(fd, b)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d bytes are taken for a packet", len(b))
				}
			}()
			take(t, ranks[0])
		}()
		write(fd, make([]byte, byeSize))
		unix.Close(fd)
	}
}

// Packets take no memory.
func TestAllocations(t *testing.T) {
	ranks, _ := job(t, 2)
	defer leave(ranks...)
	send := func() {
		put(ranks[0], 1, 100, 3)
		ranks[1].Arm(nil)
		var p transport.Provider = ranks[1]
		from, head, _ := p.Poll()
		p.Release(from, head)
		p.Disarm()
	}
	send()
	if n := testing.AllocsPerRun(100, send); n != 0 {
		t.Errorf("a packet takes %v allocations", n)
	}
}
