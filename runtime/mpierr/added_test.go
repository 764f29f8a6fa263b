package mpierr

import "testing"

func TestAddedIsTold(t *testing.T) {
	var a Added
	known := map[int]Class{}
	class := a.AddClass()
	a.Tell(func(code int, class Class) { known[code] = class })
	code, err := a.AddCode(class)
	if err != nil || known[class] != Class(class) || known[code] != Class(class) || len(known) != 2 {
		t.Fatalf("class %d, code %d, told of %v: %v", class, code, known, err)
	}
	if err := a.Remove(code, false); err != nil || known[code] != 0 {
		t.Errorf("a removed code is told to be of class %d: %v", known[code], err)
	}
}

func TestAdded(t *testing.T) {
	var a Added
	class := a.AddClass()
	code, err := a.AddCode(class)
	if err != nil || code <= class || class <= lastCode || a.Last() != code {
		t.Fatalf("class %d, code %d, last %d: %v", class, code, a.Last(), err)
	}
	of, err := a.AddCode(int(ErrRank))
	if err != nil {
		t.Fatal(err)
	}
	if c, _, ok := a.Lookup(of); !ok || c != ErrRank {
		t.Errorf("class %d of a code of MPI_ERR_RANK", c)
	}
	for _, bad := range []int{code, of, lastCode + 100, -1} {
		if _, err := a.AddCode(bad); CodeOf(err) != int(ErrArg) {
			t.Errorf("code of class %d: %v", bad, err)
		}
	}
	if err := a.SetText(code, "text"); err != nil {
		t.Error(err)
	}
	if c, text, ok := a.Lookup(code); !ok || text != "text" || c != Class(class) {
		t.Errorf("class %d, text %q", c, text)
	}
	for _, f := range []func() error{
		func() error { return a.SetText(int(ErrRank), "no") },
		func() error { return a.Remove(class, true) },  // has a code
		func() error { return a.Remove(code, false) },  // has a text
		func() error { return a.Remove(code, true) },   // is no class
		func() error { return a.Remove(class, false) }, // is no code
		func() error { return a.Remove(int(ErrRank), true) },
	} {
		if CodeOf(f()) != int(ErrArg) {
			t.Errorf("error %v", f())
		}
	}
	for _, err := range []error{a.SetText(code, ""), a.Remove(code, false), a.Remove(class, true),
		a.Remove(of, false)} {
		if err != nil {
			t.Error(err)
		}
	}
	if _, _, ok := a.Lookup(class); ok || a.Last() != lastCode+3 {
		t.Errorf("something is left; last %d", a.Last())
	}
}
