package session

import (
	"testing"

	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

func open(hints *info.Info) *Session {
	return New(Config{Level: "MPI_THREAD_SINGLE", Hints: hints, Job: group.Range(0, 1, 5), Rank: 3})
}

func TestSets(t *testing.T) {
	s := open(nil)
	for n, want := range []struct {
		name  string
		ranks []int
	}{{World, []int{0, 1, 2, 3, 4}}, {Self, []int{3}}} {
		name, err := s.Set(n)
		if err != nil || name != want.name {
			t.Fatalf("set %d is %q, %v", n, name, err)
		}
		g, err := s.Group(name)
		if err != nil || g.Size() != len(want.ranks) || g.Of(0) != want.ranks[0] {
			t.Errorf("group of %s: %v, %v", name, g, err)
		}
		i, err := s.SetInfo(name)
		if err != nil {
			t.Fatal(err)
		}
		if v, _, _ := i.Get("mpi_size"); len(v) != 1 || int(v[0]-'0') != len(want.ranks) {
			t.Errorf("mpi_size of %s is %q", name, v)
		}
	}
	if g, err := s.Group("MPI://self"); err != nil || g.Size() != 1 {
		t.Errorf("names are not compared as those of URIs: %v", err)
	}
	for _, n := range []int{-1, 2} {
		if _, err := s.Set(n); mpierr.CodeOf(err) != int(mpierr.ErrArg) {
			t.Errorf("set %d: %v", n, err)
		}
	}
	if _, err := s.SetInfo("mpi://ELSE"); mpierr.CodeOf(err) != int(mpierr.ErrArg) {
		t.Errorf("unknown set: %v", err)
	}
}

func TestKinds(t *testing.T) {
	for wanted, want := range map[string]string{
		"":                               "mpi,system",
		"system, mpi":                    "mpi,system",
		"cuda:device,system":             "mpi,system",
		"mpi:alloc_mem,MPI:win_allocate": "mpi,system,mpi:alloc_mem,mpi:win_allocate",
		"mpi:alloc_mem:win_allocate_shared,mpi:magic": "mpi,system,mpi:alloc_mem:win_allocate_shared",
		"system:fast,,": "mpi,system",
	} {
		if got := Kinds(wanted); got != want {
			t.Errorf("Kinds(%q) is %q, want %q", wanted, got, want)
		}
	}
	i := new(info.Info)
	if err := i.Set("mpi_memory_alloc_kinds", "mpi:alloc_mem"); err != nil {
		t.Fatal(err)
	}
	if v, ok, _ := open(i).Info().Get("mpi_memory_alloc_kinds"); !ok || v != "mpi,system,mpi:alloc_mem" {
		t.Errorf("kinds %q", v)
	}
	if v, _, _ := open(nil).Info().Get("thread_level"); v != "MPI_THREAD_SINGLE" {
		t.Errorf("level %q", v)
	}
}
