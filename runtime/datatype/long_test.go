package datatype

import (
	"bytes"
	"testing"
)

// What is moved by several calls of a loop in assembly, or needs more than one of its turns, arrives whole.
func TestLongTypesAreMovedByteByByte(t *testing.T) {
	byteType := ByHandle(byteHandle)
	type block struct{ off, n int64 }
	layouts := map[string][]block{}
	add := func(name string, n int, next func(i int) (gap, size int64)) {
		at := int64(0)
		for i := range n {
			gap, size := next(i)
			at += gap
			layouts[name] = append(layouts[name], block{at, size})
			at += size
		}
	}
	for _, size := range []int64{1, 4, 8, 12, 16, 24, 33, 64, 65, 127, 4096, 5000} {
		add("equal distances "+string(rune('A'+len(layouts))), int(270<<10/size), func(int) (int64, int64) { return 5, size })
		add("unequal distances "+string(rune('A'+len(layouts))), int(270<<10/size),
			func(i int) (int64, int64) { return int64(1 + i%7*(i%3)), size })
	}
	add("all sizes", 8000, func(i int) (int64, int64) { return int64(1 + i%5), int64(1 + i*7%83) })
	add("long ones among short", 500, func(i int) (int64, int64) {
		if i%100 == 7 {
			return 3, atOnceOrMore + int64(i)
		}
		return 2, int64(1 + i%11)
	})
	for name, blocks := range layouts {
		lengths, displs := []int64{}, []int64{}
		for _, b := range blocks {
			lengths, displs = append(lengths, b.n), append(displs, b.off)
		}
		typ, err := Hindexed(lengths, displs, byteType, false)
		if err != nil {
			t.Fatal(err)
		}
		mem := fill(typ.trueUB, 1)
		var want []byte
		for _, b := range blocks {
			want = append(want, mem[b.off:b.off+b.n]...)
		}
		b := Buffer{Addr: addressOf(mem), Count: 1, Type: typ}
		got := make([]byte, len(want))
		for _, cut := range []int64{0, 77} {
			clear(got)
			b.Pack(0, got[:cut])
			b.Pack(cut, got[cut:])
			if !bytes.Equal(got, want) {
				t.Fatalf("%s, cut at %d: packed data differs", name, cut)
			}
			stream, expect := fill(typ.size, byte(cut)), bytes.Clone(mem)
			at := int64(0)
			for _, b := range blocks {
				at += int64(copy(expect[b.off:b.off+b.n], stream[at:]))
			}
			b.Unpack(0, stream[:cut])
			b.Unpack(cut, stream[cut:])
			if !bytes.Equal(mem, expect) {
				t.Fatalf("%s, cut at %d: unpacked memory differs", name, cut)
			}
			want = stream
		}
	}
}

// atOnceOrMore is more than one call of a loop in assembly moves.
const atOnceOrMore = 300 << 10
