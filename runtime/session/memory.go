package session

import (
	"slices"
	"strings"
)

// memoryKinds are the kinds of memory that may be passed to MPI calls, each with its restrictors (MPI 5.0,
// 11.4.3).
var memoryKinds = [...]struct {
	name        string
	restrictors []string
}{
	{"mpi", []string{"alloc_mem", "win_allocate", "win_allocate_shared"}},
	{"system", nil},
}

// Kinds is the list of memory kinds that a program gets that has asked for those in wanted, a list with
// commas: the kinds that are always there, and what it asked for as far as it is known. "" asks for nothing.
func Kinds(wanted string) string {
	granted := []string{"mpi", "system"}
	for _, w := range strings.Split(strings.ToLower(wanted), ",") {
		w = strings.TrimSpace(w)
		if w != "" && supported(w) && !slices.Contains(granted, w) {
			granted = append(granted, w)
		}
	}
	return strings.Join(granted, ",")
}

// supported reports whether memory of a kind, such as "mpi:alloc_mem", may be passed to MPI calls.
func supported(kind string) bool {
	parts := strings.Split(kind, ":")
	for _, k := range memoryKinds {
		if k.name != parts[0] {
			continue
		}
		return !slices.ContainsFunc(parts[1:], func(r string) bool {
			return !slices.Contains(k.restrictors,
				r)
		})
	}
	return false
}
