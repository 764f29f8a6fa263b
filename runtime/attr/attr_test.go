package attr

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// recorder notes the calls of its callbacks, and fails or refuses as it is told.
type recorder struct {
	calls      *[]string
	drop       bool // Copy keeps nothing
	failCopy   error
	failDelete error
}

func (r *recorder) Copy(object any, keyval int, value Value) (Value, bool, error) {
	*r.calls = append(*r.calls, fmt.Sprintf("copy %v %d", object, value.Pointer))
	value.Pointer += 100
	return value, !r.drop, r.failCopy
}

func (r *recorder) Delete(object any, keyval int, value Value) error {
	*r.calls = append(*r.calls, fmt.Sprintf("delete %v %d", object, value.Pointer))
	return r.failDelete
}

func (r *recorder) Copies() bool { return true }

// book is a registry that finds its keys.
type book struct {
	Registry
	keys map[int]*Keyval
}

func newBook() *book {
	b := &book{keys: map[int]*Keyval{}}
	b.Find = func(number int) *Keyval { return b.keys[number] }
	return b
}

// create makes a key.
func (b *book) create(kind Kind, number int, f Functions) *Keyval {
	k := b.Create(number, f, &fast.Keyval{Kind: fast.KeyKind(kind), Uses: 1})
	b.keys[number] = k
	return k
}

func TestOrderOfDeletion(t *testing.T) {
	var calls []string
	var s Set
	ended := 0
	reg := newBook()
	reg.Ended = func(*Keyval) { ended++ }
	for i := range 4 {
		k := reg.create(Comm, 5000+i, &recorder{calls: &calls})
		if err := s.Put("a", k, Value{Pointer: uintptr(i)}); err != nil {
			t.Fatal(err)
		}
		reg.Free(k)
		reg.Free(k) // changes nothing
		if !k.Freed() || ended != 0 {
			t.Error("a freed key with an attribute is not there")
		}
	}
	if err := s.Clear("a"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"delete a 3", "delete a 2", "delete a 1", "delete a 0"}; !slices.Equal(calls, want) {
		t.Errorf("calls %q, want %q", calls, want)
	}
	if ended != 4 {
		t.Errorf("%d keys have ended", ended)
	}
}

func TestPutReplaces(t *testing.T) {
	var calls []string
	var s Set
	f := &recorder{calls: &calls}
	ended := false
	reg := newBook()
	reg.Ended = func(*Keyval) { ended = true }
	k := reg.create(Type, 5000, f)
	if err := errors.Join(s.Put("a", k, Value{Pointer: 1}), s.Put("a", k, Value{Pointer: 2})); err != nil {
		t.Fatal(err)
	}
	if v, ok := s.Get(k.Number); !ok || v.Pointer != 2 || s.Len() != 1 {
		t.Errorf("value %v %v, %d attributes", v, ok, s.Len())
	}
	f.failDelete = errors.New("no")
	if err := s.Put("a", k, Value{Pointer: 3}); err != f.failDelete {
		t.Errorf("error %v", err)
	}
	if v, _ := s.Get(k.Number); v.Pointer != 2 {
		t.Errorf("value %v after a failure", v)
	}
	if err := s.Clear("a"); err != f.failDelete || s.Len() != 1 {
		t.Errorf("error %v, %d attributes", err, s.Len())
	}
	f.failDelete = nil
	if err := s.Delete("a", k); err != nil {
		t.Error(err)
	}
	if err := s.Delete("a", k); mpierr.CodeOf(err) != int(mpierr.ErrKeyval) {
		t.Errorf("deleting twice: %v", err)
	}
	if k.Kind() != Type || ended {
		t.Error("the key is of another kind, or has ended")
	}
	reg.Free(k)
	if err := s.Put("a", k, Value{Pointer: 1}); mpierr.CodeOf(err) != int(mpierr.ErrKeyval) {
		t.Errorf("setting under a freed key: %v", err)
	}
	if !ended {
		t.Error("a freed key without attributes has not ended")
	}
}

func TestCopy(t *testing.T) {
	var calls []string
	reg := newBook()
	var s, d Set
	keep := reg.create(Comm, 5000, &recorder{calls: &calls})
	drop := reg.create(Comm, 5001, &recorder{calls: &calls, drop: true})
	bad := &recorder{calls: &calls}
	last := reg.create(Comm, 5002, bad)
	for i, k := range []*Keyval{keep, drop, last} {
		if err := s.Put("a", k, Value{Pointer: uintptr(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CopyTo("a", &d, "b"); err != nil {
		t.Fatal(err)
	}
	if v, ok := d.Get(keep.Number); !ok || v.Pointer != 100 {
		t.Errorf("copied %v %v", v, ok)
	}
	if _, ok := d.Get(drop.Number); ok || d.Len() != 2 {
		t.Error("an attribute was copied that was not to be")
	}
	if err := d.Clear("b"); err != nil {
		t.Fatal(err)
	}
	calls, bad.failCopy = nil, errors.New("no")
	if err := s.CopyTo("a", &d, "b"); err != bad.failCopy || d.Len() != 0 {
		t.Errorf("error %v, %d attributes", err, d.Len())
	}
	if want := []string{"copy a 0", "copy a 1", "copy a 2", "delete b 100"}; !slices.Equal(calls, want) {
		t.Errorf("calls %q, want %q", calls, want)
	}
}
