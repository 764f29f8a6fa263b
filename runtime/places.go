package runtime

import (
	"math"
	"slices"

	"gompi/runtime/fast"
	"gompi/runtime/p2p"
)

// nodeRanks is the node rank of each rank of a job, fast.OtherNode for those of other nodes; nil when all
// share one, where both are the same.
func nodeRanks(c Config, nodes []int) []int32 {
	if nodes == nil {
		return nil
	}
	all := slices.Repeat([]int32{fast.OtherNode}, c.Size)
	for r, job := range c.Node {
		if nodes[job] == nodes[c.Rank] {
			all[job] = int32(r)
		}
	}
	return all
}

// Places is where the ranks of a context are on this node.
type Places struct {
	Base, Stride int
	Row          []int32 // node ranks; nil where they are Base + Stride*rank
	Far          bool    // some are on other nodes: fast.OtherNode
}

// Places finds them.
func (p *Process) Places(x *p2p.Context) Places {
	if p.onNode == nil {
		return Places{Base: x.Peers.Base, Stride: x.Peers.Stride, Row: x.Peers.Table}
	}
	at := Places{Row: make([]int32, x.Size)}
	even := true
	for r := range at.Row {
		at.Row[r] = math.MaxInt32 // of another job
		if job := x.Peers.Of(r); job < p.Size {
			at.Row[r] = p.onNode[job]
		}
		at.Far = at.Far || at.Row[r] == fast.OtherNode
		even = even && at.Row[r] >= 0 && at.Row[r] < math.MaxInt32 &&
			(r < 2 || at.Row[r]-at.Row[r-1] == at.Row[1]-at.Row[0])
	}
	if even && x.Size > 0 {
		at.Base = int(at.Row[0])
		if x.Size > 1 {
			at.Stride = int(at.Row[1] - at.Row[0])
		}
		at.Row = nil
	}
	return at
}
