package state

import (
	"reflect"
	"testing"
)

func sample() *Rank {
	return &Rank{
		Now: 1 << 40, Threads: 1, Sent: 1<<32 - 1, Taken: 7,
		Comms: []Comm{{Name: "MPI_COMM_WORLD", Members: []Span{{First: 0, Step: 1, Length: 4}}},
			{Name: "inter", Number: 7, Rank: 1, Inter: true, Targets: []Span{{Job: "ab", First: 2, Length: 1}}}},
		Waits: []Wait{{Thread: 4711, Call: "MPI_Waitall", Caller: 1<<47 + 3, Since: 5, Any: true, Needs: []Need{
			{Kind: Receive, Comm: 1, Peer: AnySource, Tag: AnyTag, Bytes: 8, Count: 2, Type: "MPI_INT"},
			{Kind: Collective, Name: "MPI_Bcast", Root: NoRoot, Bytes: -1, Absent: []int32{1, 2}},
		}}},
		Messages: []Message{{Comm: 1, Src: 3, Tag: 4, Bytes: 1 << 33}},
		Locks:    []Lock{{Comm: 1, Target: 2, Exclusive: true}},
		Left:     3,
	}
}

// plain replaces empty lists, which decoding makes, by nil ones.
func plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		plain(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			plain(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			plain(v.Index(i))
		}
	}
}

func TestBackAndForth(t *testing.T) {
	want := sample()
	got, err := Decode(want.Encode(1 << 14))
	if err != nil {
		t.Fatal(err)
	}
	if plain(reflect.ValueOf(got)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestShift has times of another clock, some of which are ahead of this one's beginning.
func TestShift(t *testing.T) {
	r := &Rank{Now: 100, Waits: []Wait{{Since: 90}, {Since: 10}, {}}}
	for _, c := range []struct{ by, now, first, second uint64 }{
		{1 << 50, 1<<50 + 100, 1<<50 + 90, 1<<50 + 10}, {^uint64(1<<50 + 49), 50, 40, 1},
	} {
		if r.Shift(c.by); r.Now != c.now || r.Waits[0].Since != c.first || r.Waits[1].Since != c.second ||
			r.Waits[2].Since != 0 {
			t.Errorf("by %d: %+v", c.by, r)
		}
	}
}

// TestTooLong has reports for which there is little room.
func TestTooLong(t *testing.T) {
	r := sample()
	for range 1000 {
		r.Messages = append(r.Messages, r.Messages[0])
		r.Waits[0].Needs = append(r.Waits[0].Needs, r.Waits[0].Needs[0])
	}
	got, err := Decode(r.Encode(300))
	if err != nil || len(got.Waits) != 1 || len(got.Waits[0].Needs) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if b := sample().Encode(10); b != nil {
		t.Errorf("%d bytes where 10 have room", len(b))
	}
}

// TestHarmless has a name that would do something to a terminal.
func TestHarmless(t *testing.T) {
	r := sample()
	r.Comms[0].Name = "a\x1b[31mb\n\u009bc\xff"
	got, err := Decode(r.Encode(1 << 14))
	if err != nil {
		t.Fatal(err)
	}
	if want := "a?[31mb??c\uFFFD"; got.Comms[0].Name != want {
		t.Errorf("%q, want %q", got.Comms[0].Name, want)
	}
}

// FuzzDecode feeds what no rank writes: an error or a report whose communicators exist.
func FuzzDecode(f *testing.F) {
	f.Add(sample().Encode(1 << 14))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode(b)
		if err != nil {
			return
		}
		for _, m := range r.Messages {
			_ = r.Comms[m.Comm]
		}
	})
}
