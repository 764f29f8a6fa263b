package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
)

// Operations that move blocks, over several nodes. Leaders pass on blocks of their nodes packed, node by
// node.

// evenParts is where the blocks of the nodes stand in packed data of n bytes for each rank.
func evenParts(l *comm.Layout, all datatype.Buffer, n int64) *Blocks {
	b := &Blocks{Buffer: all}
	for node := range l.Count() {
		b.Counts = append(b.Counts, int64(l.Size(node))*n)
		b.Displs = append(b.Displs, int64(l.First[node])*n)
	}
	return b
}

// gatherNodes has the leaders collect the blocks of their nodes, n bytes each, and pass them on to that of
// the root's node. At the root, send is its block in recv.
func (t *Team) gatherNodes(l *comm.Layout, send, recv datatype.Buffer, n int64, root int) {
	within, to, seat := t.c.Within(), l.NodeOf(root), l.Seat(root)
	var all, part datatype.Buffer
	switch {
	case t.leads(l) && l.Mine == to:
		all = t.raw(n * int64(t.size))
		part = all.Slice(int64(l.First[to])*n, n)
	case t.leads(l):
		part = t.raw(n*int64(l.Size(l.Mine))).Slice(0, n)
	case t.rank == root:
		all = t.raw(n * int64(t.size))
	}
	t.on(within, func() error { return Gather(within, send, part, 0) },
		func() error { return t.Gather(send, part, 0) })
	if between := t.c.Between(); between != nil {
		part.Count = n * int64(l.Size(l.Mine))
		t.gatherPartsOn(between, l, part, all, n, to)
	}
	if l.Mine == to && seat != 0 {
		s := t.enter(within)
		switch t.rank {
		case 0:
			t.send(all, seat)
		case seat:
			t.recv(all, 0)
		}
		t.leave(s)
	}
	for i := 0; i < t.size && t.rank == root; i++ {
		if r := int(l.Order[i]); r != root {
			t.copy(block(recv, r), all.Slice(int64(i)*n, n))
		}
	}
}

// gatherPartsOn has the leaders pass on the blocks of their nodes. Those of the node to stand in all already.
func (t *Team) gatherPartsOn(between *comm.Comm, l *comm.Layout, part, all datatype.Buffer, n int64, to int) {
	if l.Mine == to {
		part = here(part.Type)
	}
	if l.Even {
		all.Count = n * int64(l.Size(0))
		t.among(between, func() error { return t.Gather(part, all, to) })
		return
	}
	parts := evenParts(l, all, n)
	t.among(between, func() error { return t.Gatherv(part, parts, to) })
}

// scatterNodes is the way back. The root has its own block already.
func (t *Team) scatterNodes(l *comm.Layout, send, recv datatype.Buffer, n int64, root int) {
	within, from, seat := t.c.Within(), l.NodeOf(root), l.Seat(root)
	var all, part datatype.Buffer
	if t.rank == root || t.leads(l) && l.Mine == from {
		all = t.raw(n * int64(t.size))
	}
	for i := 0; i < t.size && t.rank == root; i++ {
		if r := int(l.Order[i]); r != root {
			t.copy(all.Slice(int64(i)*n, n), block(send, r))
		}
	}
	if l.Mine == from && seat != 0 {
		s := t.enter(within)
		switch t.rank {
		case 0:
			t.recv(all, seat)
		case seat:
			t.send(all, 0)
		}
		t.leave(s)
	}
	if between := t.c.Between(); between != nil {
		if l.Mine == from {
			part = all.Slice(int64(l.First[from])*n, n)
		} else {
			part = t.raw(n * int64(l.Size(l.Mine)))
		}
		t.scatterPartsOnLeaders(between, l, all, part, n, from)
		part.Count = n
	}
	if t.rank == root {
		if recv = here(part.Type); seat != 0 {
			recv = t.raw(n)
		}
	}
	t.on(within, func() error { return Scatter(within, part, recv, 0) },
		func() error { return t.Scatter(part, recv, 0) })
}

func (t *Team) scatterPartsOnLeaders(between *comm.Comm, l *comm.Layout, all, part datatype.Buffer, n int64,
	from int) {
	if l.Mine == from {
		part = here(part.Type)
	}
	if l.Even {
		all.Count = n * int64(l.Size(0))
		t.among(between, func() error { return t.Scatter(all, part, from) })
		return
	}
	parts := evenParts(l, all, n)
	t.among(between, func() error { return t.Scatterv(parts, part, from) })
}

// packed is where all blocks of recv stand packed, node by node: offsets in bytes, by position.
func packed(l *comm.Layout, recv *Blocks) []int64 {
	at := make([]int64, len(l.Order)+1)
	for i, r := range l.Order {
		b := recv.Of(int(r))
		at[i+1] = at[i] + b.Bytes()
	}
	return at
}

