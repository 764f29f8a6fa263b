package op

import "gompi/runtime/datatype"

// handleBase is the handle value of MPI_OP_NULL; the predefined operations follow within 31 (MPI 5.0, 20.3).
const handleBase = 0x20

// ByHandle finds the predefined operation whose handle has the value h in the standard ABI; nil when there is
// none, as for MPI_OP_NULL.
func ByHandle(h uint32) *Op {
	i := h - handleBase
	if i >= uint32(len(predefined)) || predefined[i].handle == 0 {
		return nil
	}
	return &predefined[i]
}

// All lists the predefined operations in the order of their handles.
func All() []*Op {
	var all []*Op
	for i := range predefined {
		if predefined[i].handle != 0 {
			all = append(all, &predefined[i])
		}
	}
	return all
}

// The groups of types that the table in MPI 5.0, 6.9.2, gives each operation.
const (
	integers   = 1<<datatype.CInteger | 1<<datatype.FortranInteger | 1<<datatype.MultiLanguage
	ordered    = integers | 1<<datatype.Floating
	arithmetic = ordered | 1<<datatype.Complex
	// the last are integers of C as well
	truth   = 1<<datatype.CInteger | 1<<datatype.Logical | 1<<datatype.MultiLanguage
	bitwise = integers | 1<<datatype.Byte
	located = 1 << datatype.ValueIndex
	anyKind = 1<<(datatype.Derived+1) - 1
)

// predefined is indexed by handle value less handleBase. It is never written.
var predefined = [...]Op{
	0x01: {name: "MPI_SUM", handle: 0x21, commutative: true, kinds: arithmetic, kernels: &sums},
	0x02: {name: "MPI_MIN", handle: 0x22, commutative: true, kinds: ordered, kernels: &minima},
	0x03: {name: "MPI_MAX", handle: 0x23, commutative: true, kinds: ordered, kernels: &maxima},
	0x04: {name: "MPI_PROD", handle: 0x24, commutative: true, kinds: arithmetic, kernels: &products},
	0x08: {name: "MPI_BAND", handle: 0x28, commutative: true, kinds: bitwise, kernels: &bitAnds},
	0x09: {name: "MPI_BOR", handle: 0x29, commutative: true, kinds: bitwise, kernels: &bitOrs},
	0x0a: {name: "MPI_BXOR", handle: 0x2a, commutative: true, kinds: bitwise, kernels: &bitXors},
	0x10: {name: "MPI_LAND", handle: 0x30, commutative: true, kinds: truth, kernels: &logicalAnds},
	0x11: {name: "MPI_LOR", handle: 0x31, commutative: true, kinds: truth, kernels: &logicalOrs},
	0x12: {name: "MPI_LXOR", handle: 0x32, commutative: true, kinds: truth, kernels: &logicalXors},
	0x18: {name: "MPI_MINLOC", handle: 0x38, commutative: true, kinds: located, kernels: &minLocations},
	0x19: {name: "MPI_MAXLOC", handle: 0x39, commutative: true, kinds: located, kernels: &maxLocations},
	0x1c: {name: "MPI_REPLACE", handle: 0x3c, accumulate: true, kinds: anyKind, apply: replace},
	0x1d: {name: "MPI_NO_OP", handle: 0x3d, accumulate: true, kinds: anyKind, apply: noOp},
}

// replace is MPI_REPLACE, f(a, b) = b: the origin's value, in, takes the place of the target's (MPI 5.0,
// 12.3.4).
func replace(v Vectors) {
	datatype.Copy(
		datatype.Buffer{Addr: v.Inout, Count: v.Count, Type: v.Type},
		datatype.Buffer{Addr: v.In, Count: v.Count, Type: v.Type})
}

// noOp is MPI_NO_OP, f(a, b) = a: the target's value stays.
func noOp(Vectors) {}
