package partition

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Blocks is a buffer with one block for each rank.
type Blocks struct {
	datatype.Buffer // address and type; Count is that of each block where Counts is nil
	// elements of each block; nil where all have the same and follow each other
	Counts []int64
	Displs []int64          // where each begins: in elements, in bytes where Types is there
	Types  []*datatype.Type // type of each; nil where all have the same
}

// Even is a buffer of blocks of b.Count elements that follow each other.
func Even(b datatype.Buffer) Blocks { return Blocks{Buffer: b} }

// Of is the block of a rank.
func (b *Blocks) Of(rank int) datatype.Buffer {
	switch {
	case b.Counts == nil:
		return Block(b.Buffer, rank)
	case b.Types != nil:
		return datatype.Buffer{Addr: b.Addr + uintptr(b.Displs[rank]), Count: b.Counts[rank],
			Type: b.Types[rank]}
	}
	return datatype.Buffer{Addr: b.Addr + uintptr(b.Displs[rank]*b.Type.Extent()), Count: b.Counts[rank],
		Type: b.Type}
}

// Block is the part of a buffer that belongs to a rank, where Count is that of one rank.
func Block(b datatype.Buffer, rank int) datatype.Buffer {
	return b.Slice(int64(rank)*b.Count, b.Count)
}

// Total is the size of the data in the first n blocks.
func (b *Blocks) Total(n int) int64 {
	total := int64(0)
	for rank := range n {
		x := b.Of(rank)
		total += x.Bytes()
	}
	return total
}

// Others is the size of the data in the first n blocks but that of one rank.
func (b *Blocks) Others(n, but int) int64 {
	total := int64(0)
	for rank := range n {
		if x := b.Of(rank); rank != but {
			total += x.Bytes()
		}
	}
	return total
}

// Largest is the size of the data in the largest of the first n blocks.
func (b *Blocks) Largest(n int) int64 {
	most := int64(0)
	for rank := range n {
		x := b.Of(rank)
		most = max(most, x.Bytes())
	}
	return most
}

// Sum is the sum of counts.
func Sum(counts []int64) int64 {
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return sum
}

// Distinct checks that data is not read where other data is to be written: in and out may not be the same
// buffer, which is what MPI_IN_PLACE is for (MPI 5.0, 6.2). Address 0 says nothing: it is MPI_BOTTOM.
func Distinct(in, out datatype.Buffer) error {
	if in.Addr == out.Addr && in.Addr != 0 && in.Bytes() > 0 && out.Bytes() > 0 {
		return mpierr.New(mpierr.ErrBuffer, "the send buffer is the receive buffer; use MPI_IN_PLACE for that")
	}
	return nil
}

// Contribution is what a rank has for the others: send, or in place its block of what it receives.
func (b *Blocks) Contribution(send datatype.Buffer, rank int) datatype.Buffer {
	if send.InPlace() {
		return b.Of(rank)
	}
	return send
}

// SpreadBytes is what the blocks for all ranks but me take with their table, as if shared out evenly.
func (b *Blocks) SpreadBytes(size, me int) int64 {
	return (b.Others(size, me) + int64(size)*fast.TableEntry + int64(size) - 1) / int64(size)
}

// Dense reports whether none of the blocks of n ranks but one has gaps.
func (b *Blocks) Dense(n, but int) bool {
	if b.Counts == nil {
		return b.Buffer.Contiguous()
	}
	for r := range n {
		if x := b.Of(r); r != but && !x.Contiguous() {
			return false
		}
	}
	return true
}

// Outgoing is what a rank sends to which send and recv are given: in place what is to be replaced.
func Outgoing(send, recv *Blocks) *Blocks {
	if send.InPlace() {
		return recv
	}
	return send
}

// Separate is distinct for blocks of n ranks.
func Separate(send, recv *Blocks, n int) error {
	if send.Addr == recv.Addr && send.Addr != 0 && send.Largest(n) > 0 && recv.Largest(n) > 0 {
		return Distinct(datatype.Raw(send.Addr, 1), datatype.Raw(recv.Addr, 1))
	}
	return nil
}
