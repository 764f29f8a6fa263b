package fast

import (
	"slices"
	"testing"

	"gompi/shm"

	"pgregory.net/rapid"
)

// addComm makes a record of a communicator whose ranks follow each other evenly.
func addComm(t rapid.TB, e *Endpoint, c Comm) {
	t.Helper()
	if err := e.AddComm(c, CommLists{}, true); err != nil {
		t.Fatal(err)
	}
}

// made is a communicator that a test has made.
type made struct {
	c        Comm
	row      []int32
	messages bool
}

// within reports whether all its targets are on a node of that many ranks.
func (m *made) within(nodes int32) bool {
	return !slices.ContainsFunc(m.row, func(r int32) bool { return r < 0 || r >= nodes })
}

// TestComms holds the records of communicators against a map: each handle that lives tells what was made, in
// whatever order its ranks are, and no other handle tells anything.
func TestComms(t *testing.T) {
	s, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 1 << 10
		e, err := New(s, 0, 2)
		if err != nil {
			t.Fatal(err)
		}
		e.N = nodes
		live, gone := map[uintptr]made{}, map[uintptr]bool{}
		generation := func(g uintptr) uintptr { return 4<<25 | g<<ObjectBits | FirstObject + 5 }
		handles := rapid.OneOf(rapid.UintptrRange(0x101, 0x103),
			rapid.UintptrRange(FirstObject, FirstObject+3),
			rapid.UintptrRange(1<<25|1<<ObjectBits-3, 1<<25|1<<ObjectBits-1),
			rapid.Map(rapid.UintptrRange(0, 1), generation))
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				h := handles.Draw(t, "handle")
				if e.commAt(h) != nil && e.commAt(h).Handle != 0 {
					t.Skip("taken")
				}
				n := rapid.IntRange(1, 40).Draw(t, "targets")
				m := made{c: Comm{Handle: h, Rank: rapid.Int32Range(0, 9).Draw(t, "rank"), Size: uint32(n + 1),
					Targets: uint32(n), Base: 3, Stride: 2}, messages: rapid.Bool().Draw(t, "messages")}
				if rapid.Bool().Draw(t, "row") {
					m.row = rapid.SliceOfN(rapid.Int32Range(0, nodes-1), n, n).Draw(t, "nodes")
				}
				if rapid.IntRange(0, 5).Draw(t, "away") == 0 && m.row != nil {
					m.row[n-1], m.messages = rapid.SampledFrom([]int32{-1, nodes}).Draw(t, "elsewhere"), false
				}
				away := m.row != nil && !m.within(nodes)
				if err := e.AddComm(m.c, CommLists{Row: m.row}, m.messages || away); err != nil {
					t.Fatal(err)
				}
				live[h] = m
				delete(gone, h)
			},
			"hide": func(t *rapid.T) {
				h := handles.Draw(t, "handle")
				e.HideComm(h)
				if m, ok := live[h]; ok {
					m.messages = false
					live[h] = m
				}
			},
			"drop": func(t *rapid.T) {
				h := handles.Draw(t, "handle")
				e.DropComm(h)
				delete(live, h)
				gone[h] = true
			},
			"": func(t *rapid.T) {
				for h := range gone {
					if e.known(h) != nil || e.comm(h) != nil {
						t.Fatalf("%#x names a record after its end", h)
					}
				}
				if e.known(0) != nil || e.comm(0) != nil {
					t.Fatal("0 names a record")
				}
				for h, m := range live {
					var rank, size int32
					if !CommRank(e, h, &rank) || !CommSize(e, h, &size) || rank != m.c.Rank ||
						uint32(size) != m.c.Size {
						t.Fatalf("%#x: rank %d of %d, want %+v", h, rank, size, m.c)
					}
					c := e.comm(h)
					if (c != nil) != m.messages {
						t.Fatalf("%#x: messages are carried out: %v", h, c != nil)
					}
					for r := range int32(m.c.Targets) {
						want := 3 + 2*r
						if m.row != nil {
							want = m.row[r]
						}
						if c != nil && e.node(c, r) != uint32(want) {
							t.Fatalf("%#x: node rank %d of rank %d, want %d", h, e.node(c, r), r, want)
						}
					}
				}
			},
		})
	})
}
