package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// reduceScatterNodes combines all contributions of each node at its leader; the leaders combine these, each
// for its own node, and deal out what they get.
func (t *Team) reduceScatterNodes(l *comm.Layout, o *op.Op, all, recv datatype.Buffer, counts []int64) {
	within := t.c.Within()
	if !t.leads(l) {
		t.reduceOn(within, all, datatype.Buffer{}, o, 0)
		t.scatterPartsOn(within, l, datatype.Buffer{Type: all.Type}, recv, counts)
		return
	}
	sum := t.like(all)
	t.reduceOn(within, all, sum, o, 0)
	sum = t.byNode(l, sum, recv, counts)
	parts := make([]int64, l.Count()) // elements of each node
	for node := range parts {
		for _, r := range l.Ranks(node) {
			parts[node] += shareOf(int(r), recv, counts).count
		}
	}
	part := t.like(sum.Slice(0, parts[l.Mine]))
	between := t.c.Between()
	t.among(between, func() error { return t.ReduceScatter(sum, part, parts, o) })
	t.scatterPartsOn(within, l, part, recv, counts)
}

// byNode is all with the shares of the ranks of each node side by side.
func (t *Team) byNode(l *comm.Layout, all, recv datatype.Buffer, counts []int64) datatype.Buffer {
	if l.Straight {
		return all
	}
	sorted := t.like(all)
	at := int64(0)
	for _, r := range l.Order {
		s := shareOf(int(r), recv, counts)
		t.copy(sorted.Slice(at, s.count), all.Slice(s.from, s.count))
		at += s.count
	}
	return sorted
}

// scatterPartsOn has the leader deal out part, the shares of the ranks of its node.
func (t *Team) scatterPartsOn(within *comm.Comm, l *comm.Layout, part, recv datatype.Buffer, counts []int64) {
	if counts == nil {
		part.Count = recv.Count
		t.on(within, func() error { return Scatter(within, part, recv, 0) },
			func() error { return t.Scatter(part, recv, 0) })
		return
	}
	b := Blocks{Buffer: part}
	at := int64(0)
	for _, r := range l.Ranks(l.Mine) {
		b.Counts, b.Displs = append(b.Counts, counts[r]), append(b.Displs, at)
		at += counts[r]
	}
	t.on(within, func() error { return Scatterv(within, &b, recv, 0) },
		func() error { return t.Scatterv(&b, recv, 0) })
}

// scanNodes does a scan within each node. The leaders do one of what whole nodes come to, which the ranks of
// all nodes but the first combine with what they have. recv holds the own contribution.
func (t *Team) scanNodes(l *comm.Layout, recv datatype.Buffer, o *op.Op) {
	within := t.c.Within()
	t.on(within, func() error { return Scan(within, here(recv.Type), recv, o) },
		func() error { return t.Scan(here(recv.Type), recv, o) })
	if before, any := t.before(l, recv, o); any {
		t.apply(o, before, recv)
	}
}

// exscanNodes is the same without the own contribution, which is in recv and given up.
func (t *Team) exscanNodes(l *comm.Layout, recv datatype.Buffer, o *op.Op) {
	within, last := t.c.Within(), l.Size(l.Mine)-1
	seat := l.Seat(t.rank)
	total := recv
	if seat == last {
		total = t.like(recv)
		t.copy(total, recv)
	}
	t.on(within, func() error { return Exscan(within, here(recv.Type), recv, o) },
		func() error { return t.Exscan(here(recv.Type), recv, o) })
	if seat == last && seat > 0 {
		t.apply(o, recv, total)
	}
	switch before, any := t.before(l, total, o); {
	case any && seat == 0:
		t.copy(recv, before)
	case any:
		t.apply(o, before, recv)
	}
}

// before is what the contributions of all nodes before this one come to, if there are any. total is what
// those of this node come to, on its last rank.
func (t *Team) before(l *comm.Layout, total datatype.Buffer, o *op.Op) (sum datatype.Buffer, any bool) {
	within, seat, last := t.c.Within(), l.Seat(t.rank), l.Size(l.Mine)-1
	if last > 0 && l.Mine < l.Count()-1 {
		s := t.enter(within)
		switch seat {
		case last:
			t.send(total, 0)
		case 0:
			total = t.like(total)
			t.recv(total, last)
		}
		t.leave(s)
	}
	any = l.Mine > 0
	if any || seat == 0 {
		sum = t.like(total)
	}
	if between := t.c.Between(); between != nil {
		t.among(between, func() error { return t.Exscan(total, sum, o) })
	}
	if any {
		t.bcastOn(within, sum, 0)
	}
	return sum, any
}
