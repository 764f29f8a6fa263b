package tool

import (
	"testing"

	"gompi/runtime/mpierr"
)

// find is the performance variable with that name.
func find(t *testing.T, name string) *Performance {
	t.Helper()
	all := Performances()
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	t.Fatalf("no performance variable %q", name)
	return nil
}

func TestWatch(t *testing.T) {
	var now Counters
	s := NewSession()
	w := s.Watch(find(t, "eager_messages"), func() Counters { return now })
	want := func(v uint64) {
		t.Helper()
		if got := w.Value(); got != v {
			t.Errorf("value %d, want %d", got, v)
		}
	}
	now.EagerSent = 10
	want(0) // it has not been started
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	now.EagerSent = 15
	want(5)
	if err := w.Start(); err != nil { // again, which changes nothing
		t.Fatal(err)
	}
	now.EagerSent = 16
	want(6)
	if err := w.Stop(); err != nil {
		t.Fatal(err)
	}
	now.EagerSent = 100
	want(6)
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	now.EagerSent = 101
	if before, err := w.Set(50); before != 7 || err != nil {
		t.Errorf("set: %d, %v", before, err)
	}
	now.EagerSent = 103
	want(52)
	if other := NewSession(); other.Owns(w) || other.Forget(w) || !s.Forget(w) || s.Owns(w) {
		t.Error("a handle belongs to the session that made it, until it is freed")
	}
}

func TestWatchOfALevel(t *testing.T) {
	now := Counters{UnexpectedNow: 3}
	w := NewSession().Watch(find(t, "unexpected_queue_length"), func() Counters { return now })
	if w.Value() != 3 {
		t.Errorf("value %d", w.Value())
	}
	if c := mpierr.CodeOf(w.Start()); c != int(mpierr.TErrPvarNoStartstop) {
		t.Errorf("start: class %d", c)
	}
	if _, err := w.Set(0); mpierr.CodeOf(err) != int(mpierr.TErrPvarNoWrite) {
		t.Errorf("set: %v", err)
	}
}

func TestControls(t *testing.T) {
	var s Settings
	for _, c := range Controls() {
		if c.Text {
			continue
		}
		if v := c.Read(&s); v < 0 {
			t.Errorf("%s reads %d by default", c.Env, v)
		}
		if err := c.Write(&s, 77); (err == nil) != (c.Scope == Local) {
			t.Errorf("%s, scope %d, write: %v", c.Env, c.Scope, err)
		} else if err == nil && c.Read(&s) != 77 {
			t.Errorf("%s reads %d after 77 was written", c.Env, c.Read(&s))
		}
	}
}

// Every variable and event belongs to a category that there is, and no two have the same name.
func TestNames(t *testing.T) {
	categories, seen := map[string]bool{}, map[string]bool{}
	for _, c := range Categories() {
		categories[c.Name] = true
	}
	check := func(name, category string) {
		if seen[name] || name == "" || !categories[category] {
			t.Errorf("%q of category %q", name, category)
		}
		seen[name] = true
	}
	for _, c := range Controls() {
		check(c.Env, c.Category)
	}
	for _, p := range Performances() {
		check(p.Name, p.Category)
	}
	for _, e := range Events() {
		check(e.Name, e.Category)
	}
}

func TestRecorder(t *testing.T) {
	r := NewRecorder(nil)
	if r.Wanted(UnexpectedArrived) || (*Recorder)(nil).Wanted(UnexpectedArrived) {
		t.Error("nobody wants to be told")
	}
	r.Want(UnexpectedArrived, 1)
	if !r.Wanted(UnexpectedArrived) || r.Wanted(RendezvousBegun) {
		t.Error("one kind is wanted")
	}
	for i := range mostWaiting + 5 {
		r.Message(UnexpectedArrived, int32(i), 2, 3, 4)
	}
	all, lost := r.Take()
	if len(all) != mostWaiting || lost[UnexpectedArrived] != 5 || lost[RendezvousBegun] != 0 {
		t.Errorf("%d kept, lost %v", len(all), lost)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Stamp < all[i-1].Stamp || all[i].Data[0] != byte(i) {
			t.Fatalf("occurrence %d is out of order", i)
		}
	}
	if all, lost := r.Take(); len(all) != 0 || lost[UnexpectedArrived] != 0 {
		t.Error("what was taken is still there")
	}
}
