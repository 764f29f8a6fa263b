package transport_test

import (
	"testing"
	"time"

	"gompi/runtime/transport/mock"
	"gompi/runtime/transport/ofi"
)

// A rank that leaves waits for a peer that lives and is late, although another one has failed. It does not
// wait for that one.
func TestLeaveAfterFailure(t *testing.T) {
	const failed = 2
	ranks := overMock(t, 3, mock.Behaviour{Like: "tcp"})
	first, late := ranks[0].Provider.(*ofi.Provider), ranks[1].Provider.(*ofi.Provider)
	hasFailed := func(rank int) bool { return rank == failed }
	put(ranks[failed], 0, 8, 0)
	put(ranks[failed], 1, 8, 0)
	got := 0
	for until := time.Now().Add(10 * time.Second); got < 2 && time.Now().Before(until); {
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
	ranks[failed].Provider.(*ofi.Provider).Close()

	put(ranks[0], 1, 8, 0)
	begin := time.Now()
	left := make(chan time.Duration)
	go func() {
		first.Leave(hasFailed)
		left <- time.Since(begin)
	}()
	const delay = 300 * time.Millisecond
	time.Sleep(delay)
	for _, _, ok := take(t, ranks[1]); !ok; _, _, ok = take(t, ranks[1]) {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("what was sent before the leave has not come")
		}
	}
	late.Leave(hasFailed)
	if own := time.Since(begin); own > delay+time.Second {
		t.Errorf("the last one took %v to leave", own)
	}
	if took := <-left; took < delay || took > delay+time.Second {
		t.Errorf("the first one left after %v, the other one began to after %v", took, delay)
	}
}
