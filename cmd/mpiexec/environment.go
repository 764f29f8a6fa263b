package main

import (
	"errors"
	"os"
	"strings"
)

// envEdit is what the options say about an environment: which variables pass, and which are set.
type envEdit struct {
	limited bool     // only those in names pass
	names   []string // variables that pass in any case
	sets    []string // NAME=VALUE
}

func (e *envEdit) set(a []string) error {
	text := a[0]
	if len(a) == 2 {
		text = a[0] + "=" + a[1]
	}
	if strings.HasPrefix(text, "=") {
		return errors.New("the name of a variable is empty")
	}
	e.sets = append(e.sets, text)
	return nil
}

func (e *envEdit) only(list string) error {
	e.limited = true
	e.names = append(e.names, strings.FieldsFunc(list, func(r rune) bool { return r == ',' })...)
	return nil
}

func (e *envEdit) all() error { e.limited = false; return nil }

func (e *envEdit) pass(name string) { e.names = append(e.names, name) }

// build makes a program's environment of the launcher's own, the edits for all programs and those for this
// one.
func build(own []string, global, local envEdit) []string {
	out := own
	if global.limited || local.limited {
		pass := map[string]bool{}
		for _, n := range append(append([]string(nil), global.names...), local.names...) {
			pass[n] = true
		}
		out = nil
		for _, v := range own {
			if name, _, _ := strings.Cut(v, "="); pass[name] {
				out = append(out, v)
			}
		}
	}
	sets := append(append([]string(nil), global.sets...), local.sets...)
	if len(sets) == 0 {
		return out
	}
	// A name may stand in an environment once only: the last setting wins.
	value := map[string]string{}
	for _, s := range sets {
		name, _, _ := strings.Cut(s, "=")
		value[name] = s
	}
	merged := make([]string, 0, len(out)+len(value))
	for _, v := range out {
		if name, _, _ := strings.Cut(v, "="); value[name] == "" {
			merged = append(merged, v)
		}
	}
	for _, s := range sets {
		if name, _, _ := strings.Cut(s, "="); value[name] == s {
			merged = append(merged, s)
			delete(value, name)
		}
	}
	return merged
}

// withLibrary tells Python's mpi4py, which looks for any MPI library that it can find, to take ours, unless
// the user chose one.
func withLibrary(env []string, library string) []string {
	for _, v := range env {
		if strings.HasPrefix(v, "MPI4PY_MPIABI=") || strings.HasPrefix(v, "MPI4PY_LIBMPI=") {
			return env
		}
	}
	if _, err := os.Stat(library); err != nil {
		return env
	}
	return append(env[:len(env):len(env)], "MPI4PY_LIBMPI="+library)
}
