package fast

import (
	"sync"
	"sync/atomic"
	"testing"
)

// word is memory that does not move, as the program's.
//
//go:noinline
func word() *uintptr { return new(uintptr) }

// TestRecordsOfManyThreads has threads make and free operations by few records, while Go adopts some of them.
// A handle that has been freed names nothing, and no two threads have the same object.
func TestRecordsOfManyThreads(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	const records, threads, rounds = 8, 4, 3000
	next := uintptr(KindOp<<KindShift | FirstObject + 250)
	for range records {
		if !e.Prepare(next) {
			t.Fatal("there is no memory")
		}
		next++
	}
	var adopted, refused atomic.Int32
	var all sync.WaitGroup
	var ending sync.Mutex
	for thread := range uintptr(threads) {
		all.Go(func() {
			op := word()
			for round := range uintptr(rounds) {
				function := thread<<32 | round<<1 | 1
				if !OpCreate(e, function, int32(round&1), addressOf(op)) {
					refused.Add(1)
					continue
				}
				handle := *op
				r := e.LoneOp(*op)
				if r == nil || r.Function != function || r.Large != 0 || r.Commutes != uint32(round&1) {
					t.Errorf("operation %#x: %+v", *op, r)
				}
				if round%3 == 0 {
					if !e.Claim(*op) || e.Claim(*op) {
						t.Errorf("operation %#x is not adopted once", *op)
					}
					adopted.Add(1)
				}
				if !OpFree(e, addressOf(op)) || *op != opNull || e.operation(handle) != nil {
					t.Errorf("operation %#x is not freed", handle)
				}
				if *op = handle; OpFree(e, addressOf(op)) {
					t.Errorf("operation %#x is freed twice", handle)
				}
				ending.Lock()
				e.EndRetired(func(h uintptr) {
					adopted.Add(-1)
					e.DropOp(h)
					e.Prepare(NextHandle(h))
				})
				ending.Unlock()
			}
		})
	}
	all.Wait()
	free := 0
	for e.takeRecord(KindOp) != 0 {
		free++
	}
	if free != records || adopted.Load() != 0 || refused.Load() != 0 {
		t.Fatalf("%d of %d records are free, %d adopted, %d calls refused", free, records, adopted.Load(),
			refused.Load())
	}
}

// TestHandlesOfOnePlace are as many as there are generations.
func TestHandlesOfOnePlace(t *testing.T) {
	const first = KindGroup<<KindShift | FirstObject + 7
	seen := map[uintptr]bool{}
	for h := uintptr(first); !seen[h]; h = NextHandle(h) {
		if seen[h] = true; h>>KindShift != KindGroup || h&objectMask != FirstObject+7 {
			t.Fatalf("handle %#x is of another place", h)
		}
	}
	if len(seen) != 1<<(KindShift-ObjectBits) || !seen[first] {
		t.Fatalf("%d handles", len(seen))
	}
}
