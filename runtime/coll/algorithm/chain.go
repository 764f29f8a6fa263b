package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// link is how much goes on at a time from each rank to the next, in bytes.
const link = 256 << 10

// ScanChain has each rank pass on what the ranks up to it come to, to the next one, in pieces: while one goes
// on, the next comes. Less is sent and combined than where the distance doubles, and where ranks share cores
// nobody waits in vain for long. Unless it is exclusive, recv holds the own contribution.
func ScanChain(x *schedule.Exchange, own, recv datatype.Buffer, o *op.Op, exclusive bool) {
	x.CountAlgorithm(tool.Chain)
	p := partition.Division{Count: recv.Count, Each: max(link/max(recv.Type.Size(), 1), 1)}
	first, last := x.Rank == 0, x.Rank == x.Size-1
	var room [2]datatype.Buffer
	for i := range room {
		if !exclusive && i == 0 || exclusive && !first && !last {
			room[i] = x.Like(p.Of(recv, 0))
		}
	}
	// what comes from below, which is the result of an exclusive scan, and what this rank makes of it
	parts := func(k uint64) (below, sum datatype.Buffer) {
		piece := p.Of(recv, k)
		switch {
		case !exclusive:
			return room[0].Slice(0, piece.Count), piece
		case first:
			return piece, p.Of(own, k)
		case last: // passes nothing on
			return piece, datatype.Buffer{}
		}
		return piece, room[k%2].Slice(0, piece.Count)
	}
	n := p.Steps()
	for k := uint64(0); k <= n; k++ {
		in, out := recv.Slice(0, 0), recv.Slice(0, 0)
		var sum datatype.Buffer
		if k > 0 && !last {
			_, out = parts(k - 1)
		}
		if k < n && !first {
			in, sum = parts(k)
			if exclusive && !last {
				x.Copy(sum, p.Of(own, k))
			}
		}
		x.Sendrecv(out, x.Rank+1, in, x.Rank-1)
		if in.Count > 0 && !(exclusive && last) {
			x.Apply(o, in, sum)
		}
	}
}
