package mpi

import (
	"fmt"
	"sync"

	"gompi/runtime/comm"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/tool"
)

// GOMPI_CHECK=promises: hints and assertions that the program does not keep. They are named, once each, and
// change nothing else.

// named is what has been said of objects, by handle.
var named struct {
	mu sync.Mutex
	of map[broken]bool
}

type broken struct {
	handle uintptr
	text   string
}

// teller is what the library tells of broken promises; nil when the settings do not ask for it.
func teller(s tool.Settings) func(*object.Base, string) {
	if s.Check.Has(tool.CheckPromises) {
		return tellBroken
	}
	return nil
}

// tellBroken tells the user of a promise about an object that the program does not keep.
func tellBroken(on *object.Base, text string) {
	key := broken{on.Handle, text}
	named.mu.Lock()
	defer named.mu.Unlock()
	if named.of[key] {
		return
	}
	if named.of == nil {
		named.of = map[broken]bool{}
	}
	named.of[key] = true
	kind := map[object.Kind]string{object.Comm: "communicator", object.Win: "window"}[on.Kind]
	line := fmt.Sprintf("gompi: %s: %s %q: %s (GOMPI_CHECK=promises)\n", whoami(), kind, on.Label(), text)
	host.Say(line)
}

// wildcard follows a wildcard in a receive or probe, which the program may have promised never to use.
func wildcard(c *comm.Comm, value int64) {
	if l := library.Load(); l == nil || !l.settings.Check.Has(tool.CheckPromises) {
		return
	}
	hint, what := "mpi_assert_no_any_source", "MPI_ANY_SOURCE"
	if value == p2p.AnyTag {
		hint, what = "mpi_assert_no_any_tag", "MPI_ANY_TAG"
	}
	if v, _ := c.Hint(hint); v == "true" {
		tellBroken(&c.Base, what+" is used, which the hint "+hint+" promises never to do")
	}
}
