package schedule

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// Numbers that all ranks tell each other.

// Number is memory that holds a number.
func (x *Exchange) Number(n uint64) datatype.Buffer {
	b := x.Raw(8)
	*shm.Word64(b.Addr) = n
	return b
}

// Greatest has the number that stands in a buffer become the greatest of those of all ranks.
func (x *Exchange) Greatest(number datatype.Buffer) {
	x.CombineNumbers(number, func(a, b uint64) uint64 { return max(a, b) })
}

// CombineNumbers has the number that stands in a buffer become what those of all ranks are combined to, some
// of them several times.
func (x *Exchange) CombineNumbers(number datatype.Buffer, both func(a, b uint64) uint64) {
	in := x.Raw(8)
	o := op.New("", true, func(v op.Vectors) {
		*shm.Word64(v.Inout) = both(*shm.Word64(v.In), *shm.Word64(v.Inout))
	})
	for k := 1; k < x.Size; k <<= 1 {
		x.Sendrecv(number, (x.Rank+k)%x.Size, in, (x.Rank-k+x.Size)%x.Size)
		x.Apply(o, in, number)
	}
}
