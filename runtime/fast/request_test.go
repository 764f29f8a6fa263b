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
	c := Comm{Ctx: p.ctx}
	r := e.post(&c, 0, 0, p.src, p.tag)
	p.number = e.index(r)
	if p.call {
		r.Call = 1
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

// Whatever is posted and taken, a message gets the oldest receive that it matches, receives are taken over
// oldest first with none left behind that could be matched instead of a later one, and every request comes
// back.
func TestPosted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, end := newEndpoint(t)
		defer end()
		var posted []posting
		contexts, sources, tags := rapid.Uint32Range(1, 3), rapid.Int32Range(0, 2), rapid.Int32Range(0, 5)
		var back []uint32 // requests of blocking calls that have to be posted again
		give := func(i uint32) {
			e.Return(i, e.Request(i).Gen+1)
			e.Request(i).Call = 0
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
				got, long := e.TakeMatching(ctx, src, tag)
				if long || got != want {
					t.Fatalf("got request %d (%v), want %d", got, long, want)
				}
				if got != NoRequest {
					if s := e.Request(got).State; s != Adopted {
						t.Fatalf("request %d is in state %d", got, s)
					}
					give(got)
				}
			},
			"take over": func(t *rapid.T) {
				ctx, tag := contexts.Draw(t, "ctx"), tags.Draw(t, "tag")
				if rapid.Bool().Draw(t, "any tag") {
					tag = AnyTag
				}
				last := -1
				for i := e.TakePosted(ctx, tag); i != NoRequest; i = e.TakePosted(ctx, tag) {
					at := slices.IndexFunc(posted, func(p posting) bool { return p.number == i })
					if at < 0 || posted[at].call || at < last {
						t.Fatalf("request %d came, which is at %d behind %d", i, at, last)
					}
					last = at
					posted = slices.Delete(posted, at, at+1)
					give(i)
				}
				var left []posting
				for _, p := range posted {
					switch {
					case e.Request(p.number).State == Returned:
						back = append(back, p.number)
						continue
					case p.tag == AnyTag, p.ctx == ctx && p.tag == tag, tag == AnyTag:
						t.Fatalf("request %d stays behind", p.number)
					}
					left = append(left, p)
				}
				posted = left
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
		for e.TakePosted(0, AnyTag) != NoRequest {
			continue
		}
		for range posted {
			// Taken or sent back, each is in use until it is returned.
			give(posted[0].number)
			posted = posted[1:]
		}
		seen := map[uint32]bool{}
		for i := e.Draw(); i != NoRequest; i = e.Draw() {
			if seen[i] || i >= MaxRequests {
				t.Fatalf("request %d is drawn twice", i)
			}
			seen[i] = true
		}
		if len(seen) != MaxRequests {
			t.Fatalf("%d requests of %d are left", len(seen), MaxRequests)
		}
	})
}

// A message is not compared with more than so many receives, and then all of the bin can be taken over.
func TestLongBin(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	for src := range int32(longBin + 1) {
		postOne(e, &posting{ctx: 1, src: src, tag: 7})
	}
	if i, long := e.TakeMatching(1, longBin, 7); !long || i != NoRequest {
		t.Errorf("the last of %d receives: request %d, %v", longBin+1, int32(i), long)
	}
	if i, long := e.TakeMatching(1, longBin-1, 7); long || i != longBin-1 {
		t.Errorf("the last but one: request %d, %v", int32(i), long)
	}
	if i, long := e.TakeMatching(1, longBin, 7); long || i != longBin {
		t.Errorf("the last of %d: request %d, %v", longBin, int32(i), long)
	}
}
