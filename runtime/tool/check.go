package tool

import (
	"fmt"
	"strings"
)

// Check is a set of kinds of defects of programs that the library looks for (GOMPI_CHECK).
type Check uint16

// The kinds of defects.
const (
	CheckTypes Check = 1 << iota
	CheckCollectives
	CheckBuffers
	CheckRequests
	CheckWindows
	CheckThreads
	CheckMessages
	CheckLeaks
	CheckPromises
)

// checks are their names, in the order of the bits; docs/tuning.md says what each means.
var checks = [...]string{"types", "collectives", "buffers", "requests", "windows", "threads", "messages", "leaks",
	"promises"}

const allChecks = 1<<len(checks) - 1

// Has reports whether the set has all of some kinds.
func (c Check) Has(kinds Check) bool { return c&kinds == kinds }

// Name is the word of GOMPI_CHECK for a kind.
func (c Check) Name() string {
	for i := range checks {
		if c == 1<<i {
			return checks[i]
		}
	}
	return ""
}

func checkNames() []string {
	return append([]string{"all"}, checks[:]...)
}

// readChecks reads a list of kinds.
func readChecks(v string) (set Check, err error) {
words:
	for _, word := range strings.Split(v, ",") {
		switch word = strings.TrimSpace(word); word {
		case "all":
			set |= allChecks
			continue
		case "none", "0":
			continue
		}
		for i := range checks {
			if checks[i] == word {
				set |= 1 << i
				continue words
			}
		}
		return 0, fmt.Errorf("a list of %s, or none, is wanted", strings.Join(checkNames(), ", "))
	}
	return set, nil
}
