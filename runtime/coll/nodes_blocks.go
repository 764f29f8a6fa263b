package coll

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
)

// Operations that move blocks, over several nodes. Leaders pass on blocks of their nodes packed, node by
// node.

// evenParts is where the blocks of the nodes stand in packed data of n bytes for each rank.
func evenParts(l *comm.Layout, all datatype.Buffer, n int64) *partition.Blocks {
	b := &partition.Blocks{Buffer: all}
	for node := range l.Count() {
		b.Counts = append(b.Counts, int64(l.Size(node))*n)
		b.Displs = append(b.Displs, int64(l.First[node])*n)
	}
	return b
}

// gather has the leaders collect the blocks of their nodes, n bytes each, and pass them on to that of the
// root's node. At the root, send is its block in recv.
func (o *nodes) gather(send, recv datatype.Buffer, n int64, root int) {
	l, to := o.l, o.l.NodeOf(root)
	var all, part datatype.Buffer
	switch {
	case o.between != nil && l.Mine == to:
		all = o.Raw(n * int64(o.Size))
		part = all.Slice(int64(l.First[to])*n, n)
	case o.between != nil:
		part = o.Raw(n*int64(l.Size(l.Mine))).Slice(0, n)
	case o.Rank == root:
		all = o.Raw(n * int64(o.Size))
	}
	o.gatherOn(o.within, send, part, 0)
	if o.between != nil {
		if part.Count = n * int64(l.Size(l.Mine)); l.Mine == to {
			part = here(part.Type)
		}
		p := o.on(o.between)
		if l.Even {
			blocks := all
			blocks.Count = n * int64(l.Size(0))
			o.ended(p, p.Gather(part, blocks, to))
		} else {
			o.ended(p, p.Gatherv(part, evenParts(l, all, n), to))
		}
	}
	if seat := l.Seat(root); l.Mine == to && seat != 0 && (o.seat == 0 || o.seat == seat) {
		o.pass(all, 0, seat)
	}
	for i := 0; i < o.Size && o.Rank == root; i++ {
		if r := int(l.Order[i]); r != root {
			o.Copy(partition.Block(recv, r), all.Slice(int64(i)*n, n))
		}
	}
}

func (o *nodes) gatherOn(v *comm.Comm, send, recv datatype.Buffer, root int) {
	p := o.on(v)
	o.ended(p, p.Gather(send, recv, root))
}

func (o *nodes) scatterOn(v *comm.Comm, send, recv datatype.Buffer, root int) {
	p := o.on(v)
	o.ended(p, p.Scatter(send, recv, root))
}

// scatter is the way back. The root has its own block already.
func (o *nodes) scatter(send, recv datatype.Buffer, n int64, root int) {
	l, from := o.l, o.l.NodeOf(root)
	var all, part datatype.Buffer
	if o.Rank == root || o.between != nil && l.Mine == from {
		all = o.Raw(n * int64(o.Size))
	}
	for i := 0; i < o.Size && o.Rank == root; i++ {
		if r := int(l.Order[i]); r != root {
			o.Copy(all.Slice(int64(i)*n, n), partition.Block(send, r))
		}
	}
	seat := l.Seat(root)
	if l.Mine == from && seat != 0 && (o.seat == 0 || o.seat == seat) {
		o.pass(all, seat, 0)
	}
	if o.between != nil {
		into := here(all.Type)
		if l.Mine == from {
			part = all.Slice(int64(l.First[from])*n, n)
		} else {
			into = o.Raw(n * int64(l.Size(l.Mine)))
			part = into.Slice(0, n)
		}
		p := o.on(o.between)
		if l.Even {
			blocks := all
			blocks.Count = n * int64(l.Size(0))
			o.ended(p, p.Scatter(blocks, into, from))
		} else {
			o.ended(p, p.Scatterv(evenParts(l, all, n), into, from))
		}
	}
	if o.Rank == root {
		if recv = here(part.Type); seat != 0 {
			recv = o.Raw(n)
		}
	}
	o.scatterOn(o.within, part, recv, 0)
}

// packed is where all blocks of recv stand packed, node by node: offsets in bytes, by position.
func packed(l *comm.Layout, recv *partition.Blocks) []int64 {
	at := make([]int64, len(l.Order)+1)
	for i, r := range l.Order {
		b := recv.Of(int(r))
		at[i+1] = at[i] + b.Bytes()
	}
	return at
}

