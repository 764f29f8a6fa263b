package coll

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// reduceScatter combines all contributions of each node at its leader; the leaders combine these, each for
// its own node, and deal out what they get.
func (n *nodes) reduceScatter(o *op.Op, all, recv datatype.Buffer, counts []int64) {
	if n.between == nil {
		n.reduceOn(n.within, all, datatype.Buffer{}, o, 0)
		n.scatterShares(datatype.Buffer{Type: all.Type}, recv, counts)
		return
	}
	sum := n.Like(all)
	n.reduceOn(n.within, all, sum, o, 0)
	sum = n.byNode(sum, recv, counts)
	parts := make([]int64, n.l.Count()) // elements of each node
	for node := range parts {
		for _, r := range n.l.Ranks(node) {
			parts[node] += partition.ShareOf(int(r), recv, counts).Count
		}
	}
	part := n.Like(sum.Slice(0, parts[n.l.Mine]))
	p := n.on(n.between)
	n.ended(p, p.ReduceScatter(sum, part, parts, o))
	n.scatterShares(part, recv, counts)
}

// byNode is all with the shares of the ranks of each node side by side.
func (n *nodes) byNode(all, recv datatype.Buffer, counts []int64) datatype.Buffer {
	if n.l.Straight {
		return all
	}
	sorted := n.Like(all)
	at := int64(0)
	for _, r := range n.l.Order {
		s := partition.ShareOf(int(r), recv, counts)
		n.Copy(sorted.Slice(at, s.Count), all.Slice(s.From, s.Count))
		at += s.Count
	}
	return sorted
}

// scatterShares has the leader deal out part, the shares of the ranks of its node.
func (n *nodes) scatterShares(part, recv datatype.Buffer, counts []int64) {
	if counts == nil {
		part.Count = recv.Count
		n.scatterOn(n.within, part, recv, 0)
		return
	}
	b := partition.Blocks{Buffer: part}
	at := int64(0)
	for _, r := range n.l.Ranks(n.l.Mine) {
		b.Counts, b.Displs = append(b.Counts, counts[r]), append(b.Displs, at)
		at += counts[r]
	}
	p := n.on(n.within)
	n.ended(p, p.Scatterv(&b, recv, 0))
}
