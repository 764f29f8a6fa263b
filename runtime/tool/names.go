package tool

import (
	"slices"
	"strings"

	"gompi/wire/pmi"
)

// prefix begins the name of every variable of gompi's.
const prefix = "GOMPI_"

// others returns the variables that are no settings: what the launcher tells its ranks, and what the compiler
// wrappers read.
func others() []string {
	return append(pmi.Environment(), "GOMPI_TRACE_FILE", "GOMPI_TRACE_LIMIT", "GOMPI_CC", "GOMPI_CXX")
}

// Misspelt finds a variable in an environment (NAME=value) that has no meaning and is nearly spelt like one
// that has. Both names are empty when there is none.
func Misspelt(environ []string) (name, meant string) {
	var known []string
	for _, s := range All() {
		known = append(known, strings.TrimPrefix(s.Env, prefix))
	}
	wanted := slices.Clone(known) // nobody means to set the others
	for _, s := range All() {
		if s.Alias != "" {
			known = append(known, strings.TrimPrefix(s.Alias, prefix))
		}
	}
	for _, n := range others() {
		known = append(known, strings.TrimPrefix(n, prefix))
	}
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		rest, found := strings.CutPrefix(name, prefix)
		if !found || slices.Contains(known, rest) {
			continue
		}
		if near := Nearest(strings.ToUpper(rest), wanted); near != "" {
			return name, prefix + near
		}
	}
	return "", ""
}

// Nearest is the known name to which one is nearest, "" when it is like none.
func Nearest(name string, known []string) string {
	best, distance := "", len(name)/2+1
	for _, k := range known {
		if d := editDistance(name, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// editDistance counts the letters to add, drop, change or swap with a neighbour to make b of a.
func editDistance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for k := range last {
		last[k] = k
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for k := 1; k <= len(b); k++ {
			change := 1
			if a[i-1] == b[k-1] {
				change = 0
			}
			row[k] = min(last[k]+1, row[k-1]+1, last[k-1]+change)
			if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
				row[k] = min(row[k], before[k-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
