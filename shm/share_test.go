package shm

import (
	"sync"
	"testing"
)

// Both sides together take every byte of a copy once; nobody takes part in one that is over.
func TestShare(t *testing.T) {
	s, err := CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pair, _, err := s.Pair(2, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	const total = 100_003
	for round := range uint16(50) {
		share := ShareIn(pair, int(round)%Shares, round)
		share.Open()
		taken := make([]byte, total)
		var wg sync.WaitGroup
		for side := range int64(2) {
			wg.Go(func() {
				for {
					at, n := share.Take(7+side*90, total)
					if n == 0 {
						return
					}
					for i := range n {
						taken[at+i]++
					}
				}
			})
		}
		wg.Wait()
		for i, n := range taken {
			if n != 1 {
				t.Fatalf("byte %d was taken %d times", i, n)
			}
		}
		old := ShareIn(pair, int(round)%Shares, round)
		share.Close()
		if _, n := old.Take(1, total*2); n != 0 {
			t.Fatal("something could be taken after the end")
		}
	}
}
