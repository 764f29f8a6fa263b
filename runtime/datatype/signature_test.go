package datatype

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSignaturesAreThoseOfTheElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, n := drawType(t, rapid.IntRange(0, 3).Draw(t, "depth")), rapid.Int64Range(0, 5).Draw(t, "count")
		whole := Buffer{Count: n, Type: a.Type}.Signature(1 << 40)
		if whole.Any {
			return
		}
		if want := n * a.count(); whole.Elements != want {
			t.Fatalf("%d elements, want %d", whole.Elements, want)
		}
		// The same elements laid out and put together otherwise have the same signature.
		twice, err := Hvector(1, n, 7, a.Type, false)
		if err != nil {
			t.Fatal(err)
		}
		if other := (Buffer{Count: 1, Type: twice}).Signature(1 << 40); other != whole {
			t.Fatalf("%+v and %+v for the same elements", whole, other)
		}
		// A longer row begins with it.
		if more := (Buffer{Count: n + 3, Type: a.Type}).Signature(whole.Elements); more != whole {
			t.Fatalf("the begin of a longer row has signature %+v, want %+v", more, whole)
		}
	})
}

func TestSignaturesTellTypesApart(t *testing.T) {
	named := func(h uint32) *Type { return ByHandle(h) }
	intType, double, char, float := named(0x209), named(0x214), named(0x243), named(0x210)
	pair, err := Struct([]int64{1, 1}, []int64{0, 8}, []*Type{double, intType}, false)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Struct([]int64{1, 1}, []int64{0, 8}, []*Type{intType, double}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		a, b  Buffer
		match bool
	}{
		{"int and MPI_INT32_T", Buffer{Count: 3, Type: intType}, Buffer{Count: 3, Type: named(0x250)}, true},
		{"int and float", Buffer{Count: 3, Type: intType}, Buffer{Count: 3, Type: float}, false},
		{"int and unsigned", Buffer{Count: 3, Type: intType}, Buffer{Count: 3, Type: named(0x20d)}, false},
		{"bytes and chars", Buffer{Count: 3, Type: named(byteHandle)}, Buffer{Count: 3, Type: char}, false},
		{"bytes and MPI_UINT8_T", Buffer{Count: 3, Type: named(byteHandle)}, Buffer{Count: 3, Type: named(0x241)}, false},
		{"anything and MPI_PACKED", Buffer{Count: 3, Type: back}, Buffer{Count: 36, Type: named(0x207)}, true},
		{"MPI_DOUBLE_INT and a struct", Buffer{Count: 5, Type: named(0x229)}, Buffer{Count: 5, Type: pair}, true},
		{"order of members", Buffer{Count: 5, Type: back}, Buffer{Count: 5, Type: pair}, false},
		{"3 and 4", Buffer{Count: 3, Type: intType}, Buffer{Count: 4, Type: intType}, false},
	} {
		if got := c.a.Signature(1 << 40).Matches(c.b.Signature(1 << 40)); got != c.match {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if got, want := (Buffer{Count: 100, Type: back}).Spell(200), "100 x (1 MPI_INT, 1 MPI_DOUBLE)"; got != want {
		t.Errorf("spelled %q, want %q", got, want)
	}
	if got, want := (Buffer{Count: 100, Type: back}).Spell(5), "100 x (..."; got != want {
		t.Errorf("spelled %q, want %q", got, want)
	}
	if got := (Buffer{Type: back}).Spell(5); got != "nothing" {
		t.Errorf("spelled %q", got)
	}
}
