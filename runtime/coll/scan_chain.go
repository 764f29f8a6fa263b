package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Scans by messages from each rank to the next, in pieces: while one piece goes on, the next comes. Less is
// sent and combined than where the distance doubles, and where ranks share cores nobody waits in vain for
// long.

// link is how much goes on at a time, in bytes.
const link = 256 << 10

// chained reports whether a scan of n bytes is for that.
func (t *Team) chained(n int64) bool {
	return (n >= chainLong || t.size <= chainFew) && t.c.OnOneNode()
}

// linksOf divides b for a chain.
func linksOf(b datatype.Buffer) division {
	return division{b.Count, max(link/max(b.Type.Size(), 1), 1)}
}

// scanChain combines what comes from below with recv, which holds this rank's contribution, and passes that
// on.
func (t *Team) scanChain(recv datatype.Buffer, o *op.Op) {
	t.countAmongAll(tool.Chain)
	p := linksOf(recv)
	room := t.like(p.of(recv, 0))
	n := p.steps()
	for k := uint64(0); k <= n; k++ {
		in, out := recv.Slice(0, 0), recv.Slice(0, 0)
		if k < n && t.rank > 0 {
			in = room.Slice(0, p.of(recv, k).Count)
		}
		if k > 0 && t.rank < t.size-1 {
			out = p.of(recv, k-1)
		}
		t.exchange(out, t.rank+1, in, t.rank-1)
		if in.Count > 0 {
			t.apply(o, in, p.of(recv, k))
		}
	}
}

// exscanChain has recv get what comes from below, and passes on what that and this rank's contribution come
// to.
func (t *Team) exscanChain(send, recv datatype.Buffer, o *op.Op) {
	t.countAmongAll(tool.Chain)
	p := linksOf(recv)
	first, last := t.rank == 0, t.rank == t.size-1
	var room [2]datatype.Buffer
	if !first && !last {
		room[0], room[1] = t.like(p.of(recv, 0)), t.like(p.of(recv, 0))
	}
	n := p.steps()
	for k := uint64(0); k <= n; k++ {
		in, out := recv.Slice(0, 0), recv.Slice(0, 0)
		if k > 0 && !last {
			if out = p.of(send, k-1); !first {
				out = room[(k-1)%2].Slice(0, out.Count)
			}
		}
		if k < n && !first {
			in = p.of(recv, k)
			if !last {
				t.copy(room[k%2].Slice(0, in.Count), p.of(send, k))
			}
		}
		t.exchange(out, t.rank+1, in, t.rank-1)
		if k < n && !first && !last {
			t.apply(o, in, room[k%2].Slice(0, in.Count))
		}
	}
}
