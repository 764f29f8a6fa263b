package fast

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCartOfRecord holds what the record of a grid says against the definition: ranks are counted in
// row-major order (MPI 5.0, 8.5), and coordinates beyond an edge are those of a periodic dimension or none.
func TestCartOfRecord(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	rapid.Check(t, func(t *rapid.T) {
		const comm = uintptr(4<<25 | FirstObject + 7)
		dims := rapid.SliceOfN(rapid.Int32Range(1, 4), 1, 4).Draw(t, "dims")
		n := int32(len(dims))
		periods := rapid.SliceOfN(rapid.Int32Range(0, 1), int(n), int(n)).Draw(t, "periods")
		size := int32(1)
		for _, d := range dims {
			size *= d
		}
		me := rapid.Int32Range(0, size-1).Draw(t, "rank")
		own, rest := make([]int32, n), me
		for i := n - 1; i >= 0; i-- {
			own[i], rest = rest%dims[i], rest/dims[i]
		}
		numbers := append(append(append([]int32(nil), dims...), periods...), own...)
		err := e.AddComm(Comm{Handle: comm, Rank: me, Size: uint32(size), Targets: uint32(size),
			Topology: Topology{Kind: TopologyCart, First: n}}, CommLists{Topology: numbers}, false)
		if err != nil {
			t.Fatal(err)
		}
		defer e.DropComm(comm)
		at := make([]int32, n)
		if !CartCoords(e, comm, me, n, &at[0]) {
			t.Fatal("no coordinates of the own rank")
		}
		for i := range at {
			if at[i] != own[i] {
				t.Fatalf("coordinates %v, want %v", at, own)
			}
		}
		if CartCoords(e, comm, size, n, &at[0]) || CartCoords(e, comm, me, n-1, &at[0]) {
			t.Fatal("coordinates of what is no rank, or without room")
		}
		d, disp := rapid.Int32Range(0, n-1).Draw(t, "dimension"), rapid.Int32Range(-9, 9).Draw(t, "disp")
		var source, dest, rank int32
		if !CartShift(e, comm, d, disp, &source, &dest) || CartShift(e, comm, n, 1, &source, &dest) {
			t.Fatal("a shift in a dimension that is there fails, or in one that is not is carried out")
		}
		for _, to := range []struct{ got, by int32 }{{source, -disp}, {dest, disp}} {
			there := append([]int32(nil), own...)
			there[d] += to.by
			if !CartRank(e, comm, &there[0], &rank) {
				rank = ProcNull
			}
			if outside := there[d] < 0 || there[d] >= dims[d]; outside && periods[d] == 0 {
				if rank != ProcNull {
					t.Fatalf("a rank at %v of %v", there, dims)
				}
			} else if rank < 0 || !CartCoords(e, comm, rank, n, &at[0]) ||
				at[d] != ((there[d]%dims[d])+dims[d])%dims[d] {
				t.Fatalf("rank %d at %v of %v", rank, there, dims)
			}
			if to.got != rank {
				t.Fatalf("a shift by %d from %v leads to %d, want %d", to.by, own, to.got, rank)
			}
		}
	})
}
