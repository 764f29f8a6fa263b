package transport_test

import (
	"testing"
	"time"

	"gompi/fabric"
	"gompi/internal/testjob/mock"
	"gompi/runtime/transport/network"
)

// Ranks die one after another while messages of theirs are written into the buffers of rank 0. What the last
// one sends arrives all the same, unharmed: no buffer is used again into which somebody writes, and none is
// missing for ever.
func TestTorn(t *testing.T) {
	const ranks, packets, n = 24, 4000, 30_000
	all := overMock(t, ranks, mock.Behaviour{Like: "net", Streams: 20, Slow: 90})
	last := ranks - 1
	sent, dead := uint32(0), 1
	var got [ranks]uint32
	for limit := time.Now().Add(2 * time.Minute); got[last] < packets; {
		if time.Now().After(limit) {
			t.Fatalf("%d of %d packets have come, %d were sent, and %d ranks have died", got[last], packets,
				sent, dead)
		}
		if sent < packets && put(all[last], 0, n, sent) {
			sent++
		}
		_, _, _ = all[last].Poll()
		if dead < last {
			if number := got[dead]; number < 40 {
				put(all[dead], 0, n, number)
				_, _, _ = all[dead].Poll()
			} else {
				all[dead].Provider.(*network.Provider).Close()
				dead++
			}
		}
		from, number, ok := take(t, all[0])
		if ok {
			if from == last && number != got[last] {
				t.Fatalf("packet %d comes in the place of %d", number, got[last])
			}
			got[from]++
		}
	}
	if dead != last {
		t.Errorf("only %d ranks have died", dead)
	}
}

// A rank dies while the last message that a buffer takes is written, and one of another rank still is:
// nothing else is received where that one goes.
func TestTornLast(t *testing.T) {
	net := mock.Opener(mock.Behaviour{Like: "net"}, 0)
	received := make(map[uint32][]uintptr)
	var next []fabric.Completion
	seg, _ := newJob(t, 3)
	p := openRank(t, seg, 0, 3, true, func(o fabric.Opening) (fabric.Opened, error) {
		opened, err := net(o)
		opened.Endpoint = scripted{opened.Endpoint, received, &next}
		return opened, err
	})
	next = append(next, fabric.Completion{Number: 2, Error: -107, Received: 1, Ended: 1})
	_, _, _ = p.Poll()
	if at := received[2]; len(at) != 2 || at[0] == at[1] {
		t.Errorf("buffer 2 was offered at %#x", at)
	}
}

// scripted is an endpoint whose completions are given, and which notes where each buffer is offered.
type scripted struct {
	fabric.Endpoint
	received map[uint32][]uintptr
	next     *[]fabric.Completion
}

func (s scripted) Receive(number uint32, at uintptr, n int) fabric.Result {
	s.received[number] = append(s.received[number], at)
	return 0
}

func (s scripted) Done() []fabric.Completion {
	done := *s.next
	*s.next = nil
	return done
}
