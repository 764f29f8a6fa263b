// Package op holds the reduction operations (MPI 5.0, 6.9): which types each accepts and how it combines two
// vectors. It knows nothing of communicators or of how the vectors travel.
package op

import (
	"gompi/native"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

// Op is one reduction operation. It never changes once it is made, so any thread may use it.
type Op struct {
	name        string
	handle      uint32
	commutative bool
	accumulate  bool                     // for accumulates alone, as MPI_REPLACE and MPI_NO_OP
	kinds       uint32                   // bit set of the datatype.Kind values that the operation accepts
	kernels     *[datatype.Basics]kernel // one for each representation; nil where there is none
	apply       func(args Vectors)       // what MPI_REPLACE, MPI_NO_OP and operations of users do instead
}

// Vectors are the arguments of one application of an operation: Inout[i] = In[i] op Inout[i] for Count
// elements of Type. In and Inout are addresses of elements; they may have any alignment, and may be equal but
// not overlap.
type Vectors struct {
	In, Inout uintptr
	Count     int64
	Type      *datatype.Type
}

// New makes an operation of the user's (MPI_Op_create). It accepts every type; apply is called with Count >
// 0.
func New(name string, commutative bool, apply func(Vectors)) *Op {
	return &Op{name: name, commutative: commutative, apply: apply, kinds: anyKind}
}

// Name is the name in mpi.h, "MPI_SUM".
func (o *Op) Name() string { return o.name }

// Handle is the value of the predefined handle in the standard ABI; 0 for an operation of the user's.
func (o *Op) Handle() uint32 { return o.handle }

// Commutative reports whether the operands may be exchanged (MPI_Op_commutative).
func (o *Op) Commutative() bool { return o.commutative }

// Collective reports whether reductions accept the operation: MPI_REPLACE and MPI_NO_OP are for accumulates
// alone (MPI 5.0, 12.3.4).
func (o *Op) Collective() bool { return !o.accumulate }

// Valid reports whether the operation accepts elements of type t (MPI 5.0, 6.9.2 and 6.9.4). Where it does
// not, the call fails with MPI_ERR_OP.
func (o *Op) Valid(t *datatype.Type) bool {
	return o.kinds>>t.Kind()&1 != 0 && (o.kernels == nil || o.kernels[t.Basic()] != nil)
}

// Misfit is what is wrong with elements of type t, which the operation does not accept.
func (o *Op) Misfit(t *datatype.Type) string {
	why := o.name + " does not accept elements of type " + t.Name()
	if t.Kind() == datatype.Character {
		why += ", which is for characters, as MPI_CHAR, MPI_WCHAR and MPI_CHARACTER are;" +
			" small integers are MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T and MPI_UINT8_T"
	}
	return why
}

// Apply combines two vectors of count elements of type t: inout[i] = in[i] op inout[i].
//
// Preconditions:
//   - Valid(t).
//   - in and inout are addresses of count elements that stay where they are during the call. They may have
//     any
//     alignment, and may be equal but not overlap otherwise.
func (o *Op) Apply(in, inout uintptr, count int64, t *datatype.Type) {
	if count <= 0 {
		return // the addresses may be anything then, a sentinel too
	}
	if o.kernels != nil {
		o.combine(inout, in, inout, count, t.Basic())
		return
	}
	o.apply(Vectors{In: in, Inout: inout, Count: count, Type: t})
}

// combine computes out[i] = a[i] op b[i] for n elements of a representation. n is above 0.
func (o *Op) combine(out, a, b uintptr, n int64, basic datatype.Basic) {
	kind := Kinds[basic]
	kernel := native.Kernel(uintptr(o.handle-handleBase), uintptr(kind), fast.Elements)
	if kind == 0 || kernel == nil {
		o.kernels[basic](out, a, b, n)
		return
	}
	size := fast.SizeOfKind(kind)
	if done := native.Combine(kernel, out, a, b, n, size); done < n { // without memory, as the loop finds out
		at := uintptr(done * size)
		o.kernels[basic](out+at, a+at, b+at, n-done)
	}
}

// InPlace reports whether Combine may put the outcome in the place of its left operand: a function of the
// program's reads that when the right one stands there already.
func (o *Op) InPlace() bool { return o.kernels != nil }

// Combine is Apply with memory of its own for the outcome: out[i] = in[i] op inout[i]. What out held before
// does not matter, and gaps between its elements stay as they are.
//
// Preconditions:
//   - those of Apply; in and inout are only read.
//   - out is the address of count elements, too. It may be equal to inout, but not overlap it otherwise, nor
//     in, to which it may be equal if InPlace says so.
func (o *Op) Combine(out, in, inout uintptr, count int64, t *datatype.Type) {
	if count <= 0 {
		return
	}
	if o.kernels != nil {
		o.combine(out, in, inout, count, t.Basic())
		return
	}
	if out != inout {
		datatype.Copy(datatype.Buffer{Addr: out, Count: count, Type: t},
			datatype.Buffer{Addr: inout, Count: count, Type: t})
	}
	o.apply(Vectors{In: in, Inout: out, Count: count, Type: t})
}
