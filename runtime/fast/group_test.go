package fast

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gompi/runtime/group"
	"gompi/shm"
)

// TestGroups holds what records say of random groups against package group.
func TestGroups(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	rapid.Check(t, func(t *rapid.T) {
		const first, me = 5<<25 | FirstObject + 250, 3
		var groups [4]*group.Group
		for i := range groups {
			groups[i] = drawGroup(t)
			base, stride, table := groups[i].Form()
			g := Group{Size: uint32(groups[i].Size()),
				Rank: int32(groups[i].Rank(me)), Base: int32(base), Stride: int32(stride)}
			if err := e.AddGroup(first+uintptr(i), g, table); err != nil {
				t.Fatal(err)
			}
		}
		a, b := rapid.IntRange(0, 3).Draw(t, "a"), rapid.IntRange(0, 3).Draw(t, "b")
		ga, gb, ha, hb := groups[a], groups[b], first+uintptr(a), first+uintptr(b)
		var size, rank, result int32
		if !GroupSize(e, ha, &size) || !GroupRank(e, ha, &rank) || int(size) != ga.Size() ||
			int(rank) != ga.Rank(me) {
			t.Fatalf("rank %d of %d, want %d of %d", rank, size, ga.Rank(me), ga.Size())
		}
		want := group.Compare(ga, gb)
		if GroupCompare(e, ha, hb, &result) {
			if result != map[group.Similarity]int32{group.Identical: Ident, group.Similar: Similar,
				group.Unequal: Unequal}[want] {
				t.Fatalf("compared %d, want %d", result, want)
			}
		} else if want == group.Identical {
			t.Fatal("equal groups are left to package group")
		}
		translate(t, e, ga, gb, ha, hb)
		include(t, e, ga, ha, me)
		for i := range groups {
			e.DropGroup(first + uintptr(i))
			if GroupSize(e, first+uintptr(i), &size) {
				t.Fatal("a group says something after its end")
			}
		}
	})
}

func drawGroup(t *rapid.T) *group.Group {
	if rapid.Bool().Draw(t, "even") {
		n := rapid.IntRange(0, 12).Draw(t, "size")
		return group.Range(rapid.IntRange(0, 40).Draw(t, "base"), rapid.SampledFrom([]int{1, 2, 3, -1}).Draw(t,
			"stride"), n)
	}
	return group.New(rapid.SliceOfNDistinct(rapid.Int32Range(0, 15), 0, 12,
		func(r int32) int32 { return r }).Draw(t, "processes"))
}

// translate compares the translation of random ranks.
// include holds MPI_Group_incl of random ranks, of which some may be none or come twice, against package
// group.
func include(t *rapid.T, e *Endpoint, g *group.Group, h uintptr, me int) {
	ranks := rapid.SliceOfN(rapid.Int32Range(-1, int32(g.Size())), 1, 20).Draw(t, "included")
	if rapid.Bool().Draw(t, "differ") {
		slices.Sort(ranks)
		ranks = slices.Compact(ranks)
	}
	plain := make([]int, len(ranks))
	for i, r := range ranks {
		plain[i] = int(r)
	}
	if !e.HasPrepared(KindGroup) && !e.Prepare(KindGroup<<KindShift|FirstObject+600) {
		t.Fatal("there is no memory")
	}
	made := word()
	want, err := g.Incl(plain)
	done := GroupIncl(e, h, int32(len(ranks)), &ranks[0], addressOf(made))
	if done != (err == nil) && (done || len(ranks) <= 16) {
		t.Fatalf("ranks %v of %d: %v, want %v", ranks, g.Size(), done, err)
	}
	if !done {
		return
	}
	r := e.LoneGroup(*made)
	if r == nil || r.Rank != int32(want.Rank(me)) {
		t.Fatalf("group %#x: %+v, want own rank %d", *made, r, want.Rank(me))
	}
	got := group.FromForm(int(r.Size), int(r.Base), int(r.Stride), r.Processes())
	if group.Compare(got, want) != group.Identical || (r.Row == nil) != (len(r.Processes()) == 0) {
		t.Fatalf("group %v, want %v", got.Table(), want.Table())
	}
	if old := *made; !GroupFree(e, addressOf(made)) || e.LoneGroup(old) != nil || *made != groupNull {
		t.Fatal("the group is not freed")
	}
}

func translate(t *rapid.T, e *Endpoint, ga, gb *group.Group, ha, hb uintptr) {
	from := rapid.SliceOfN(rapid.Int32Range(-4, 12), 1, 5).Draw(t, "ranks")
	to := make([]int32, len(from))
	valid := true
	for _, r := range from {
		valid = valid && (r == ProcNull || r >= 0 && int(r) < ga.Size())
	}
	if GroupTranslateRanks(e, ha, int32(len(from)), &from[0], hb, &to[0]) != valid {
		t.Fatalf("ranks %v of %d are valid: %v", from, ga.Size(), valid)
	}
	for i, r := range from {
		want := r
		if valid && r != ProcNull {
			want = int32(gb.Rank(ga.Of(int(r))))
		}
		if valid && to[i] != want {
			t.Fatalf("rank %d becomes %d, want %d", r, to[i], want)
		}
	}
}

// Memory that records point to comes zeroed and does not overlap, and is used again.
func TestArena(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a arena
		type piece struct{ at, n uintptr }
		var live []piece
		t.Repeat(map[string]func(*rapid.T){
			"get": func(t *rapid.T) {
				n := rapid.OneOf(rapid.UintptrRange(1, 200), rapid.UintptrRange(1, 1<<17)).Draw(t, "bytes")
				at, err := a.get(n)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range live {
					if at < p.at+p.n && p.at < at+n {
						t.Fatalf("%d bytes at %#x overlap %d at %#x", n, at, p.n, p.at)
					}
				}
				for i, b := range shm.Bytes(at, int64(n)) {
					if b != 0 {
						t.Fatalf("byte %d is %d", i, b)
					}
				}
				for i := range shm.Bytes(at, int64(n)) {
					shm.Bytes(at, int64(n))[i] = 0xff
				}
				live = append(live, piece{at, n})
			},
			"put": func(t *rapid.T) {
				if len(live) == 0 {
					t.Skip("nothing is there")
				}
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				a.put(live[i].at, live[i].n)
				live = append(live[:i], live[i+1:]...)
			},
		})
		for _, p := range live {
			a.put(p.at, p.n)
		}
	})
}
