package collseg

import (
	"testing"
	"time"

	"gompi/shm"
)

// opened are the views of n ranks of MPI_COMM_WORLD's coll segments, which can read each other's memory.
func opened(t *testing.T, n int) []*Segment {
	t.Helper()
	views := make([]*Segment, n)
	for r, node := range nodes(t, n) {
		views[r] = node.New(0, r, n, itself)
		views[r].Open(0, true)
	}
	return views
}

// The rank that decides takes the quicker route after a while, and the others do as it says; each kind and
// size is apart from the others.
func TestQuickerRouteIsToldToAll(t *testing.T) {
	for _, first := range []Route{Shared, Single} {
		views := opened(t, 3)
		const n = 100 << 10
		for range 200 {
			w, m := views[1].PickRoute(Alltoalls, n, first)
			for r, a := range views {
				if told := a.ToldRoute(1, Alltoalls, n, first); told != w {
					t.Fatalf("rank %d goes route %d, rank 1 has chosen %d", r, told, w)
				}
			}
			if m.On() {
				if m.since = shm.Now() - 1000; w == first {
					m.since -= uint64(time.Millisecond)
				}
				m.End()
			}
		}
		if w := views[0].ToldRoute(1, Alltoalls, n, first); w == first {
			t.Errorf("all go route %d, which takes much longer", w)
		}
		for _, other := range []struct {
			decider int
			k       Kind
			n       int64
		}{{0, Alltoalls, n}, {1, Allgathers, n}, {1, Alltoalls, 10 * n}} {
			if w := views[2].ToldRoute(other.decider, other.k, other.n, first); w != first {
				t.Errorf("kind %d of %d bytes goes route %d where rank %d has chosen nothing", other.k, other.n, w,
					other.decider)
			}
		}
	}
}

// There is no choice for little data, where ranks cannot read each other's memory, and where it is set.
func TestRouteWithoutChoice(t *testing.T) {
	a := opened(t, 2)[0]
	check := func(what string, n int64, first, want Route) {
		t.Helper()
		for range 100 {
			if w, m := a.PickRoute(Bcasts, n, first); w != want || m.On() {
				t.Fatalf("%s: route %d, measured: %v", what, w, m.On())
			}
			if w := a.ToldRoute(1, Bcasts, n, first); w != want {
				t.Fatalf("%s: told route %d", what, w)
			}
		}
	}
	check("little data", LeastSingle, Shared, Shared)
	check("little data of many", LeastSingle, Single, Single)
	a.PinRoute(Single, true)
	check("set", LeastSingle+1, Shared, Single)
	a.PinRoute(Shared, true)
	check("set", 1<<30, Single, Shared)
	a.PinRoute(Single, true)
	a.SetDirect(false)
	check("out of reach", 1<<30, Single, Shared)
}

// A communicator in the memory of an earlier one knows nothing of what that has told.
func TestRoutesBeginAnew(t *testing.T) {
	a := opened(t, 2)[0]
	for i := 0; a.ToldRoute(0, Gathers, 1<<20, Shared) == Shared; i++ {
		if _, m := a.PickRoute(Gathers, 1<<20, Shared); i > 1000 {
			t.Fatal("the other route is never tried")
		} else {
			m.End()
		}
	}
	a.Open(0, true)
	if a.ToldRoute(0, Gathers, 1<<20, Shared) != Shared {
		t.Error("an earlier communicator's route is taken")
	}
}

// An operation in which a part of a chunk area is touched for the first time says nothing of its route: its
// owner and each reader touch it.
func TestFirstTouchIsNotCounted(t *testing.T) {
	views := opened(t, 2)
	const n = 100 << 10
	for r := range views {
		a := views[r]
		_, m := a.PickRoute(Bcasts, n, Shared)
		if !m.On() {
			t.Fatal("the first operation is not measured")
		}
		at := shm.Word32(a.chunk(0, shm.CollChunkSize, shm.CollChunkSize)) // of rank 0, in the area
		if r == 0 {
			*at = 7
		} else if *at != 7 {
			t.Error("a reader's touch changes the data")
		}
		m.since -= uint64(time.Hour)
		if m.End(); a.routes.sizes[Bcasts].Of(n).Known() {
			t.Errorf("rank %d counts the first touch", r)
		}
		for !a.routes.sizes[Bcasts].Of(n).Known() {
			_, m = a.PickRoute(Bcasts, n, Shared)
			a.chunk(0, shm.CollChunkSize, shm.CollChunkSize)
			m.since -= uint64(time.Hour)
			m.End()
		}
	}
}
