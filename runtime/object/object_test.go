package object

import (
	"errors"
	"testing"

	"gompi/runtime/info"
)

func TestName(t *testing.T) {
	b := Base{Kind: Win, Origin: "MPI_Win_create"}
	if b.Label() != "from MPI_Win_create" {
		t.Errorf("label %q", b.Label())
	}
	b.SetName("halo")
	if b.Name() != "halo" || b.Label() != "halo" {
		t.Errorf("name %q, label %q", b.Name(), b.Label())
	}
}

func TestErrhandler(t *testing.T) {
	var b Base
	if b.Errhandler().Mode != Fatal {
		t.Error("errors are not fatal at first")
	}
	b.SetErrhandler(Errhandler{Mode: Call, Handle: 1 << 25, Function: 1})
	if h := b.Errhandler(); h.Mode != Call || h.Handle != 1<<25 || h.Function != 1 {
		t.Errorf("handler %v", h)
	}
}

func TestLocated(t *testing.T) {
	var first, second Base
	cause := errors.New("no")
	if Locate(&first, nil) != nil || Locate(nil, cause) != cause || Of(cause) != nil || Of(nil) != nil {
		t.Error("an error is located without reason")
	}
	err := Locate(&second, Locate(&first, cause))
	if Of(err) != &first || !errors.Is(err, cause) || err.Error() != "no" {
		t.Errorf("%v is not located at the first object", err)
	}
}

func TestHints(t *testing.T) {
	known := []Hint{{Key: "a", Default: "false", Valid: Truth}, {Key: "b"}, {Key: "c", Default: "x"}}
	var b Base
	b.SetHints(known, nil)
	i := new(info.Info)
	for _, kv := range [][2]string{{"b", "1"}, {"a", "maybe"}, {"z", "unknown"}, {"c", "y"}} {
		if err := i.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	if b.Hints(func() []Hint { return known }).Len() != 2 {
		t.Error("hints without default are listed before they are set")
	}
	b.SetHints(known, i)
	got := ""
	all := b.Hints(func() []Hint { return known })
	for n := range all.Len() {
		k, _ := all.Key(n)
		v, _, _ := all.Get(k)
		got += k + "=" + v + " "
	}
	if got != "a=false b=1 c=y " {
		t.Errorf("hints %q", got)
	}
}
