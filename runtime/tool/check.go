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

// checks are their names and what each means, in the order of the bits.
var checks = [...]struct{ name, help string }{
	{"types", "compares the type signatures of sends and receives"},
	{"collectives", "compares what ranks call together"},
	{"buffers", "finds buffers that are changed while an operation uses them, and those of two operations that overlap"},
	{"requests", "finds requests that are freed while a receive is active, or waited for and never started"},
	{"windows", "finds accesses of an epoch that conflict, and origin buffers that are used too early"},
	{"threads", "finds calls that the thread level, or the function of the program's that they come from, does not allow"},
	{"messages", "lists at the end the messages that nobody has received"},
	{"leaks", "lists at the end the objects that the program never freed"},
	{"promises", "names the hints and assertions that the program does not keep"},
}

const allChecks = 1<<len(checks) - 1

// Has reports whether the set has all of some kinds.
func (c Check) Has(kinds Check) bool { return c&kinds == kinds }

// Name is the word of GOMPI_CHECK for a kind.
func (c Check) Name() string {
	for i := range checks {
		if c == 1<<i {
			return checks[i].name
		}
	}
	return ""
}

func checkNames() []string {
	names := []string{"all"}
	for _, c := range checks {
		names = append(names, c.name)
	}
	return names
}

func checkHelp() string {
	var all []string
	for _, c := range checks {
		all = append(all, c.name+" "+c.help)
	}
	return strings.Join(all, ", ")
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
			if checks[i].name == word {
				set |= 1 << i
				continue words
			}
		}
		return 0, fmt.Errorf("a list of %s, or none, is wanted", strings.Join(checkNames(), ", "))
	}
	return set, nil
}
