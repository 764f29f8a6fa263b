package arch

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// glue is the C of capi that is written by hand, each file with the reason why it cannot be Go.
var glue = map[string]string{
	"address.h":         "which addresses are no memory, for the stubs",
	"callback.c":        "calls of the program's functions",
	"callback.h":        "calls of the program's functions, from the stubs where they may leave by longjmp",
	"callers.h":         "how libraries of other languages have their functions called",
	"combine.c":         "kernels that combine elements, which a C compiler makes vectors of",
	"combine_kernels.h": "the kernels for one set of instructions",
	"endpoint.c":        "what the translation of runtime/fast needs of the system",
	"endpoint.h":        "the fast engine in the stubs",
	"environment.c":     "what the Go runtime sees ahead of its start",
	"fast.h":            "which functions have a fast path",
	"native.h":          "what Go calls without its scheduler",
	"runs.c":            "copies of runs, for the stubs and for Go",
	"fast_glue.h":       "what the translation of runtime/fast takes from C",
	"guard.c":           "memory that faults when it is used, and the handler for that",
	"guard.h":           "the guards, for cgo",
	"init_state.c":      "fork, last words, the end of the process",
	"init_state.h":      "the stage of the process's life, which every stub reads",
	"limits.c":          "resource limits under which the Go runtime would end the process",
	"native.c":          "functions that need no Go: clocks, addresses, fields of a status",
	"pack.h":            "which functions of packing are in pack.c",
	"pack.c":            "MPI_Pack and MPI_Unpack of little data without Go",
	"signals.c":         "signal handlers in front of Go's",
	"start.c":           "the start of the Go runtime",
	"start.h":           "the start of the Go runtime",
	"stub.h":            "what every stub includes",
	"thread.c":          "the first call of a thread, which prepares its stack",
	"thread.h":          "what the library keeps of a thread",
	"copy.c":            "copies of much, and those that notice addresses without memory",
	"copy.h":            "these, for the translation of runtime/fast and the signal handler",
}

// maxByHand is the most hand-written files of capi, C and Go without tests. What needs neither C nor cgo is
// in package mpi.
const maxByHand = 36

// byHand are the hand-written files of capi itself, tests aside.
func byHand(t *testing.T) (names []string) {
	t.Helper()
	sources(t, func(file string) {
		folder, name := path.Split(file)
		if folder == "capi/" && !strings.HasPrefix(name, "zz_") && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	})
	return names
}

func isC(name string) bool { return path.Ext(name) == ".c" || path.Ext(name) == ".h" }

func TestFilesByHand(t *testing.T) {
	names := byHand(t)
	if len(names) > maxByHand {
		t.Errorf("capi has %d files written by hand, the limit is %d", len(names), maxByHand)
	}
	for _, name := range names {
		if isC(name) && glue[name] == "" {
			t.Errorf("capi/%s: say in the table glue why this has to be C", name)
		}
	}
	for name := range glue {
		if !slices.Contains(names, name) {
			t.Errorf("the table glue lists capi/%s, which is not there", name)
		}
	}
}

// A file of capi in Go without cgo belongs into package mpi.
func TestGoOfCapiNeedsC(t *testing.T) {
	for _, name := range byHand(t) {
		if path.Ext(name) == ".go" && !slices.Contains(goImports(t, "capi/"+name), "C") {
			t.Errorf("capi/%s does not need cgo: move it to mpi/", name)
		}
	}
}

// ownInclude matches an #include of one of the project's headers.
var ownInclude = regexp.MustCompile(`(?m)^\s*#\s*include\s+"([^"]+)"`)

func TestIncludesOfC(t *testing.T) {
	includes := make(map[string][]string)
	sources(t, func(file string) {
		if folder, name := path.Split(file); folder == "capi/" && isC(name) {
			includes[name] = nil
			for _, m := range ownInclude.FindAllSubmatch(read(t, file), -1) {
				includes[name] = append(includes[name], string(m[1]))
			}
		}
	})
	if len(includes) <= len(glue) {
		t.Fatalf("found %d files of C only", len(includes))
	}
	if circle := findCircle(includes); circle != nil {
		t.Errorf("headers include each other in a circle: %s", strings.Join(circle, " -> "))
	}
}
