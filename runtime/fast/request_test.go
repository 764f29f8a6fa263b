package fast

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gompi/shm"
)

// posting is a posted receive as the model keeps it.
type posting struct {
	number   uint32
	ctx      uint32
	src, tag int32
	call     bool
}

func (p *posting) matches(ctx uint32, src, tag int32) bool {
	return p.ctx == ctx && (p.src == src || p.src == AnySource) && (p.tag == tag || p.tag == AnyTag)
}

// postOne posts a receive.
func postOne(e *Endpoint, p *posting) {
	e.RoomToPost()
	c := Comm{Ctx: p.ctx}
	r := e.postNew(&c, 0, nil, 0, p.src, p.tag)
	p.number = e.index(r)
	if p.call {
		r.Flags |= InCall
	}
}

// newEndpoint is the endpoint of a rank alone on its node, until end is called.
func newEndpoint(t rapid.TB) (e *Endpoint, end func()) {
	s, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = New(s, 0, 1); err != nil {
		t.Fatal(err)
	}
	return e, s.Close
}

// Whatever is posted and taken out, a message gets the oldest receive that it matches, and every request
// comes back.
func TestPosted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, end := newEndpoint(t)
		defer end()
		var posted []posting
		contexts, sources, tags := rapid.Uint32Range(1, 3), rapid.Int32Range(0, 2), rapid.Int32Range(0, 5)
		var back []uint32 // requests of blocking calls that have to be posted again
		give := func(i uint32) {
			e.Return(e.Request(i), e.Request(i).Gen+1)
		}
		t.Repeat(map[string]func(*rapid.T){
			"post": func(t *rapid.T) {
				p := posting{ctx: contexts.Draw(t, "ctx"), src: sources.Draw(t, "src"),
					tag: tags.Draw(t, "tag"), call: rapid.IntRange(0, 4).Draw(t, "call") == 0}
				if rapid.Bool().Draw(t, "any source") {
					p.src = AnySource
				}
				if rapid.IntRange(0, 5).Draw(t, "any tag") == 0 {
					p.tag = AnyTag
				}
				postOne(e, &p)
				posted = append(posted, p)
			},
			"message": func(t *rapid.T) {
				ctx, src, tag := contexts.Draw(t, "ctx"), sources.Draw(t, "src"), tags.Draw(t, "tag")
				want := NoRequest
				for i := 0; i < len(posted); {
					p := posted[i]
					if !p.matches(ctx, src, tag) {
						i++
						continue
					}
					posted = slices.Delete(posted, i, i+1)
					if !p.call {
						want = p.number
						break
					}
					back = append(back, p.number)
				}
				if got := e.oldest(ctx, src, tag); len(back) == 0 && got != want {
					t.Fatalf("the oldest is request %d, want %d", got, want)
				}
				got := e.TakeMatching(ctx, src, tag)
				if got != want {
					t.Fatalf("got request %d, want %d", got, want)
				}
				if got != NoRequest {
					give(got)
				}
			},
			"take out": func(t *rapid.T) {
				if len(posted) == 0 {
					return
				}
				i := rapid.IntRange(0, len(posted)-1).Draw(t, "which")
				e.Unpost(e.Request(posted[i].number))
				give(posted[i].number)
				posted = slices.Delete(posted, i, i+1)
			},
			"": func(t *rapid.T) {
				for _, i := range back {
					if s := e.Request(i).State; s != Returned {
						t.Fatalf("the request %d of a blocking call is in state %d", i, s)
					}
					give(i)
				}
				back = back[:0]
				if int(e.Posted) != len(posted) {
					t.Fatalf("%d posted, want %d", e.Posted, len(posted))
				}
			},
		})
		for _, p := range posted {
			e.Unpost(e.Request(p.number))
			give(p.number)
		}
		seen := map[uint32]bool{}
		for i := e.Draw(); i != NoRequest; i = e.Draw() {
			if seen[i] || i >= e.RequestsMade {
				t.Fatalf("request %d is drawn twice", i)
			}
			seen[i] = true
		}
		if len(seen) != int(e.RequestsMade) || e.Wild|e.WildTags|e.WildSources != 0 {
			t.Fatalf("%d requests of %d are left, and %d posted ones with wildcards", len(seen), e.RequestsMade, e.Wild)
		}
	})
}

// However many receives are posted, each is found, the oldest of those with one key first, and there are bins
// and requests for them.
func TestManyPosted(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	const keys, each = 5000, 3
	numbers := [keys][each]uint32{}
	for round := range each {
		for k := range keys {
			if e.Free == e.RequestsMade && !e.MoreRequests() {
				t.Fatal("there is no memory for more requests")
			}
			p := posting{ctx: 1, src: int32(k % 70), tag: int32(k / 70)}
			if k%7 == 0 {
				p.src = AnySource
				p.tag += 1000
			}
			postOne(e, &p)
			numbers[k][round] = p.number
		}
	}
	if e.BinCount() < keys*each/binLoad/2 {
		t.Errorf("%d receives stand in %d bins", keys*each, e.BinCount())
	}
	for round := range each {
		for k := keys - 1; k >= 0; k-- {
			tag := int32(k / 70)
			if k%7 == 0 {
				tag += 1000
			}
			if i := e.oldest(1, int32(k%70), tag); k%7 != 0 && i != numbers[k][round] {
				t.Fatalf("round %d, key %d: request %d, want %d", round, k, i, numbers[k][round])
			}
			i := e.TakeMatching(1, int32(k%70), tag)
			if k%7 != 0 && i != numbers[k][round] || i == NoRequest {
				t.Fatalf("round %d, key %d: request %d is taken, want %d", round, k, i, numbers[k][round])
			}
		}
	}
	if e.Posted != 0 || e.Draw() == NoRequest {
		t.Errorf("%d receives are left", e.Posted)
	}
}