// allgatherNodes has the leaders collect the blocks of their nodes, exchange them, and show all to their
// nodes. Each rank's own block stands in recv.
func (t *Team) allgatherNodes(l *comm.Layout, recv *Blocks) {
	t.countAlgorithm(tool.OverNodes)
	within, own := t.c.Within(), recv.Of(t.rank)
	at := packed(l, recv)
	whole := recv.Buffer
	whole.Count *= int64(t.size)
	// everything stands in recv as it is passed on
	inside := recv.Counts == nil && l.Straight && whole.Contiguous()
	var all datatype.Buffer
	if inside {
		all = datatype.Raw(whole.Start(), at[t.size])
	} else {
		all = t.raw(at[t.size])
	}
	first := int(l.First[l.Mine])
	if t.leads(l) && inside {
		own = here(own.Type)
	}
	if n := at[1]; recv.Counts == nil {
		mine := all.Slice(int64(first)*n, n)
		t.on(within, func() error { return Gather(within, own, mine, 0) },
			func() error { return t.Gather(own, mine, 0) })
	} else {
		mine := stretches(all, at[first:first+l.Size(l.Mine)+1])
		t.on(within, func() error { return Gatherv(within, own, mine, 0) },
			func() error { return t.Gatherv(own, mine, 0) })
	}
	if between := t.c.Between(); between != nil {
		t.allgatherPartsOn(between, l, all, at, recv.Counts == nil && l.Even)
	}
	t.bcastOn(within, all, 0)
	for i := 0; i < t.size && !inside; i++ {
		if r := int(l.Order[i]); r != t.rank {
			t.copy(recv.Of(r), all.Slice(at[i], at[i+1]-at[i]))
		}
	}
}

// stretches is the blocks of data that begin and end at the given offsets.
func stretches(data datatype.Buffer, at []int64) *Blocks {
	b := &Blocks{Buffer: data, Displs: at[:len(at)-1]}
	for i := range b.Displs {
		b.Counts = append(b.Counts, at[i+1]-at[i])
	}
	return b
}

// allgatherPartsOn has the leaders exchange the blocks of their nodes, all of the same size if even.
func (t *Team) allgatherPartsOn(between *comm.Comm, l *comm.Layout, all datatype.Buffer, at []int64,
	even bool) {
	own := here(all.Type)
	if even {
		all.Count /= int64(l.Count())
		t.among(between, func() error { return t.Allgather(own, all) })
		return
	}
	ends := make([]int64, len(l.First))
	for i, position := range l.First {
		ends[i] = at[position]
	}
	parts := stretches(all, ends)
	t.among(between, func() error { return t.Allgatherv(own, parts) })
}

// alltoallNodes has the leaders collect all blocks of their nodes, n bytes each, and exchange them, those for
// one node in one message.
func (t *Team) alltoallNodes(l *comm.Layout, send, recv datatype.Buffer, n int64) {
	within := t.c.Within()
	row := n * int64(t.size) // what one rank sends, and what it receives
	mine := t.raw(row)
	for i, r := range l.Order {
		if at := mine.Slice(int64(i)*n, n); int(r) == t.rank {
			t.copiedForAll(at, block(send, int(r)))
		} else {
			t.copy(at, block(send, int(r)))
		}
	}
	var rows datatype.Buffer
	if t.leads(l) {
		rows = t.raw(row*int64(l.Size(l.Mine))).Slice(0, row)
	}
	t.on(within, func() error { return Gather(within, mine, rows, 0) },
		func() error { return t.Gather(mine, rows, 0) })
	if t.leads(l) {
		t.exchangeRows(l, rows, n)
	}
	t.on(within, func() error { return Scatter(within, rows, mine, 0) },
		func() error { return t.Scatter(rows, mine, 0) })
	for i, r := range l.Order {
		t.copy(block(recv, int(r)), mine.Slice(int64(i)*n, n))
	}
}

// exchangeRows replaces the rows that the ranks of this node send by those that they receive.
func (t *Team) exchangeRows(l *comm.Layout, rows datatype.Buffer, n int64) {
	between, k := t.c.Between(), int64(l.Size(l.Mine))
	row := rows.Count
	out, in := t.raw(row*k), t.raw(row*k)
	rows.Count *= k
	for node := range l.Count() {
		size, first := int64(l.Size(node)), int64(l.First[node])
		for i := range k {
			t.copy(out.Slice((first*k+i*size)*n, size*n), rows.Slice(i*row+first*n, size*n))
		}
	}
	if l.Even {
		to, from := out, in
		to.Count, from.Count = k*k*n, k*k*n
		t.among(between, func() error { return t.Alltoall(to, from) })
	} else {
		to, from := evenParts(l, out, k*n), evenParts(l, in, k*n)
		t.among(between, func() error { return t.Alltoallw(to, from) })
	}
	for i := range int64(t.size) { // what comes from the rank at position i, for each of this node
		for j := range k {
			t.copy(rows.Slice(j*row+i*n, n), in.Slice((i*k+j)*n, n))
		}
	}
}

// allgatherOver is an allgather of total bytes over nodes. Long ones go round a ring that enters each node
// once, which brings each byte into it once as well, and keeps all ranks busy.
func (t *Team) allgatherOver(l *comm.Layout, recv *Blocks, total int64) {
	if total <= allgatherLed*int64(t.size) {
		if total > 0 {
			t.allgatherNodes(l, recv)
		}
		return
	}
	t.countAlgorithm(tool.Ring)
	p, at := t.size, int(l.Position[t.rank])
	right, left := int(l.Order[(at+1)%p]), int(l.Order[(at+p-1)%p])
	for k := range p - 1 {
		out, in := l.Order[(at-k+p)%p], l.Order[(at-k-1+p)%p]
		t.exchange(recv.Of(int(out)), right, recv.Of(int(in)), left)
	}
}
