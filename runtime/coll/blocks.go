package coll

import (
	"gompi/runtime/datatype"
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
		return block(b.Buffer, rank)
	case b.Types != nil:
		return datatype.Buffer{Addr: b.Addr + uintptr(b.Displs[rank]), Count: b.Counts[rank],
			Type: b.Types[rank]}
	}
	return datatype.Buffer{Addr: b.Addr + uintptr(b.Displs[rank]*b.Type.Extent()), Count: b.Counts[rank],
		Type: b.Type}
}

// block is the part of a buffer that belongs to a rank, where Count is that of one rank.
func block(b datatype.Buffer, rank int) datatype.Buffer {
	return b.Slice(int64(rank)*b.Count, b.Count)
}

// bytes is the size of the data in the first n blocks.
func (b *Blocks) bytes(n int) int64 {
	total := int64(0)
	for rank := range n {
		x := b.Of(rank)
		total += x.Bytes()
	}
	return total
}

// others is the size of the data in the first n blocks but that of one rank.
func (b *Blocks) others(n, but int) int64 {
	total := int64(0)
	for rank := range n {
		if x := b.Of(rank); rank != but {
			total += x.Bytes()
		}
	}
	return total
}

// largest is the size of the data in the largest of the first n blocks.
func (b *Blocks) largest(n int) int64 {
	most := int64(0)
	for rank := range n {
		x := b.Of(rank)
		most = max(most, x.Bytes())
	}
	return most
}

// total is the sum of counts.
func total(counts []int64) int64 {
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return sum
}
