package op

import (
	"strings"
	"testing"

	"gompi/runtime/datatype"
)

// accepted is the table of MPI 5.0, 6.9.2: for each operation its groups of types. Beyond it, the logical
// operations take the integers of MPI itself ("multi"), as in other implementations.
var accepted = map[string]string{
	"MPI_MAX": "integer fortran floating multi", "MPI_MIN": "integer fortran floating multi",
	"MPI_SUM": "integer fortran floating complex multi", "MPI_PROD": "integer fortran floating complex multi",
	"MPI_LAND": "integer logical multi", "MPI_LOR": "integer logical multi", "MPI_LXOR": "integer logical multi",
	"MPI_BAND": "integer fortran byte multi", "MPI_BOR": "integer fortran byte multi", "MPI_BXOR": "integer fortran byte multi",
	"MPI_MINLOC": "pair", "MPI_MAXLOC": "pair",
	"MPI_REPLACE": "integer fortran floating complex multi logical byte pair none",
	"MPI_NO_OP":   "integer fortran floating complex multi logical byte pair none",
}

// group says to which of these a type belongs, by its name alone.
func group(name string) string {
	n := strings.TrimPrefix(name, "MPI_")
	switch n {
	case "AINT", "COUNT", "OFFSET":
		return "multi"
	case "PACKED", "CHAR", "WCHAR", "CHARACTER":
		return "none"
	case "BYTE":
		return "byte"
	case "C_BOOL", "CXX_BOOL":
		return "logical"
	}
	switch {
	case strings.HasPrefix(n, "2"), strings.HasSuffix(n, "_INT") && n != "LONG_LONG_INT":
		return "pair"
	case strings.HasPrefix(n, "LOGICAL"):
		return "logical"
	case strings.Contains(n, "COMPLEX"):
		return "complex"
	case strings.HasPrefix(n, "INTEGER"):
		return "fortran"
	case strings.HasPrefix(n, "REAL"), strings.Contains(n, "DOUBLE"), n == "FLOAT":
		return "floating"
	}
	return "integer"
}

func TestOperationsAcceptTheTypesOfTheStandard(t *testing.T) {
	if len(All()) != len(accepted) {
		t.Errorf("%d predefined operations, want %d", len(All()), len(accepted))
	}
	for _, o := range All() {
		for _, typ := range datatype.All() {
			want := strings.Contains(" "+accepted[o.Name()]+" ", " "+group(typ.Name())+" ")
			if got := o.Valid(typ); got != want {
				t.Errorf("%s on %s: valid %v, want %v", o.Name(), typ.Name(), got, want)
			}
		}
	}
}

func TestPredefinedOperationsAreFoundByHandle(t *testing.T) {
	for _, o := range All() {
		if ByHandle(o.Handle()) != o {
			t.Errorf("%s: ByHandle(%#x) finds something else", o.Name(), o.Handle())
		}
		accumulate := o.Name() == "MPI_REPLACE" || o.Name() == "MPI_NO_OP"
		if o.Collective() == accumulate || o.Commutative() == accumulate {
			t.Errorf("%s: collective %v, commutative %v", o.Name(), o.Collective(), o.Commutative())
		}
	}
	for _, h := range []uint32{0, 0x1f, 0x20, 0x25, 0x3e, 0x3f, 0x40, 0x209, ^uint32(0)} {
		if o := ByHandle(h); o != nil {
			t.Errorf("ByHandle(%#x) = %s", h, o.Name())
		}
	}
}

func TestNothingIsReadForNoElements(t *testing.T) {
	for _, o := range All() {
		for _, typ := range datatype.All() {
			if o.Valid(typ) {
				o.Apply(1, 1, 0, typ)
			}
		}
	}
}

func TestAccumulateOperations(t *testing.T) {
	typ := datatype.ByHandle(0x22c) // MPI_SHORT_INT: 2 bytes, a gap of 2, 4 bytes
	in, inout := []byte("aaAAaaaabbBBbbbb"), []byte("ccCCccccddDDdddd")
	ByHandle(0x3d).Apply(addressOf(in), addressOf(inout), 2, typ)
	if string(inout) != "ccCCccccddDDdddd" {
		t.Errorf("MPI_NO_OP made %q", inout)
	}
	ByHandle(0x3c).Apply(addressOf(in), addressOf(inout), 2, typ)
	if string(inout) != "aaCCaaaabbDDbbbb" {
		t.Errorf("MPI_REPLACE made %q", inout)
	}
}

func TestOperationsOfUsersGetTheirArguments(t *testing.T) {
	var got Vectors
	o := New("subtract", false, func(v Vectors) { got = v })
	want := Vectors{In: 4096, Inout: 8192, Count: 3, Type: datatype.ByHandle(0x207)}
	if o.Commutative() || !o.Collective() || !o.Valid(want.Type) {
		t.Error("the operation is not what was asked for")
	}
	o.Apply(want.In, want.Inout, want.Count, want.Type)
	if got != want {
		t.Errorf("called with %+v, want %+v", got, want)
	}
}

func benchmark(b *testing.B, o, typ uint32) {
	x, y := make([]byte, 8192), make([]byte, 8192)
	t := datatype.ByHandle(typ)
	b.SetBytes(8192)
	for b.Loop() {
		ByHandle(o).Apply(addressOf(x), addressOf(y), 8192/t.Extent(), t)
	}
}

func BenchmarkSumChar(b *testing.B)     { benchmark(b, 0x21, 0x245) }
func BenchmarkProductLong(b *testing.B) { benchmark(b, 0x24, 0x20d) }
func BenchmarkSumInt(b *testing.B)      { benchmark(b, 0x21, 0x209) }
func BenchmarkSumDouble(b *testing.B)   { benchmark(b, 0x21, 0x214) }
func BenchmarkMaxDouble(b *testing.B)   { benchmark(b, 0x23, 0x214) }
func BenchmarkBitAndChar(b *testing.B)  { benchmark(b, 0x28, 0x245) }
func BenchmarkLogicalAnd(b *testing.B)  { benchmark(b, 0x30, 0x209) }
func BenchmarkMaxLocation(b *testing.B) { benchmark(b, 0x39, 0x229) }
