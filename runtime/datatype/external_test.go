package datatype

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// What goes out in external32 comes back; long integers and wide characters lose what four and two bytes do
// not hold, so memory is first filled by an unpack.
func TestExternalComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, where, mem := drawBuffer(t, 5)
		if overlaps(where) {
			return
		}
		first := make([]byte, b.ExternalBytes())
		b.PackExternal(first)
		again := make([]byte, len(first))
		b.UnpackExternal(first)
		before := bytes.Clone(mem)
		b.PackExternal(again)
		b.UnpackExternal(again)
		if !bytes.Equal(mem, before) {
			t.Fatal("memory changes when it is packed and unpacked")
		}
	})
}

func TestExternalIsBigEndian(t *testing.T) {
	for _, typ := range All() {
		switch typ.Basic() {
		case Int16, Int32, Uint32, Uint64, Float32, Float64, Int128, Float128:
		default:
			continue
		}
		if h := typ.Handle(); h == longHandle || h == unsignedLongHandle {
			continue
		}
		mem, out := fill(typ.size, 1), make([]byte, typ.size)
		Buffer{Addr: addressOf(mem), Count: 1, Type: typ}.PackExternal(out)
		for i := range out {
			if out[i] != mem[len(mem)-1-i] {
				t.Errorf("%s: %v becomes %v", typ.Name(), mem, out)
				break
			}
		}
	}
}

func TestLongIsFourBytes(t *testing.T) {
	mem := []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	for handle, back := range map[uint32]byte{longHandle: 0xff, unsignedLongHandle: 0} {
		in := bytes.Clone(mem)
		b := Buffer{Addr: addressOf(in), Count: 1, Type: ByHandle(handle)}
		out := make([]byte, b.ExternalBytes())
		b.PackExternal(out)
		if !bytes.Equal(out, []byte{0xff, 0xff, 0xff, 0xfe}) {
			t.Errorf("%s: %x", b.Type.Name(), out)
		}
		b.UnpackExternal(out)
		if in[0] != 0xfe || in[7] != back {
			t.Errorf("%s comes back as %x", b.Type.Name(), in)
		}
	}
}

func TestExtendedPrecisionIsRounded(t *testing.T) {
	for _, c := range []struct {
		name      string
		high, low uint64
		head      uint16
		want      uint64
	}{
		{"one", 0x3fff << 48, 0, 0x3fff, leadingOne},
		{"below half", 0x3fff << 48, 1<<48 - 1, 0x3fff, leadingOne},
		{"half to even", 0x3fff << 48, 1 << 48, 0x3fff, leadingOne},
		{"half of odd", 0x3fff << 48, 3 << 48, 0x3fff, leadingOne + 2},
		{"above half", 0x3fff << 48, 1<<48 + 1, 0x3fff, leadingOne + 1},
		{"carry", 0x3fff<<48 | 0xffffffffffff, ^uint64(0), 0x4000, leadingOne},
		{"infinity", 0x7fff << 48, 0, 0x7fff, leadingOne},
		{"NaN of low bits", 0x7fff << 48, 1, 0x7fff, leadingOne | 1<<62},
		{"overflow", 0x7ffe<<48 | 0xffffffffffff, ^uint64(0), 0x7fff, leadingOne},
		{"largest denormal", 0xffffffffffff, ^uint64(0), 1, leadingOne},
		{"zero", 0, 0, 0, 0},
	} {
		var from [16]byte
		for i := range 8 {
			from[i], from[8+i] = byte(c.low>>(8*i)), byte(c.high>>(8*i))
		}
		to := make([]byte, 16)
		quadToExtended(to, &from)
		got := uint64(0)
		for i := range 8 {
			got |= uint64(to[i]) << (8 * i)
		}
		if head := uint16(to[8]) | uint16(to[9])<<8; got != c.want || head != c.head {
			t.Errorf("%s: %04x %016x, want %04x %016x", c.name, head, got, c.head, c.want)
		}
	}
}
