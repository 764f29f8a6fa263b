package transport_test

import (
	"testing"
	"time"

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
