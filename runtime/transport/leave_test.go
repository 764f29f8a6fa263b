package transport_test

import (
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/internal/testjob/mock"
	"gompi/runtime/transport/network"
)

// A rank that leaves waits for a peer that lives and is late, although another one has failed. It does not
// wait for that one: neither leave would end.
func TestLeaveAfterFailure(t *testing.T) {
	const failed = 2
	ranks := overMock(t, 3, mock.Behaviour{Like: "tcp"})
	first, late := ranks[0].Provider.(*network.Provider), ranks[1].Provider.(*network.Provider)
	hasFailed := func(rank int) bool { return rank == failed }
	put(ranks[failed], 0, 8, 0)
	put(ranks[failed], 1, 8, 0)
	got := 0
	for until := time.Now().Add(testjob.Limit); got < 2 && time.Now().Before(until); {
		for _, p := range ranks[:2] {
			if _, _, ok := take(t, p); ok {
				got++
			}
		}
		_, _, _ = ranks[failed].Poll()
	}
	if got < 2 {
		t.Fatal("the packets of the rank that is to fail have not come")
	}
	ranks[failed].Provider.(*network.Provider).Close()

	put(ranks[0], 1, 8, 0)
	left := make(chan bool, 2)
	leave := func(p *network.Provider) {
		p.Leave(hasFailed, 10*testjob.Limit)
		left <- true
	}
	go leave(first)
	watchdog := time.After(testjob.Limit)
	for _, _, ok := take(t, ranks[1]); !ok; _, _, ok = take(t, ranks[1]) {
		select {
		case <-watchdog:
			t.Fatal("what was sent before the leave has not come")
		default:
		}
	}
	select {
	case <-left:
		t.Fatal("the first one left without the other one")
	case <-time.After(100 * time.Millisecond): // it has had the time to
	}
	go leave(late)
	for range 2 {
		select {
		case <-left:
		case <-watchdog:
			t.Fatal("they do not leave")
		}
	}
}
