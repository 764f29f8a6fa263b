package job

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"gompi/tests/conformance/suite"
)

// Kind says in what way a test failed.
type Kind string

// The kinds of failure, and none.
const (
	Passed Kind = ""
	Build  Kind = "build"  // the program could not be built
	Time   Kind = "time"   // it did not end within its limit
	Exit   Kind = "exit"   // output as it should be, exit status not
	Output Kind = "output" // a line that should not be there, or "No Errors" missing
)

var (
	noErrors   = regexp.MustCompile(`^\s*No [Ee]rrors\s*$`)
	testPassed = regexp.MustCompile(`^\s*Test Passed\s*$`)

	// what the suite takes for a warning of MPICH's; gompi names itself in front of all that it says
	warning = regexp.MustCompile(`^(MPICH: |WARNING: |(Abort.*)?application called MPI_Abort|gompi: )`)

	// what gompi's launcher says of ranks whose ends do not end the job: no output of the test's
	survived = regexp.MustCompile(`^mpiexec: (rank \d+ .*; the job goes on without it|` +
		`rank \d+ \(pid \d+(?: on \S+)?\) exited with code \d+|the job has ended without \d+ of .*)$`)
)

// Judge decides whether the outcome is what the rule wants. The detail is one line: the first wrong line of
// output where there is one.
func Judge(rule suite.Rule, o Outcome) (kind Kind, detail string) {
	wrong, reported := scan(o.Output, rule == suite.NoErrorsBesideWarnings)
	if o.TimedOut {
		detail = fmt.Sprintf("not done after %v", o.Elapsed.Round(time.Second))
		if wrong != "" {
			detail += "; " + wrong
		}
		return Time, detail
	}
	if rule != suite.NonZero && rule != suite.ZeroStatus {
		if wrong != "" {
			return Output, wrong
		}
		if !reported {
			return Output, fmt.Sprintf("no \"No Errors\", exit status %d", o.Exit)
		}
	}
	wantZero := rule != suite.NonZero && rule != suite.NonZeroNoErrors
	if wantZero == (o.Exit == 0) {
		return Passed, ""
	}
	if wantZero {
		detail = fmt.Sprintf("exit status %d", o.Exit)
		if rule == suite.ZeroStatus && wrong != "" {
			detail += "; " + wrong
		}
		return Exit, detail
	}
	return Exit, "exit status 0 where another one was due"
}

// scan looks for the first line that is neither a success report nor empty, nor a warning where those may
// stand, and for "No Errors".
func scan(output string, warnings bool) (wrong string, reported bool) {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		switch {
		case noErrors.MatchString(line):
			reported = true
		case warnings && warning.MatchString(line):
		case line != "" && !testPassed.MatchString(line) && !survived.MatchString(line) && wrong == "":
			wrong = line
		}
	}
	return wrong, reported
}
