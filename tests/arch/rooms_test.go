// Package arch holds gompi's source tree to the rules of docs/design.md: which
// package may import which, where C, unsafe and system calls may stand, that the
// runtime keeps no state of its own, and how files are named and cut.
//
// It reads the tree and knows nothing of what the code does.
package arch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// floors are the rooms of the library from top to bottom. A room imports from
// lower floors; from its own floor only as long as no circle arises. A room is a
// folder with the folders inside it that are no rooms themselves.
var floors = [][]string{
	{"capi"},
	{"mpi"}, // may keep state: that of the process's library
	{"runtime"},
	{"runtime/file", "runtime/rma"},
	{"runtime/sharedmem"},
	{"runtime/coll"},
	{"runtime/coll/algorithm", "runtime/coll/node"},
	{"runtime/topo", "runtime/jobs", "runtime/session", "runtime/coll/schedule"},
	{"runtime/comm"},
	{"runtime/rma/origin"},
	{"runtime/rma/target", "runtime/rma/epoch"},
	{"runtime/recovery", "runtime/jobs/bridge", "runtime/am"},
	{"runtime/p2p", "runtime/op", "runtime/check", "runtime/coll/partition"},
	{"runtime/datatype", "runtime/boot", "runtime/request"},
	{"runtime/group", "runtime/info", "runtime/attr", "runtime/object", "runtime/hardware", "runtime/tool", "runtime/transport", "runtime/collseg", "runtime/scratch", "runtime/rma/alloc"},
	{"runtime/fast"},
	{"runtime/mpierr", "runtime/p2p/match", "runtime/tune", "wire", "shm", "fabric", "pmix", "native"},
}

// beside are the rooms outside of the library, each with all that it may import.
var beside = map[string][]string{
	"api": nil,
	// it writes down what is defined there
	"internal/apigen": {"api", "internal/manual", "internal/raises", "runtime/datatype", "runtime/fast", "runtime/tool", "shm"},
	// pages, for man and for the web
	"internal/manual": nil,
	// reads the sources
	"internal/raises": nil,
	// runtime/fast in C
	"internal/fastgen": nil,
	// ranks in one process, for tests
	"internal/testjob": {"fabric", "runtime", "runtime/tool", "runtime/transport", "shm"},
	// the launcher makes the job's segment
	"launch":      {"launch/console", "launch/hang", "launch/live", "launch/mpir", "launch/stack", "wire", "shm"},
	"launch/hang": {"wire"},
	// what ranks do just now, and the stacks of their threads
	"launch/live":  {"wire"},
	"launch/stack": {"wire"}, // its tests
	// what the user and the debuggers of ranks say to each other
	"launch/console": nil,
	// where debuggers find the ranks
	"launch/mpir": nil,
	// reads what ranks have recorded
	"launch/timeline": nil,
	"cmd/mpicc":       nil,
	"cmd/gompi-top":   {"launch", "launch/live"},
	"cmd/mpiexec":     {"launch", "launch/console", "launch/timeline", "runtime/hardware", "runtime/tool", "wire"},
	// two ranks that measure, and what libfabric has
	"cmd/gompi-info": {"launch", "launch/timeline", "runtime", "runtime/boot", "runtime/coll", "runtime/collseg", "runtime/datatype", "runtime/hardware", "runtime/tool", "shm", "fabric"},
	"bench":          nil, // for any MPI
	"examples":       nil, // for any MPI
	// a module of its own
	"site":               {"internal/manual"},
	"tests/arch":         nil,
	"tests/cluster":      nil, // makes hosts
	"tests/conformance":  nil, // for any MPI
	"tests/cxx":          {"tests/programs"},
	"tests/fuzz":         nil,
	"tests/examples":     {"tests/programs"},
	"tests/fortran":      {"tests/programs"},
	"tests/foreign":      {"pmix", "runtime/boot"},
	"tests/checks":       {"tests/programs"},
	"tests/hangs":        {"tests/programs"},
	"tests/live":         {"tests/programs"},
	"tests/manual":       {"api"},
	"tests/programs":     nil, // builds those of the others, and runs commands
	"tests/soak":         nil,
	"tests/surroundings": {"tests/programs"},
	"tests/hosts":        {"launch/host"},
	"tests/packages":     {"tests/programs"},
	"tests/launcher":     {"wire", "runtime/boot", "shm"},
	"tests/sanitize":     {"runtime/fast"},
	"tests/scaling":      {"runtime/fast", "shm"},
	"tests/trace":        {"tests/programs"},
	"tests/wrappers":     {"tests/programs"},
}

