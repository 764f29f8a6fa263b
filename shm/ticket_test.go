package shm

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// posting is a posted receive as the model keeps it.
type posting struct {
	ticket   uint32
	ctx      uint32
	src, tag int32
	call     bool
}

func (p *posting) matches(ctx uint32, src, tag int32) bool {
	return p.ctx == ctx && (p.src == src || p.src == AnySource) && (p.tag == tag || p.tag == AnyTag)
}

// postTicket does what the stub of MPI_Irecv does.
func postTicket(l *Lane, p *posting) {
	p.ticket = l.Draw()
	t := l.Ticket(p.ticket)
	*t = Ticket{State: TicketPosted, Gen: t.Gen, Next: NoTicket, Ctx: p.ctx, Src: p.src, Tag: p.tag, Order: l.Postings}
	if p.call {
		t.Call = 1
	}
	l.Postings++
	l.Posted++
	if bin := l.BinOf(p.ctx, p.tag); bin.First == NoTicket {
		bin.First, bin.Last = p.ticket, p.ticket
	} else {
		l.Ticket(bin.Last).Next = p.ticket
		bin.Last = p.ticket
	}
}

// emptyLane is a lane on which nothing is posted, until end is called.
func emptyLane(t rapid.TB) (l *Lane, end func()) {
	size := laneSize(1)
	mem, err := private(size)
	if err != nil {
		t.Fatal(err)
	}
	l = laneAt(mem, 1)
	l.initBins()
	return l, func() { unmap(mem, int64(size)) }
}

// Whatever is posted and taken, a message gets the oldest receive that it matches, receives are taken over oldest first with
// none left behind that could be matched instead of a later one, and every ticket comes back.
func TestPostedTickets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, end := emptyLane(t)
		defer end()
		var posted []posting
		contexts, sources, tags := rapid.Uint32Range(1, 3), rapid.Int32Range(0, 2), rapid.Int32Range(0, 5)
		var back []uint32 // tickets of blocking calls that have to be posted again
		give := func(i uint32) {
			l.Return(i, l.Ticket(i).Gen+1)
			l.Ticket(i).Call = 0
		}
		t.Repeat(map[string]func(*rapid.T){
			"post": func(t *rapid.T) {
				p := posting{ctx: contexts.Draw(t, "ctx"), src: sources.Draw(t, "src"), tag: tags.Draw(t, "tag"), call: rapid.IntRange(0, 4).Draw(t, "call") == 0}
				if rapid.Bool().Draw(t, "any source") {
					p.src = AnySource
				}
				if rapid.IntRange(0, 5).Draw(t, "any tag") == 0 {
					p.tag = AnyTag
				}
				postTicket(l, &p)
				posted = append(posted, p)
			},
			"message": func(t *rapid.T) {
				ctx, src, tag := contexts.Draw(t, "ctx"), sources.Draw(t, "src"), tags.Draw(t, "tag")
				want := NoTicket
				for i := 0; i < len(posted); {
					p := posted[i]
					if !p.matches(ctx, src, tag) {
						i++
						continue
					}
					posted = slices.Delete(posted, i, i+1)
					if !p.call {
						want = p.ticket
						break
					}
					back = append(back, p.ticket)
				}
				got, long := l.TakeMatching(ctx, src, tag)
				if long || got != want {
					t.Fatalf("got ticket %d (%v), want %d", got, long, want)
				}
				if got != NoTicket {
					if s := l.Ticket(got).State; s != TicketLent {
						t.Fatalf("ticket %d is in state %d", got, s)
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
				for i := l.TakePosted(ctx, tag); i != NoTicket; i = l.TakePosted(ctx, tag) {
					at := slices.IndexFunc(posted, func(p posting) bool { return p.ticket == i })
					if at < 0 || posted[at].call || at < last {
						t.Fatalf("ticket %d came, which is at %d behind %d", i, at, last)
					}
					last = at
					posted = slices.Delete(posted, at, at+1)
					give(i)
				}
				var left []posting
				for _, p := range posted {
					switch {
					case l.Ticket(p.ticket).State == TicketBack:
						back = append(back, p.ticket)
						continue
					case p.tag == AnyTag, p.ctx == ctx && p.tag == tag, tag == AnyTag:
						t.Fatalf("ticket %d stays behind", p.ticket)
					}
					left = append(left, p)
				}
				posted = left
			},
			"": func(t *rapid.T) {
				for _, i := range back {
					if s := l.Ticket(i).State; s != TicketBack {
						t.Fatalf("the ticket %d of a blocking call is in state %d", i, s)
					}
					give(i)
				}
				back = back[:0]
				if int(l.Posted) != len(posted) {
					t.Fatalf("%d posted, want %d", l.Posted, len(posted))
				}
			},
		})
		for l.TakePosted(0, AnyTag) != NoTicket {
			continue
		}
		for range posted {
			// Taken or sent back, each is in use until it is returned.
			give(posted[0].ticket)
			posted = posted[1:]
		}
		seen := map[uint32]bool{}
		for i := l.Draw(); i != NoTicket; i = l.Draw() {
			if seen[i] || i >= Tickets {
				t.Fatalf("ticket %d is drawn twice", i)
			}
			seen[i] = true
		}
		if len(seen) != Tickets {
			t.Fatalf("%d tickets of %d are left", len(seen), Tickets)
		}
	})
}

// A message is not compared with more than so many receives, and then all of the bin can be taken over.
func TestLongBin(t *testing.T) {
	l, end := emptyLane(t)
	defer end()
	for src := range int32(LongBin + 1) {
		postTicket(l, &posting{ctx: 1, src: src, tag: 7})
	}
	if i, long := l.TakeMatching(1, LongBin, 7); !long || i != NoTicket {
		t.Errorf("the last of %d receives: ticket %d, %v", LongBin+1, int32(i), long)
	}
	if i, long := l.TakeMatching(1, LongBin-1, 7); long || i != LongBin-1 {
		t.Errorf("the last but one: ticket %d, %v", int32(i), long)
	}
	if i, long := l.TakeMatching(1, LongBin, 7); long || i != LongBin {
		t.Errorf("the last of %d: ticket %d, %v", LongBin, int32(i), long)
	}
}
