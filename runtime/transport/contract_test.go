package transport_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gompi/fabric"
	"gompi/fabric/builtin"
	"gompi/fabric/libfabric"
	"gompi/internal/testjob"
	"gompi/internal/testjob/mock"
	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/runtime/transport/network"
	"gompi/runtime/transport/shmem"
	"gompi/shm"
)

// What transport.Provider promises holds for each provider, and over each kind of network.

// rank is a rank with the bell that it sleeps by.
type rank struct {
	transport.Provider
	bell shm.Bell
	mark uint32
}

// medium makes the ranks of a job over one kind of network.
type medium struct {
	name string
	open func(t *testing.T, n int) []*rank
}

// media are all kinds: the last are those of libfabric that are here.
func media(t *testing.T) []medium {
	all := []medium{{"shmem", openShared},
		{"built-in over unix sockets", func(t *testing.T, n int) []*rank { return overBuiltIn(t, n, false) }},
		{"built-in over TCP", func(t *testing.T, n int) []*rank { return overBuiltIn(t, n, true) }}}
	for _, m := range []struct {
		name string
		is   mock.Behaviour
	}{
		{"perfect", mock.Behaviour{Like: "tcp"}},
		{"slow", mock.Behaviour{Late: 80}},
		{"refusing", mock.Behaviour{Refuse: 60, Late: 30, Depth: 3}},
		{"shuffling like rxm", mock.Behaviour{Like: "verbs;ofi_rxm", Shuffle: 50, Late: 20, Refuse: 5}},
		{"streaming like net", mock.Behaviour{Like: "net", Streams: 20, Slow: 98}},
		{"registering like cxi", mock.Behaviour{Registers: true, Depth: 16, Late: 10, Refuse: 10}},
		{"forgetful like net", mock.Behaviour{Like: "net", Forget: 3, Late: 20, Refuse: 5}},
		{"blind like opx", mock.Behaviour{Blind: true, Late: 20}},
	} {
		all = append(all, medium{"mock " + m.name, func(t *testing.T, n int) []*rank {
			return overMock(t, n, m.is)
		}})
	}
	if _, err := os.Stat("/usr/include/rdma/fabric.h"); err != nil {
		t.Log("not here: libfabric-dev")
		return all
	}
	for _, over := range []struct {
		name, provider  string
		alone, survives bool
	}{{"tcp", "tcp", false, false}, {"tcp alone", "tcp", true, false}, {"tcp, greeting", "tcp", false, true},
		{"tcp;ofi_rxm", "tcp;ofi_rxm", false, false}} {
		all = append(all, medium{"libfabric " + over.name, func(t *testing.T, n int) []*rank {
			return overFabric(t, n, over.survives, func(o fabric.Opening) (fabric.Opened, error) {
				provider := over.provider
				o.Source, o.Forced, o.Alone = "127.0.0.1", true, over.alone
				o.Wish = fabric.Wish{Provider: provider, Loopback: true}
				opened, err := libfabric.Connect(o)
				if err != nil && strings.Contains(provider, "rxm") && strings.Contains(err.Error(), "has no provider") {
					t.Skip(err)
				}
				return opened, err
			})
		}})
	}
	return all
}

