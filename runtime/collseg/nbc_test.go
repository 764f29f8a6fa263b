package collseg

import (
	"testing"

	"pgregory.net/rapid"

	"gompi/runtime/fast"
	"gompi/shm"
)

// step is one operation under way on one rank.
type step struct {
	k         uint64
	published bool
	read      map[int]bool // ranks whose data has been read
}

// content is what a rank publishes in an operation.
func content(k uint64, rank int) uint64 { return k*1000 + uint64(rank) }

// TestBoard has ranks begin, publish, read and end operations of one row in any order that is allowed, and
// checks that each reads what the others publish in that operation: that nothing is written again before all
// are done with it.
func TestBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "ranks")
		seg, err := shm.CreateJob(n)
		if err != nil {
			t.Fatal(err)
		}
		defer seg.Close()
		ranks := make([]int, n)
		for r := range ranks {
			ranks[r] = r
		}
		rows, under := make([]*fast.CellRing, n), make([][]step, n)
		persistent := rapid.Bool().Draw(t, "persistent")
		last := rapid.Uint64Range(0, 50).Draw(t, "last")
		for r := range n {
			node, err := NewNode(seg, r, ranks, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := node.Enter(3, node.ReserveAddresses()); err != nil {
				t.Fatal(err)
			}
			b := node.NewNbc(3, r, n, func(i int) int { return i })
			b.Open(last)
			if rows[r] = b.Nonblocking(); persistent {
				if rows[r], err = b.Reserve(); err != nil {
					t.Fatal(err)
				}
			}
		}
		ended := make([]int, n)
		for range rapid.IntRange(1, 600).Draw(t, "actions") {
			r := rapid.IntRange(0, n-1).Draw(t, "rank")
			w := rows[r]
			if len(under[r]) == 0 || len(under[r]) < 30 && rapid.IntRange(0, 3).Draw(t, "begin") == 0 {
				under[r] = append(under[r], step{k: w.Number(w.Draw(1)), read: map[int]bool{}})
				continue
			}
			i := rapid.IntRange(0, len(under[r])-1).Draw(t, "operation")
			s := &under[r][i]
			switch {
			case !w.Admits(s.k):
			case !s.published:
				if w.Free(s.k, 8) {
					*shm.Word64(w.OwnData(s.k, 8)) = content(s.k, r)
					w.Publish(s.k)
					s.published = true
				}
			default:
				for p := range n {
					if s.read[p] || !w.Published(uint32(p), s.k) {
						continue
					}
					said := w.Said(uint32(p), s.k)
					if got := *shm.Word64(w.Data(uint32(p), s.k, said)); got != content(s.k, p) || said != 8 {
						t.Fatalf("rank %d reads %d of rank %d in operation %d", r, got, p, s.k)
					}
					s.read[p] = true
				}
				if len(s.read) == n {
					w.End(s.k)
					under[r] = append(under[r][:i], under[r][i+1:]...)
					ended[r]++
				}
			}
		}
		// What has been begun by all ends.
		for again := true; again; {
			again = false
			for r, w := range rows {
				for i := 0; i < len(under[r]); i++ {
					s := &under[r][i]
					if !s.published && w.Admits(s.k) && w.Free(s.k, 8) {
						*shm.Word64(w.OwnData(s.k, 8)) = content(s.k, r)
						w.Publish(s.k)
						s.published, again = true, true
					}
					if all := s.published; all {
						for p := range n {
							all = all && (s.read[p] || w.Published(uint32(p), s.k))
						}
						if all {
							w.End(s.k)
							under[r] = append(under[r][:i], under[r][i+1:]...)
							ended[r]++
							i--
							again = true
						}
					}
				}
			}
		}
		for r := range n {
			for _, s := range under[r] {
				for p := range n {
					if ended[p] > ended[r] && s.k <= rows[p].Through && s.published {
						t.Fatalf("operation %d has ended on rank %d and cannot on rank %d", s.k, p, r)
					}
				}
			}
			if !persistent && rows[r].Through != rows[r].Before+uint64(ended[r]) && len(under[r]) == 0 {
				t.Fatalf("rank %d is done with operations up to %d, want %d", r, rows[r].Through, rows[r].Before+uint64(ended[r]))
			}
		}
	})
}
