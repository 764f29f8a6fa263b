package fast

import (
	"testing"

	"pgregory.net/rapid"

	"gompi/shm"
)

// The table of messages gives what a list searched from the front gives, with and without wildcards, whatever
// comes and goes in between, and gives the memory of all of them back.
func TestUnexpected(t *testing.T) {
	type message struct {
		i, ctx   uint32
		src, tag int32
		size     uint64
		data     uintptr
	}
	sizes := []uint64{0, 1, 40, 41, 64, 65, 5000, mostPiece, mostPiece + 1}
	rapid.Check(t, func(t *rapid.T) {
		e, end := newEndpoint(t)
		defer end()
		var list []message
		take := func(at int) {
			m := list[at]
			for b, c := range shm.Bytes(m.data, int64(m.size)) {
				if c != byte(m.tag) {
					t.Fatalf("byte %d of message %d is %d", b, m.i, c)
				}
			}
			e.Discard(m.i)
			list = append(list[:at], list[at+1:]...)
		}
		for range rapid.IntRange(1, 700).Draw(t, "steps") {
			ctx := rapid.Uint32Range(0, 2).Draw(t, "ctx")
			src, tag := rapid.Int32Range(0, 3).Draw(t, "src"), rapid.Int32Range(0, 40).Draw(t, "tag")
			if rapid.IntRange(0, 2).Draw(t, "come") > 0 {
				size := rapid.SampledFrom(sizes).Draw(t, "size")
				i, data, err := e.NewMessage(size)
				if err != nil {
					t.Fatal(err)
				}
				m := e.Message(i)
				m.Ctx, m.Src, m.Tag = ctx, src, tag
				for b := range shm.Bytes(data, int64(size)) {
					shm.Bytes(data, int64(size))[b] = byte(tag)
				}
				e.File(i)
				list = append(list, message{i, ctx, src, tag, size, data})
				continue
			}
			if rapid.Bool().Draw(t, "from anybody") {
				src = AnySource
			}
			if rapid.Bool().Draw(t, "with any tag") {
				tag = AnyTag
			}
			want := -1
			for at, m := range list {
				if m.ctx == ctx && (src == AnySource || m.src == src) && (tag == AnyTag || m.tag == tag) {
					want = at
					break
				}
			}
			got := e.UnexpectedFor(ctx, src, tag)
			if got == ToFile {
				e.FileAll(src, tag)
				got = e.UnexpectedFor(ctx, src, tag)
			}
			if want < 0 && got != NoRequest || want >= 0 && got != list[want].i {
				t.Fatalf("%d %d %d: got message %d, want %d of %v", ctx, src, tag, got, want, list)
			}
			if want >= 0 {
				take(want)
			}
		}
		for len(list) > 0 {
			take(rapid.IntRange(0, len(list)-1).Draw(t, "discard"))
		}
		if e.Unexpected != 0 || e.Waiting != 0 {
			t.Fatalf("%d messages are left, %d wait", e.Unexpected, e.Waiting)
		}
	})
}
