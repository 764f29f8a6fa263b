package tool

import (
	"os"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	env := map[string]string{"GOMPI_EAGER": "4096", "GOMPI_SINGLE_COPY": "off"}
	s, err := Read(func(k string) string { return env[k] })
	if err != nil || s.Eager != 4096 || !s.NoSingleCopy || s.Spin != 0 || s.NoSharedColl {
		t.Fatalf("got %+v, %v", s, err)
	}
}

func TestReadBad(t *testing.T) {
	for name, value := range map[string]string{"GOMPI_EAGER": "big", "GOMPI_SPIN": "-1", "GOMPI_SINGLE_COPY": "maybe"} {
		_, err := Read(func(k string) string {
			if k == name {
				return value
			}
			return ""
		})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), value) {
			t.Errorf("%s=%s: error %v", name, value, err)
		}
	}
}

// An older name of a setting holds where the newer one is not set, and an error names the one that was used.
func TestAlias(t *testing.T) {
	read := func(env map[string]string) (Settings, error) {
		return Read(func(name string) string { return env[name] })
	}
	for _, c := range []struct {
		env            map[string]string
		chunk, timeout int
	}{
		{map[string]string{"GOMPI_COPY_CHUNK": "7", "GOMPI_COPY_TIMEOUT": "8"}, 7, 8},
		{map[string]string{"GOMPI_COPY_BITE": "7", "GOMPI_COPY_PATIENCE": "8"}, 7, 8},
		{map[string]string{"GOMPI_COPY_CHUNK": "7", "GOMPI_COPY_BITE": "9", "GOMPI_COPY_PATIENCE": "8"}, 7, 8},
	} {
		if s, err := read(c.env); err != nil || s.CopyChunk != c.chunk || s.CopyTimeout != c.timeout {
			t.Errorf("%v: chunk %d, timeout %d, %v", c.env, s.CopyChunk, s.CopyTimeout, err)
		}
	}
	_, err := read(map[string]string{"GOMPI_COPY_BITE": "much"})
	if err == nil || !strings.HasPrefix(err.Error(), `GOMPI_COPY_BITE="much"`) {
		t.Errorf("error %v", err)
	}
	page, err := os.ReadFile("../../docs/tuning.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range All() {
		if n := len(strings.Fields(s.Help)); n > 25 {
			t.Errorf("the help of %s has %d words: leave 25, and let docs/tuning.md say the rest", s.Env, n)
		}
		if !strings.Contains(string(page), "`"+s.Env+"`") {
			t.Errorf("docs/tuning.md says nothing of %s", s.Env)
		}
		if s.Alias != "" && (!s.Named(s.Env) || !s.Named(s.Alias)) || s.Named("") {
			t.Errorf("%s does not know its names", s.Env)
		}
		if name, _ := Misspelt([]string{s.Alias + "=1"}); s.Alias != "" && name != "" {
			t.Errorf("%s is taken for a misspelt name", s.Alias)
		}
	}
}

// A list of pinned algorithms is read as it is written, and a wrong name gives an error that lists the right
// ones.
func TestReadPins(t *testing.T) {
	read := func(v string) (Settings, error) {
		return Read(func(name string) string {
			if name == "GOMPI_COLLECTIVES" {
				return v
			}
			return ""
		})
	}
	s, err := read("allreduce=halving, bcast=steps")
	if err != nil || s.Collectives[Allreduce] != Halving || s.Collectives[Bcast] != Steps ||
		s.Collectives.String() != "bcast=steps,allreduce=halving" {
		t.Errorf("%v, %v", s.Collectives, err)
	}
	if s, err := read("auto"); err != nil || s.Collectives != (Pins{}) || s.Collectives.String() != "auto" {
		t.Errorf("%v, %v", s.Collectives, err)
	}
	for v, want := range map[string]string{
		"allreduc=halving": "allgather, alltoall, reduce, allreduce", "bcast": "cells, steps, single_copy",
		"bcast=halving": "binomial, ring, straight", "allreduce=across": "halving, over_nodes, rails",
	} {
		if _, err := read(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", v, err)
		}
	}
}

// Each pair of an operation and an algorithm has a count of its own.
func TestCollectivesAreCountedApart(t *testing.T) {
	var c Collectives
	n := 0
	for o := range Operations {
		for _, a := range append([]Algorithm{Alone}, operations[o].by...) {
			*c.At(o, a)++
			n++
		}
	}
	if n != len(c) {
		t.Errorf("%d pairs, %d counts", n, len(c))
	}
	for i, count := range c {
		if count != 1 {
			t.Errorf("count %d is of %d pairs", i, count)
		}
	}
}

// No area, one of some size, or what suits the caches.
func TestSendArea(t *testing.T) {
	for value, want := range map[string]int{"": 0, "0": -1, "70000": 70000} {
		s, err := Read(func(k string) string {
			if k == "GOMPI_SEND_AREA" {
				return value
			}
			return ""
		})
		if err != nil || s.SendArea != want {
			t.Errorf("GOMPI_SEND_AREA=%s is %d, %v; want %d", value, s.SendArea, err, want)
		}
	}
	for _, value := range []string{"-1", "4194305", "much"} {
		if _, err := Read(func(k string) string {
			if k == "GOMPI_SEND_AREA" {
				return value
			}
			return ""
		}); err == nil {
			t.Errorf("GOMPI_SEND_AREA=%s is taken", value)
		}
	}
}
