package datatype

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func fill(n int64, seed byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = seed + byte(i*7) + byte(i>>8)
	}
	return b
}

func TestPackAndUnpackFollowTheTypeMap(t *testing.T) {
	rapid.Check(t, packAndUnpack)
}

func FuzzPackAndUnpack(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(packAndUnpack))
}

func packAndUnpack(t *rapid.T) {
	b, where, mem := drawBuffer(t, 9)
	if int64(len(where)) != b.Bytes() {
		t.Fatalf("type map has %d bytes, Bytes() says %d", len(where), b.Bytes())
	}
	at := rapid.Int64Range(0, b.Bytes()+3).Draw(t, "at")
	length := rapid.Int64Range(0, b.Bytes()+3).Draw(t, "length")
	want := max(min(length, b.Bytes()-at), 0)

	stream := fill(length, 99)
	packed := bytes.Clone(stream)
	if n := b.Pack(at, packed); int64(n) != want {
		t.Fatalf("Pack(%d, %d bytes) = %d, want %d", at, length, n, want)
	}
	for i := range packed {
		expect := stream[i]
		if int64(i) < want {
			expect = mem[where[at+int64(i)]]
		}
		if packed[i] != expect {
			t.Fatalf("packed byte %d is %d, want %d", i, packed[i], expect)
		}
	}
	if overlaps(where) {
		return // nothing may be received there (MPI 5.0, 5.1.11)
	}
	expect := bytes.Clone(mem)
	for i := range want {
		expect[where[at+i]] = stream[i]
	}
	if n := b.Unpack(at, stream); int64(n) != want {
		t.Fatalf("Unpack(%d, %d bytes) = %d, want %d", at, length, n, want)
	}
	if !bytes.Equal(mem, expect) {
		t.Fatalf("Unpack wrote\n%v, want\n%v", mem, expect)
	}
}

// overlaps reports whether a byte stands twice in a type map.
func overlaps(where []int64) bool {
	seen := map[int64]bool{}
	for _, w := range where {
		if seen[w] {
			return true
		}
		seen[w] = true
	}
	return false
}

func TestCopyMovesDataBetweenAnyTwoLayouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, sm, a := drawBuffer(t, 40)
		dst, dm, b := drawBuffer(t, 40)
		heap2 = a
		if overlaps(dm) {
			return
		}
		want := bytes.Clone(b)
		n := min(len(sm), len(dm))
		for i := range n {
			want[dm[i]] = a[sm[i]]
		}
		if got := Copy(dst, src); got != int64(n) {
			t.Fatalf("Copy = %d, want %d", got, n)
		}
		if !bytes.Equal(b, want) {
			t.Fatal("Copy wrote something else than the data")
		}
	})
}

var heap2 []byte // keeps the memory of a second buffer

func TestTypesHaveTheBoundsOfTheirTypeMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawType(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		if d.size != d.ref.size() || d.lb != d.ref.lb || d.extent != d.ref.extent() {
			t.Fatalf("size %d, lb %d, extent %d; want %d, %d, %d", d.size, d.lb, d.extent, d.ref.size(), d.ref.lb, d.ref.extent())
		}
		if lo, hi := d.ref.span(1); d.trueLB != lo || d.trueUB != hi {
			t.Fatalf("data from %d to %d, want %d to %d", d.trueLB, d.trueUB, lo, hi)
		}
		count := rapid.Int64Range(0, 5).Draw(t, "count")
		lo, n := Buffer{Addr: 4096, Count: count, Type: d.Type}.Span()
		if first, last := d.ref.span(count); lo != first || n != last-first {
			t.Fatalf("Span = %d, %d; the data lie in [%d, %d)", lo, n, first, last)
		}
	})
}

func TestElementsAreCountedByTheTypeMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawType(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		count := rapid.Int64Range(0, 3).Draw(t, "count")
		var ends []int64
		at := int64(0)
		for range count {
			for _, e := range d.ref.entries {
				at += e.size
				ends = append(ends, at)
			}
		}
		n := rapid.Int64Range(0, at).Draw(t, "bytes")
		want, whole := int64(0), n == 0
		for _, e := range ends {
			if e <= n {
				want++
			}
			whole = whole || e == n
		}
		got, ok := d.Elements(n)
		if ok != whole || whole && got != want {
			t.Fatalf("Elements(%d) = %d, %v; want %d, %v", n, got, ok, want, whole)
		}
	})
}

func TestNothingIsTouchedWithoutData(t *testing.T) {
	b := Buffer{Addr: InPlace, Count: 0, Type: ByHandle(0x209)}
	var room [8]byte
	if n := b.Pack(0, room[:]); n != 0 {
		t.Errorf("Pack of an empty buffer at MPI_IN_PLACE = %d", n)
	}
	if n := Copy(Buffer{Addr: 0, Count: 0, Type: b.Type}, b); n != 0 {
		t.Errorf("Copy of nothing = %d", n)
	}
}

func TestPackAllocatesNothing(t *testing.T) {
	mem, stream := make([]byte, 64), make([]byte, 48)
	b := Buffer{Addr: addressOf(mem), Count: 4, Type: ByHandle(0x229)}
	if n := testing.AllocsPerRun(100, func() { b.Pack(0, stream); b.Unpack(0, stream) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPackDoubleInt(b *testing.B) {
	mem, stream := make([]byte, 16<<10), make([]byte, 12<<10)
	buf := Buffer{Addr: addressOf(mem), Count: 1 << 10, Type: ByHandle(0x229)}
	b.SetBytes(12 << 10)
	for b.Loop() {
		buf.Pack(0, stream)
	}
}
