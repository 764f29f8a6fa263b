package datatype

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Types by what Fortran asks of a number (MPI 5.0, 19.1.9).

// Undefined is the value of MPI_UNDEFINED in the standard ABI.
const Undefined = -32766

// Handles of the predefined types that Fortran's kinds stand for.
var (
	integerKinds = [...]fortranKind{{2, 0, 0x2c1}, {4, 0, 0x2c9}, {9, 0, 0x2d1}, {18, 0, 0x2d9},
		{38, 0, 0x2e1}}
	realKinds    = [...]fortranKind{{6, 37, 0x2d2}, {15, 307, 0x2da}, {18, 4931, 0x220}, {33, 4931, 0x2e2}}
	complexKinds = [...]fortranKind{{6, 37, 0x2db}, {15, 307, 0x2e3}, {18, 4931, 0x224}, {33, 4931, 0x2eb}}
)

// fortranKind is a kind of numbers with so many decimal digits and decimal exponents, as a predefined type.
type fortranKind struct {
	digits, exponent int
	handle           uint32
}

// F90Integer is the type of an integer of r decimal digits (MPI_Type_create_f90_integer).
func F90Integer(r int) (*Type, error) {
	for _, k := range integerKinds {
		if r <= k.digits {
			return numeric(k.handle, CombinerF90Integer, int64(r)), nil
		}
	}
	return nil, mpierr.New(mpierr.ErrArg, "no integer type has %d decimal digits", r)
}

// F90Real is the type of a real with p decimal digits and r decimal exponents (MPI_Type_create_f90_real);
// either may be Undefined.
func F90Real(p, r int) (*Type, error) {
	return floating(realKinds[:], CombinerF90Real, p, r)
}

// F90Complex is F90Real for complex numbers (MPI_Type_create_f90_complex).
func F90Complex(p, r int) (*Type, error) {
	return floating(complexKinds[:], CombinerF90Complex, p, r)
}

func floating(kinds []fortranKind, c Combiner, p, r int) (*Type, error) {
	if p == Undefined && r == Undefined {
		return nil, mpierr.New(mpierr.ErrArg, "p and r are both MPI_UNDEFINED")
	}
	for _, k := range kinds {
		if p <= k.digits && r <= k.exponent {
			return numeric(k.handle, c, int64(p), int64(r)), nil
		}
	}
	return nil, mpierr.New(mpierr.ErrArg, "no floating-point type has %d decimal digits and exponents to %d", p, r)
}

// numeric is a predefined type without a name: a predefined type but for its contents, so reductions accept
// it too.
func numeric(handle uint32, c Combiner, args ...int64) *Type {
	t := *ByHandle(handle)
	t.handle = 0
	t.contents = &Contents{Combiner: c, Integers: args}
	t.elements = 1
	return &t
}

// MatchSize is the predefined Fortran type of a class that has size bytes (MPI_Type_match_size, MPI 5.0,
// 19.1.9).
func MatchSize(class, size int) (*Type, error) {
	if int32(class) < fast.ClassLogical || int32(class) > fast.ClassComplex {
		return nil, mpierr.New(mpierr.ErrArg, "typeclass is %d, must be MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL or MPI_TYPECLASS_COMPLEX", class)
	}
	if t := ByHandle(uint32(fast.NumberOf(int32(class), int32(size)))); t != nil && t.size == int64(size) {
		return t, nil
	}
	return nil, mpierr.New(mpierr.ErrArg, "no type of that class has %d bytes", size)
}

// ValueIndexOf is the predefined type of pairs of a value and an index of these types; nil when there is none
// (MPI_Type_get_value_index, MPI 5.0, 5.1.2).
func ValueIndexOf(value, index *Type) *Type {
	pair := [...][3]uint32{{0x210, 0x209, 0x228}, {0x214, 0x209, 0x229}, {0x20a, 0x209, 0x22a},
		{0x209, 0x209, 0x22b}, {0x208, 0x209, 0x22c},
		{0x220, 0x209, 0x22d}, {0x21a, 0x21a, 0x230}, {0x21c, 0x21c, 0x231}, {0x219, 0x219, 0x232}}
	for _, p := range pair {
		if value.handle == p[0] && index.handle == p[1] {
			return ByHandle(p[2])
		}
	}
	return nil
}
