package check

import (
	"testing"

	"gompi/runtime/datatype"
	"gompi/shm"
)

func at(b []byte, from, to int64) datatype.Buffer {
	return datatype.Raw(shm.Address(b)+uintptr(from), to-from)
}

func TestOverlap(t *testing.T) {
	room := make([]byte, 100)
	for _, c := range []struct {
		a, b []datatype.Buffer
		want bool
	}{
		{[]datatype.Buffer{at(room, 0, 10)}, []datatype.Buffer{at(room, 10, 20)}, false},
		{[]datatype.Buffer{at(room, 0, 11)}, []datatype.Buffer{at(room, 10, 20)}, true},
		{[]datatype.Buffer{at(room, 20, 30), at(room, 0, 10)}, []datatype.Buffer{at(room, 10, 20)}, false},
		{[]datatype.Buffer{at(room, 20, 30), at(room, 0, 10)}, []datatype.Buffer{at(room, 10, 21)}, true},
		{nil, []datatype.Buffer{at(room, 0, 10)}, false},
	} {
		a, b := MemoryOf(c.a...), MemoryOf(c.b...)
		if a.Overlaps(&b) != c.want || b.Overlaps(&a) != c.want {
			t.Errorf("%v and %v", a, b)
		}
	}
	twice := MemoryOf(at(room, 0, 10), at(room, 20, 30), at(room, 9, 12))
	once := MemoryOf(at(room, 0, 10), at(room, 20, 30), at(room, 10, 12))
	if !twice.Twice() || once.Twice() {
		t.Error("bytes of two elements")
	}
}

// TestConflicts has operations begin and end, on memory of few bytes and of many.
func TestConflicts(t *testing.T) {
	for _, size := range []int64{100, 64 << 10, 4 << 20} {
		room := make([]byte, 4*size)
		var b Buffers
		begin := func(from, to int64, writes bool) (*Operation, bool) {
			o := &Operation{Uses: []Use{{Writes: writes, Sealed: true, Memory: MemoryOf(at(room, from, to))}}}
			c, found := b.Begin(o, true)
			if found && c.With == o {
				t.Error("overlaps itself")
			}
			return o, found
		}
		write, found := begin(0, size, true)
		if found {
			t.Error("the first one")
		}
		if _, found := begin(size-1, 2*size, false); !found {
			t.Error("a read of what is written")
		}
		if _, found := begin(size, 3*size, false); found {
			t.Error("reads may overlap")
		}
		b.End(write)
		b.End(write)
		read, found := begin(0, size-1, false)
		if found || read.Changed(false) != nil {
			t.Error("what was written to has ended")
		}
		room[size/2]++
		if read.Changed(false) == nil || read.Changed(true) != nil {
			t.Error("a changed byte")
		}
		if b.Touch(MemoryOf(at(room, 0, 1))) != read || b.Touch(MemoryOf(at(room, 3*size, 4*size))) != nil {
			t.Error("Touch")
		}
	}
}

// TestOnce has one defect told once, and another one of the same place.
func TestOnce(t *testing.T) {
	var said []string
	r := Reporter{Say: func(kind, line string) { said = append(said, kind+" "+line) }}
	send, wait := Place{Function: "MPI_Isend"}, Place{Function: "MPI_Wait"}
	for range 3 {
		r.Report("buffers", wait, send, "%[2]s of %[1]s", "buf")
		r.Report("buffers", wait, Place{}, "%s", "alone")
	}
	want := []string{"buffers MPI_Wait: buf of MPI_Isend", "buffers MPI_Wait: alone"}
	if len(said) != 2 || said[0] != want[0] || said[1] != want[1] {
		t.Errorf("%q", said)
	}
}

func TestConflictingAccesses(t *testing.T) {
	at := func(kind AccessKind, from, n int64, begun, ended uint64) *Access {
		return &Access{Kind: kind, Op: 1, Type: 1, Spans: []Span{{from, n}}, Begun: begun, Ended: ended}
	}
	other := at(Update, 0, 8, 0, 10)
	other.Op = 2
	anyOp := at(Update, 0, 8, 0, 10)
	anyOp.Op = AnyOp
	for i, c := range []struct {
		a, b *Access
		want int
	}{
		{at(Write, 0, 8, 0, 10), at(Write, 4, 8, 5, Pending), 1},
		{at(Write, 0, 8, 0, 10), at(Write, 8, 8, 5, Pending), 0},  // beside
		{at(Write, 0, 8, 0, 10), at(Write, 4, 8, 10, Pending), 0}, // later
		{at(Read, 0, 8, 0, 10), at(Read, 4, 8, 5, Pending), 0},
		{at(Read, 0, 8, 0, 10), at(Write, 4, 1, 5, Pending), 1},
		{at(Read, 0, 8, 0, 10), at(Update, 4, 1, 5, Pending), 1},
		{at(Update, 0, 8, 0, 10), at(Update, 4, 1, 5, Pending), 0},
		{at(Update, 0, 8, 0, 10), other, 1},
		{anyOp, other, 0},
		{anyOp, at(Read, 0, 8, 5, Pending), 1},
		{at(Fetch, 0, 8, 0, 10), other, 0},
		{at(Fetch, 0, 8, 0, 10), at(Fetch, 0, 8, 0, 10), 0},
		{at(Fetch, 0, 8, 0, 10), at(Read, 0, 8, 5, Pending), 0},
		{at(Fetch, 0, 8, 0, 10), at(Write, 0, 8, 5, Pending), 1},
	} {
		for _, all := range [][]*Access{{c.a, c.b}, {c.b, c.a}} {
			n := 0
			Conflicts(all, func(_, _ *Access) { n++ })
			if n != c.want {
				t.Errorf("case %d: %d conflicts", i, n)
			}
		}
	}
}

// TestAccessesTravel writes accesses and reads them, also where they are cut off or scrambled.
func TestAccessesTravel(t *testing.T) {
	a := &Access{Kind: Update, Op: 3, Type: AnyOp, Spans: []Span{{-8, 4}, {1 << 40, 1}}, Begun: 5,
		Ended: Pending, Exposed: true, Sum: 77, Summed: true, Text: "MPI_Put at ring.c:12", Args: "4 MPI_INT"}
	b := (&Access{}).AppendTo(a.AppendTo(nil))
	all := DecodeAccesses(2, b)
	if len(all) != 2 || all[0].Origin != 2 || all[1].Text != "" {
		t.Fatalf("%v", all)
	}
	if again := all[0].AppendTo(nil); string(again) != string(b[:len(again)]) {
		t.Errorf("%+v", all[0])
	}
	for n := range b {
		DecodeAccesses(0, b[:n])
		c := append([]byte(nil), b...)
		c[n] ^= 0xff
		DecodeAccesses(0, c)
	}
}
