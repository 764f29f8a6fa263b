package check

import (
	"fmt"
	"sync"

	"gompi/wire/source"
)

// Place is a call of an MPI function by the program.
type Place struct {
	Function string  // "MPI_Isend"
	PC       uintptr // behind the call, in the program; 0 when it is not known
}

// Reporter tells the user of defects, each place once. Its methods may be called by any thread.
type Reporter struct {
	Say func(kind, line string) // prints a line; kind is the word of GOMPI_CHECK

	mu      sync.Mutex
	said    map[finding]bool
	sources source.Files
}

// finding is what is told once.
type finding struct {
	kind, form string
	at, other  Place
}

// Spell names a place: "MPI_Isend at ring.c:12", or "MPI_Isend in exchange of ring" where the program has
// been built without -g.
func (r *Reporter) Spell(p Place) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spell(p)
}

func (r *Reporter) spell(p Place) string {
	if line := r.sources.Line("/proc/self/maps", uint64(p.PC)); line != "" {
		return p.Function + " " + line
	}
	return p.Function
}

// Report tells of a defect that a call shows, and of another one that has a part in it, whose place is zero
// if there is none. The text follows the place of the call; where it says %s first, that is the other place.
func (r *Reporter) Report(kind string, at, other Place, format string, values ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	what := finding{kind, format, at, other}
	if r.said[what] {
		return
	}
	if r.said == nil {
		r.said = map[finding]bool{}
	}
	r.said[what] = true
	if other != (Place{}) {
		values = append([]any{r.spell(other)}, values...)
	}
	r.Say(kind, r.spell(at)+": "+fmt.Sprintf(format, values...))
}
