package suite

import (
	"strconv"
	"strings"
	"time"
)

// Rule says how the outcome of a run is judged.
type Rule int

const (
	// NoErrors wants exit status 0 and " No Errors" (or "Test Passed") as the only output.
	NoErrors Rule = iota
	// NonZero wants an exit status other than 0 from the launcher; the output does not matter.
	NonZero
	// NonZeroNoErrors wants an exit status other than 0 together with " No Errors" as the only output.
	NonZeroNoErrors
	// NoErrorsBesideWarnings is NoErrors, but that warnings of the library may stand in the output.
	NoErrorsBesideWarnings
	// ZeroStatus wants exit status 0; the output does not matter.
	ZeroStatus
)

// ruleNames are the values of "resultTest=" in a testlist. ZeroStatus is no name of the suite's: it serves
// the programs of the folder basic, which report nothing.
var ruleNames = map[string]Rule{
	"TestStatus":         NonZero,
	"TestErrFatal":       NonZero,
	"TestStatusNoErrors": NonZeroNoErrors,
	"TestAllowWarnings":  NoErrorsBesideWarnings,
	"ZeroStatus":         ZeroStatus,
}

// Test is one run of one program, as a line of a testlist describes it.
type Test struct {
	Folder      string        // relative to the suite, such as "errors/coll"
	Program     string        // name of the executable
	NP          int           // number of ranks
	Args        []string      // of the program
	Env         []string      // NAME=value, set for launcher and program
	MpiexecArgs []string      // further arguments of the launcher
	Limit       time.Duration // as the testlist states it; 0 where it states none
	MemoryGB    float64       // memory that all ranks together need; 0 where the testlist says nothing
	Rule        Rule
}

// ID names the test in reports and files: folder/program, number of ranks, arguments. It is unique within a
// catalogue.
func (t Test) ID() string {
	var b strings.Builder
	b.WriteString(t.Folder + "/" + t.Program + " " + strconv.Itoa(t.NP))
	for _, a := range t.Args {
		b.WriteString(" " + a)
	}
	return b.String()
}

// Name is the program with its folder, such as "errors/coll/rerr".
func (t Test) Name() string { return t.Folder + "/" + t.Program }