func newJob(t *testing.T, n int) (seg *shm.Segment, nodes []int) {
	t.Helper()
	seg, err := shm.CreateJob(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(seg.Close)
	for r := range n {
		nodes = append(nodes, r)
	}
	return seg, nodes
}

func malformed(peer int, what string) { panic(fmt.Sprintf("rank %d has written %s", peer, what)) }

func openShared(t *testing.T, n int) (ranks []*rank) {
	seg, nodes := newJob(t, n)
	for r := range n {
		p, err := shmem.New(shmem.Config{Segment: seg, Rank: r, Size: n, NodeRank: r, Ranks: nodes, Cores: 1,
			Malformed: malformed})
		if err != nil {
			t.Fatal(err)
		}
		ranks = append(ranks, &rank{Provider: p, bell: shm.BellOf(seg, r)})
	}
	return ranks
}

func overBuiltIn(t *testing.T, n int, tcp bool) []*rank {
	return overFabric(t, n, false, func(o fabric.Opening) (fabric.Opened, error) {
		o.Source, o.Forced, o.Wish.Loopback = "127.0.0.1", tcp, true
		return builtin.Connect(o)
	})
}

func overMock(t *testing.T, n int, is mock.Behaviour) []*rank {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return overFabric(t, n, is.Forget > 0, mock.Opener(is, seed))
}

func overFabric(t *testing.T, n int, survives bool, open fabric.Opener) (ranks []*rank) {
	seg, _ := newJob(t, n)
	for r := range n {
		ranks = append(ranks, openRank(t, seg, r, n, survives, open))
	}
	return ranks
}

// openRank makes a rank of n that sends over what open opens, for a job that survives deaths or not.
func openRank(t *testing.T, seg *shm.Segment, r, n int, survives bool, open fabric.Opener) *rank {
	bell := shm.BellOf(seg, r)
	o, err := open(fabric.Opening{Options: network.Options(n, false, bell.Word())})
	if err != nil {
		t.Fatal(err)
	}
	p, err := network.New(network.Config{Rank: r, Size: n, Reaches: func(int) bool { return true },
		Survives: survives, Malformed: malformed,
		Endpoint: o.Endpoint, Provider: o.Provider, Version: o.Version,
		Exchange: func(card []byte) (shm.JobID, error) {
			shm.SetCard(seg, r, card)
			return seg.ID(), nil
		},
		Card:     func(rank int) ([]byte, error) { return shm.Card(seg, rank) },
		Unusable: func(err error) { panic(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return &rank{Provider: p, bell: bell}
}

// leave ends the ranks as they should.
func leave(ranks []*rank) {
	each(ranks, func(_ int, p *rank) {
		if l, ok := p.Provider.(interface {
			Leave(func(int) bool, time.Duration)
		}); ok {
			l.Leave(func(int) bool { return false }, testjob.Limit)
		}
	})
}

// each runs a function per rank, each on a thread of its own.
func each(ranks []*rank, do func(r int, p *rank)) {
	var all sync.WaitGroup
	for r, p := range ranks {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			do(r, p)
		})
	}
	all.Wait()
}

// inAll runs a test over each network.
func inAll(t *testing.T, n int, test func(t *testing.T, ranks []*rank)) {
	for _, m := range media(t) {
		t.Run(m.name, func(t *testing.T) { test(t, m.open(t, n)) })
	}
}

// put sends a packet with n bytes of payload and a number, if there is room.
func put(p *rank, to, n int, number uint32) bool {
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
func take(t *testing.T, p *rank) (from int, number uint32, ok bool) {
	from, head, payload := p.Poll()
	if head == nil {
		return 0, 0, false
	}
	if again, same, _ := p.Poll(); again != from || same != head {
		t.Error("Poll shows another packet before the first is released")
	}
	n := uint64(head.Src)
	if !head.Holds(n) {
		t.Errorf("a packet of %d bytes does not hold them", n)
		n = 0
	}
	for i, b := range shm.Bytes(payload, int64(n)) {
		if b != byte(int(head.Ctx)+i) {
			t.Errorf("byte %d of packet %d of rank %d is %d", i, head.Ctx, from, b)
			break
		}
	}
	number = head.Ctx
	p.Release(from, head)
	return from, number, true
}

// sleep sleeps where the provider wants it, and reports whether it was woken.
func (p *rank) sleep(nap time.Duration) (woken bool) {
	begin := time.Now()
	if s, ok := p.Provider.(transport.Sleeper); ok && s.Sleep(p.mark, nap) {
		return time.Since(begin) < nap
	}
	p.bell.Sleep(p.mark, nap)
	return *p.bell.Word() == 0
}

// idle waits as the engine does.
func (p *rank) idle(blocked []int) {
	p.mark++
	p.bell.Arm(p.mark)
	nap := 200 * time.Microsecond
	if p.Arm(blocked) {
		nap = 20 * time.Millisecond
	}
	if !p.Pending(blocked) {
		p.sleep(nap)
	}
	p.Disarm()
	p.bell.Disarm()
}

// All ranks send to all others as fast as there is room, and sleep when there is nothing to do: all arrives,
// that of each pair in order.
func TestOrder(t *testing.T) {
	packets := uint32(testjob.Rounds(1500))
	inAll(t, 3, func(t *testing.T, ranks []*rank) {
		most := ranks[0].MaxPayload()
		sizes := []int{0, 8, fast.InlineSize, 8, 16, fast.InlineSize + 1, 1000, 8, 5000,
			min(most, 20_001), most}
		limit := time.Now().Add(60 * time.Second)
		// Ranks look until all have got everything, because networks want that.
		var unfinished atomic.Int32
		unfinished.Store(int32(len(ranks)))
		each(ranks, func(me int, p *rank) {
			var sent, got [3]uint32
			finished := false
			todo := 2 * 2 * packets
			for unfinished.Load() > 0 && time.Now().Before(limit) && !t.Failed() {
				if todo == 0 && !finished {
					finished = true
					unfinished.Add(-1)
				}
				var blocked []int
				before := todo
				for to := range sent {
					for to != me && sent[to] < packets {
						if !put(p, to, sizes[int(sent[to])%len(sizes)], sent[to]) {
							blocked = append(blocked, to)
							break
						}
						sent[to]++
						todo--
					}
				}
				for {
					from, number, ok := take(t, p)
					if !ok {
						break
					}
					if number != got[from] {
						t.Errorf("packet %d of rank %d comes in the place of %d", number, from, got[from])
						return
					}
					got[from]++
					todo--
				}
				if todo == before {
					p.idle(blocked)
				}
			}
			if todo > 0 && !t.Failed() {
				t.Errorf("rank %d: sent %d, got %d of %d", me, sent, got, packets)
			}
		})
		leave(ranks)
	})
}

// A sender cannot flood a receiver that does not look, and goes on when it does.
func TestRoom(t *testing.T) {
	inAll(t, 2, func(t *testing.T, ranks []*rank) {
		const n = 4000
		sent, got := uint32(0), uint32(0)
		limit := time.Now().Add(30 * time.Second)
		refused := false
		for end := time.Now().Add(10 * time.Second); !refused && time.Now().Before(end) && sent < 100_000; {
			if put(ranks[0], 1, n, sent) {
				sent++
			} else if refused = sent > 0; !refused {
				_, _, _ = ranks[0].Poll()
			}
		}
		if !refused {
			t.Fatalf("%d packets find room", sent)
		}
		more := 0
		for (more < 100 || got < sent) && time.Now().Before(limit) {
			if _, number, ok := take(t, ranks[1]); ok {
				if number != got {
					t.Fatalf("packet %d comes in the place of %d", number, got)
				}
				got++
			}
			if _, head, _ := ranks[0].Poll(); head != nil {
				t.Fatal("a packet that nobody has sent")
			}
			if more < 100 && put(ranks[0], 1, n, sent) {
				sent++
				more++
			}
		}
		if more < 100 || got != sent {
			t.Errorf("%d of %d packets have come, %d after there was room again", got, sent, more)
		}
		leave(ranks)
	})
}

// A packet wakes a rank that sleeps, if the provider has said that it does.
func TestWake(t *testing.T) {
	inAll(t, 2, func(t *testing.T, ranks []*rank) {
		const rounds = 30
		woken := 0 // in the second half: a descriptor that stays readable does so after a first message
		for round := range uint32(rounds) {
			p := ranks[1]
			p.mark++
			p.bell.Arm(p.mark)
			wakes := p.Arm(nil)
			if p.Pending(nil) {
				if _, _, ok := take(t, p); ok {
					t.Fatal("a packet that nobody has sent")
				}
				wakes = false // something of the network's own
			}
			for limit := time.Now().Add(10 * time.Second); !put(ranks[0], 1, 100, round); {
				if time.Now().After(limit) {
					t.Fatal("no room")
				}
				_, _, _ = ranks[0].Poll()
			}
			if wakes {
				if round >= rounds/2 {
					woken++
				}
				for limit := time.Now().Add(10 * time.Second); !p.sleep(time.Millisecond); {
					if _, _, _ = ranks[0].Poll(); time.Now().After(limit) {
						t.Fatal("nobody wakes the receiver")
					}
				}
			}
			p.Disarm()
			p.bell.Disarm()
			for limit := time.Now().Add(10 * time.Second); ; {
				if _, number, ok := take(t, p); ok && number == round {
					break
				}
				if _, _, _ = ranks[0].Poll(); time.Now().After(limit) {
					t.Fatal("the packet has not come")
				}
			}
		}
		if woken == 0 && !strings.Contains(t.Name(), "blind") {
			t.Error("it was never promised that the receiver is woken")
		}
		leave(ranks)
	})
}

// Payloads of zero-copy sends arrive, among others, and are completed once each. Two small packets are ahead
// of each: the first is under way as a rule, and the second waits for it.
func TestLend(t *testing.T) {
	const pieces = 60
	inAll(t, 2, func(t *testing.T, ranks []*rank) {
		l, ok := ranks[0].Provider.(transport.ZeroCopySender)
		if !ok || !l.SendsZeroCopy() {
			return
		}
		n := ranks[0].MaxPayload()
		memory, err := shm.Obtain(int64(n))
		if err != nil {
			t.Fatal(err)
		}
		defer shm.Return(memory, int64(n))
		fill := func(number int) {
			for i, b := 0, shm.Bytes(memory, int64(n)); i < n; i++ {
				b[i] = byte(number + i)
			}
		}
		limit := time.Now().Add(30 * time.Second)
		var all atomic.Bool // have come: the sender looks until then, because networks want that
		each(ranks, func(me int, p *rank) {
			for number := uint32(0); number < 3*pieces && time.Now().Before(limit) && !t.Failed(); {
				if me == 1 {
					if _, got, ok := take(t, p); !ok {
						p.idle(nil)
					} else if got != number {
						t.Errorf("packet %d comes in the place of %d", got, number)
					} else {
						number++
					}
					continue
				}
				if number%3 != 2 {
					if put(p, 1, 8, number) {
						number++
					} else {
						_, _, _ = p.Poll()
					}
					continue
				}
				size := n
				if number%2 == 0 {
					size = 4096
				}
				head := l.ReserveZeroCopy(1, size)
				if head == nil {
					_, _, _ = p.Poll()
					continue
				}
				fill(int(number))
				head.Kind, head.Ctx, head.Src = 1, number, int32(size)
				l.PublishZeroCopy(1, head, memory, size, number)
				for returned := false; !returned && time.Now().Before(limit); {
					_, _, _ = p.Poll()
					var back uint32
					if back, returned = l.Completed(); returned && back != number {
						t.Errorf("%d is returned in the place of %d", back, number)
					}
				}
				fill(int(number) + 1) // it is free
				number++
			}
			for me == 0 && !all.Load() && time.Now().Before(limit) && !t.Failed() {
				_, _, _ = p.Poll()
			}
			if me == 1 {
				all.Store(true)
			}
		})
		if time.Now().After(limit) {
			t.Error("not all has come")
		}
		leave(ranks)
	})
}
