package fast

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSizes holds the sizes of buffers against the definition: count elements of a dense predefined type or
// of one that has a record; no other type, count or buffer has a size.
func TestSizes(t *testing.T) {
	e, end := newEndpoint(t)
	defer end()
	const first = uintptr(2<<25 | FirstObject)
	rapid.Check(t, func(t *rapid.T) {
		named, made := rapid.Uint8().Draw(t, "named"), rapid.Uint64Range(0, mostBytes).Draw(t, "made")
		e.Sizes[7] = named
		h := first + rapid.UintptrRange(0, 300).Draw(t, "index")
		record := e.NewType(h)
		record.Bytes = made
		e.AddType(record, h)
		count := rapid.OneOf(rapid.Int32(), rapid.Int32Range(-2, 5)).Draw(t, "count")
		buf := rapid.SampledFrom([]uintptr{0, 8, Lowest, 1 << 40}).Draw(t, "buf")
		check := func(datatype uintptr, each uint64) {
			want := noSize
			if n := each * uint64(max(count, 0)); each > 0 && each < 1<<31 && count >= 0 && n < 1<<31 &&
				(buf >= Lowest || count == 0) {
				want = uint32(n)
			}
			if got := e.size(buf, count, datatype); got != want {
				t.Fatalf("%d elements of %d bytes at %#x: size %d, want %d", count, each, buf, got, want)
			}
		}
		check(FirstType+7, uint64(named))
		check(FirstType+8, 0)
		check(h, made)
		check(h^1<<ObjectBits, 0) // of another generation
		if r := e.reduction(buf, count, h, OpSum); r.kind != 0 {
			t.Fatal("elements of a made type are combined")
		}
		e.DropType(h ^ 1<<ObjectBits)
		check(h, made)
		e.DropType(h)
		check(h, 0)
	})
}
