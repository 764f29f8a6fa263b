package p2p

import (
	"testing"

	"gompi/shm"
)

// A nap of which nobody may wake the rank is short beside the wait so far, and a long wait takes few of them.
func TestBlindNap(t *testing.T) {
	const second = 1e9
	count := 0
	for waited := uint64(0); waited < 3*second; count++ {
		nap := uint64(blindNap(waited))
		if nap > uint64(shm.FirstNap) && nap > waited/16 {
			t.Fatalf("a nap of %d ns after %d", nap, waited)
		}
		waited += nap
	}
	if count > 300 {
		t.Errorf("%d naps in 3 s", count)
	}
}
