package suite

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// defaultNP is the number of ranks of a line that names none.
const defaultNP = 2

// mpichVariable begins the names of the variables that tune MPICH's inside.
const mpichVariable = "MPIR_CVAR_"

// substitution is a place that configure fills in. In front of a test it is either empty or a comment sign;
// the tests that it would turn off (large memory, name publishing, overlapping communicator creation) are
// wanted here.
var substitution = regexp.MustCompile(`@\w+@`)

// wholeLines are places that stand for a test: those that need the pointers of Cray's Fortran.
var wholeLines = strings.NewReplacer("@ALLOCMEMF@", "allocmemf 1", "@ALLOCMEMFC@", "allocmemf90 1")

// line is one test of a testlist together with what only the catalogue needs.
type line struct {
	Test
	tuned bool // sets variables of MPICH's inside
}

// parseTestlist reads a testlist of the given folder. Lines that name a folder are passed over: isFolder
// tells, and the catalogue walks the tree itself.
func parseTestlist(r io.Reader, folder string, isFolder func(name string) bool) ([]line, error) {
	var lines []line
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		text, _, _ := strings.Cut(sc.Text(), "#")
		fields := strings.Fields(substitution.ReplaceAllString(wholeLines.Replace(text), " "))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "!") || isFolder(fields[0]) {
			continue
		}
		l, err := parseLine(fields, folder)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		lines = append(lines, l)
	}
	return lines, sc.Err()
}

// parseLine takes "program [ranks] [key=value ...]" apart.
func parseLine(fields []string, folder string) (line, error) {
	l := line{Test: Test{Folder: folder, Program: fields[0], NP: defaultNP}}
	rest := fields[1:]
	if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && !strings.Contains(rest[0], "=") {
		np, err := strconv.Atoi(rest[0])
		if err != nil || np < 1 {
			return l, fmt.Errorf("%s: number of ranks %q", fields[0], rest[0])
		}
		l.NP, rest = np, rest[1:]
	}
	for _, f := range rest {
		key, value, ok := strings.Cut(f, "=")
		if !ok || strings.HasPrefix(key, "-") {
			continue // an argument that lacks "arg=": the suite's own runner passes over it, too
		}
		if err := l.set(key, value); err != nil {
			return l, fmt.Errorf("%s: %w", fields[0], err)
		}
	}
	return l, nil
}

// set takes one key=value of a line.
func (l *line) set(key, value string) error {
	switch key {
	case "arg":
		l.Args = append(l.Args, value)
	case "env":
		l.Env = append(l.Env, value)
		l.tuned = l.tuned || strings.HasPrefix(value, mpichVariable)
	case "mpiexecarg":
		l.MpiexecArgs = append(l.MpiexecArgs, value)
	case "timeLimit":
		s, err := strconv.Atoi(value)
		if err != nil || s < 1 {
			return fmt.Errorf("time limit %q", value)
		}
		l.Limit = time.Duration(s) * time.Second
	case "mem":
		gb, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("memory %q", value)
		}
		l.MemoryGB = gb
	case "resultTest":
		rule, ok := ruleNames[value]
		if !ok {
			return fmt.Errorf("unknown result test %q", value)
		}
		l.Rule = rule
	case "xfail", "strict", "mpix", "mpiversion", "lock", "init", "hasgpu":
		// What MPICH is expected to fail or what is its extension is found out by running it.
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}
