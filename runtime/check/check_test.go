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
