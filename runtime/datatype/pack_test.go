package datatype

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// offsets is the slow, obvious meaning of a program: the displacement of every byte of the stream, in order.
func (s *step) offsets(base int64) []int64 {
	var all []int64
	for turn := range s.count {
		at := base + s.off + turn*s.stride
		if s.body == nil {
			for i := range s.size {
				all = append(all, at+i)
			}
			continue
		}
		for i := range s.body {
			all = append(all, s.body[i].offsets(at)...)
		}
	}
	return all
}

// typeMap is the displacement of every data byte of a buffer from its address.
func typeMap(b Buffer) []int64 {
	t := b.Type
	var all []int64
	for i := range b.Count {
		if t.body == nil {
			for k := range t.size {
				all = append(all, i*t.extent+k)
			}
			continue
		}
		for k := range t.body {
			all = append(all, t.body[k].offsets(i*t.extent)...)
		}
	}
	return all
}

// drawBody draws the steps of one turn whose bytes all lie within a window of memory of the size returned.
func drawBody(t *rapid.T, depth int) (body []step, size, window int64) {
	for range rapid.IntRange(1, 3).Draw(t, "steps") {
		s := step{ahead: size, count: rapid.Int64Range(1, 4).Draw(t, "count")}
		var inner int64
		if depth > 0 && rapid.Bool().Draw(t, "nest") {
			s.body, s.size, inner = drawBody(t, depth-1)
		} else {
			s.size = rapid.Int64Range(1, 20).Draw(t, "run")
			inner = s.size
		}
		s.off = window + rapid.Int64Range(0, 5).Draw(t, "gap")
		s.stride = inner + rapid.Int64Range(0, 5).Draw(t, "stride gap")
		window = s.off + s.count*s.stride
		if rapid.Bool().Draw(t, "backwards") {
			s.off += (s.count - 1) * s.stride
			s.stride = -s.stride
		}
		size += s.count * s.size
		body = append(body, s)
	}
	return body, size, window
}

// drawType draws a predefined type or one with a random program, as type constructors will make them.
func drawType(t *rapid.T) *Type {
	if rapid.Bool().Draw(t, "predefined") {
		return rapid.SampledFrom(All()).Draw(t, "type")
	}
	body, size, window := drawBody(t, 2)
	return &Type{name: "drawn", size: size, extent: window + rapid.Int64Range(0, 8).Draw(t, "tail"), trueUB: window, body: body}
}

func fill(n int64, seed byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = seed + byte(i*7) + byte(i>>8)
	}
	return b
}

func TestPackAndUnpackFollowTheTypeMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t)
		count := rapid.Int64Range(0, 9).Draw(t, "count")
		mem := fill(count*typ.extent+1, 3)
		b := Buffer{Addr: addressOf(mem), Count: count, Type: typ}
		where := typeMap(b)
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
	})
}

func TestCopyMovesDataBetweenAnyTwoLayouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := drawType(t), drawType(t)
		src := Buffer{Count: rapid.Int64Range(0, 300).Draw(t, "source count"), Type: from}
		dst := Buffer{Count: rapid.Int64Range(0, 300).Draw(t, "target count"), Type: to}
		a, b := fill(src.Count*from.extent+1, 1), fill(dst.Count*to.extent+1, 2)
		src.Addr, dst.Addr = addressOf(a), addressOf(b)
		want := bytes.Clone(b)
		sm, dm := typeMap(src), typeMap(dst)
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

func TestSpanCoversExactlyTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Buffer{Addr: 4096, Count: rapid.Int64Range(0, 5).Draw(t, "count"), Type: rapid.SampledFrom(All()).Draw(t, "type")}
		where := typeMap(b)
		lo, n := b.Span()
		if len(where) == 0 {
			if lo != 0 || n != 0 {
				t.Fatalf("Span of nothing = %d, %d", lo, n)
			}
			return
		}
		first, last := where[0], where[0]
		for _, w := range where {
			first, last = min(first, w), max(last, w)
		}
		if lo != first || n != last+1-first {
			t.Fatalf("Span = %d, %d; the data lie in [%d, %d]", lo, n, first, last)
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