// modules are the modules outside the standard library that may become a part of
// libgompi.so.
var modules = []string{
	"golang.org/x/sys",
	"github.com/mattn/go-pointer", // Go values behind C's void *
}

// forbidden are packages of the standard library that the library must not
// contain, with the reason.
var forbidden = map[string]string{
	"net":         "it looks up host names and pulls in libresolv",
	"os/user":     "it calls into libc's name services",
	"plugin":      "a library cannot load Go code into somebody's process",
	"log":         "output goes through the launcher's rules",
	"net/http":    "it opens network connections",
	"crypto/rand": "it doubles what a program loads for its start; shm.Random asks the kernel",
}

// roomOf returns the room that a folder lies in, or "" when the tables know none.
// What lies in runtime/ has a room of its own.
func roomOf(folder string) string {
	for inner := false; folder != ""; folder, inner = parent(folder), true {
		if folder == "runtime" && inner {
			return ""
		}
		if _, ok := beside[folder]; ok || floorOf(folder) >= 0 {
			return folder
		}
	}
	return ""
}

func parent(folder string) string {
	i := strings.LastIndexByte(folder, '/')
	if i < 0 {
		return ""
	}
	return folder[:i]
}

// floorOf returns the floor of a room, counted from the top, -1 for rooms beside.
func floorOf(room string) int {
	return slices.IndexFunc(floors, func(rooms []string) bool { return slices.Contains(rooms, room) })
}

// mayImport tells why a room may not import another one; nil when it may.
func mayImport(from, to string) error {
	if from == to {
		return nil
	}
	if allowed, ok := beside[from]; ok {
		if slices.Contains(allowed, to) {
			return nil
		}
		return fmt.Errorf("%s may import %q only", from, allowed)
	}
	above, below := floorOf(from), floorOf(to)
	switch {
	case below < 0:
		return fmt.Errorf("%s is no part of the library", to)
	case below < above:
		return fmt.Errorf("%s is on a higher floor", to)
	}
	return nil
}

func TestRulesOfTheTables(t *testing.T) {
	for _, c := range []struct {
		from, to string
		may      bool
	}{
		{"capi", "runtime/coll", true},
		{"capi", "mpi", true},
		{"mpi", "capi", false},
		{"mpi", "runtime", true},
		{"runtime/coll", "mpi", false},
		{"runtime/coll", "capi", false},
		{"runtime/p2p", "runtime/comm", false},
		{"runtime/comm", "runtime/p2p", true},
		{"runtime/am", "runtime/rma/target", false},
		{"runtime/rma/target", "runtime/rma/origin", false},
		{"runtime/rma/origin", "runtime/comm", false},
		{"runtime/rma", "runtime/rma/origin", true},
		{"runtime/p2p", "runtime/op", true},
		{"runtime/boot", "wire", true},
		{"wire", "shm", true},
		{"wire", "runtime/tool", false},
		{"launch/timeline", "wire", false},
		{"runtime/boot", "launch", false},
		{"runtime/request", "runtime/p2p/match", true},
		{"runtime/p2p/match", "runtime/p2p", false},
		{"runtime", "internal/testjob", false},
		{"runtime/transport", "internal/testjob", false},
		{"shm", "runtime/mpierr", true},
		{"shm", "runtime/request", false},
		{"cmd/mpiexec", "launch", true},
		{"cmd/mpiexec", "runtime/boot", false},
		{"cmd/mpicc", "launch", false},
		{"bench", "runtime", false},
		{"launch", "runtime/boot", false},
	} {
		if err := mayImport(c.from, c.to); (err == nil) != c.may {
			t.Errorf("%s importing %s: %v", c.from, c.to, err)
		}
	}
	for folder, want := range map[string]string{
		"runtime/transport/shmem": "runtime/transport", "runtime/rma/epoch": "runtime/rma/epoch", "runtime": "runtime", "wire/pmi": "wire",
		"launch": "launch", "nowhere": "", "runtime/newroom": "",
	} {
		if got := roomOf(folder); got != want {
			t.Errorf("%s lies in room %q, want %q", folder, got, want)
		}
	}
}