// allgather has the leaders collect the blocks of their nodes, exchange them, and show all to their nodes.
// Each rank's own block stands in recv.
func (o *nodes) allgather(recv *partition.Blocks) {
	l, own := o.l, recv.Of(o.Rank)
	at := packed(l, recv)
	whole := recv.Buffer
	whole.Count *= int64(o.Size)
	// everything stands in recv as it is passed on
	inside := recv.Counts == nil && l.Straight && whole.Contiguous()
	var all datatype.Buffer
	if inside {
		all = datatype.Raw(whole.Start(), at[o.Size])
	} else {
		all = o.Raw(at[o.Size])
	}
	first := int(l.First[l.Mine])
	if o.between != nil && inside {
		own = here(own.Type)
	}
	if n := at[1]; recv.Counts == nil {
		o.gatherOn(o.within, own, all.Slice(int64(first)*n, n), 0)
	} else {
		p := o.on(o.within)
		o.ended(p, p.Gatherv(own, stretches(all, at[first:first+l.Size(l.Mine)+1]), 0))
	}
	if o.between != nil {
		o.allgatherParts(all, at, recv.Counts == nil && l.Even)
	}
	o.bcastOn(o.within, all, 0)
	for i := 0; i < o.Size && !inside; i++ {
		if r := int(l.Order[i]); r != o.Rank {
			o.Copy(recv.Of(r), all.Slice(at[i], at[i+1]-at[i]))
		}
	}
}

// stretches is the blocks of data that begin and end at the given offsets.
func stretches(data datatype.Buffer, at []int64) *partition.Blocks {
	b := &partition.Blocks{Buffer: data, Displs: at[:len(at)-1]}
	for i := range b.Displs {
		b.Counts = append(b.Counts, at[i+1]-at[i])
	}
	return b
}

// allgatherParts has the leaders exchange the blocks of their nodes, all of the same size if even.
func (o *nodes) allgatherParts(all datatype.Buffer, at []int64, even bool) {
	p, own := o.on(o.between), here(all.Type)
	if even {
		all.Count /= int64(o.l.Count())
		o.ended(p, p.Allgather(own, all))
		return
	}
	ends := make([]int64, len(o.l.First))
	for i, position := range o.l.First {
		ends[i] = at[position]
	}
	o.ended(p, p.Allgatherv(own, stretches(all, ends)))
}

// alltoall has the leaders collect all blocks of their nodes, n bytes each, and exchange them, those for one
// node in one message.
func (o *nodes) alltoall(send, recv datatype.Buffer, n int64) {
	row := n * int64(o.Size) // what one rank sends, and what it receives
	mine := o.Raw(row)
	for i, r := range o.l.Order {
		if at := mine.Slice(int64(i)*n, n); int(r) == o.Rank {
			o.CopyOwnForAll(at, partition.Block(send, int(r)))
		} else {
			o.Copy(at, partition.Block(send, int(r)))
		}
	}
	var rows datatype.Buffer
	if o.between != nil {
		rows = o.Raw(row*int64(o.l.Size(o.l.Mine))).Slice(0, row)
	}
	o.gatherOn(o.within, mine, rows, 0)
	if o.between != nil {
		o.exchangeRows(rows, n)
	}
	o.scatterOn(o.within, rows, mine, 0)
	for i, r := range o.l.Order {
		o.Copy(partition.Block(recv, int(r)), mine.Slice(int64(i)*n, n))
	}
}

// exchangeRows replaces the rows that the ranks of this node send by those that they receive.
func (o *nodes) exchangeRows(rows datatype.Buffer, n int64) {
	k := int64(o.l.Size(o.l.Mine))
	row := rows.Count
	out, in := o.Raw(row*k), o.Raw(row*k)
	rows.Count *= k
	for node := range o.l.Count() {
		size, first := int64(o.l.Size(node)), int64(o.l.First[node])
		for i := range k {
			o.Copy(out.Slice((first*k+i*size)*n, size*n), rows.Slice(i*row+first*n, size*n))
		}
	}
	p := o.on(o.between)
	if o.l.Even {
		o.ended(p, p.Alltoall(out.Slice(0, k*k*n), in.Slice(0, k*k*n)))
	} else {
		o.ended(p, p.Alltoallw(evenParts(o.l, out, k*n), evenParts(o.l, in, k*n)))
	}
	for i := range int64(o.Size) { // what comes from the rank at position i, for each of this node
		for j := range k {
			o.Copy(rows.Slice(j*row+i*n, n), in.Slice((i*k+j)*n, n))
		}
	}
}
