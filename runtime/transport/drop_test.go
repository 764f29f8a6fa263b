package transport_test

import (
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/internal/testjob/mock"
	"gompi/runtime/transport/network"
	"gompi/shm"
)

// What waits for a peer that never answers is forgotten when the peer has died, and so is what is sent to it
// later: nobody takes naps for its sake any more, and memory of zero-copy sends comes back.
func TestBury(t *testing.T) {
	const dead, size = 1, 4096
	ranks := overMock(t, 3, mock.Behaviour{Like: "net", Forget: 1})
	p := ranks[0].Provider.(*network.Provider)
	memory, err := shm.Obtain(size)
	if err != nil {
		t.Fatal(err)
	}
	defer shm.Return(memory, size)
	send := func(number uint32) {
		head := p.ReserveZeroCopy(dead, size)
		if head == nil {
			t.Fatal("there is no room")
		}
		p.PublishZeroCopy(dead, head, memory, size, number)
	}
	send(1)
	send(2)
	for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
		_, _, _ = p.Poll()
	}
	if _, ok := p.Completed(); ok || !p.Refused() {
		t.Fatal("packets went to a peer that has not answered")
	}
	p.DropPeer(dead)
	send(3)
	for number := uint32(1); number <= 3; number++ {
		if got, ok := p.Completed(); !ok || got != number {
			t.Errorf("%d, %v comes back in the place of %d", got, ok, number)
		}
	}
	for limit := time.Now().Add(testjob.Limit); p.Held() && time.Now().Before(limit); {
		_, _, _ = p.Poll()
	}
	if p.Refused() || p.Held() {
		t.Error("something waits for the dead")
	}

	put(ranks[0], 2, 8, 0) // the living are not concerned
	for limit := time.Now().Add(testjob.Limit); ; {
		_, _, _ = p.Poll()
		if _, _, ok := take(t, ranks[2]); ok {
			break
		}
		if time.Now().After(limit) {
			t.Fatal("a packet to another peer does not come")
		}
	}
}
