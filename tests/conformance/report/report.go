package report

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"time"

	"gompi/tests/conformance/suite"
)

// Side is one implementation: its name in a table, what its library calls itself, and its results by
// suite.Test.ID.
type Side struct {
	Name    string
	Library string
	Results map[string]Result
}

// passed reports whether the side has passed the test.
func (s *Side) passed(test string) bool {
	r, ok := s.Results[test]
	return ok && r.Passed()
}

// Report is a finished run of a part of the suite.
type Report struct {
	Part       string // of the suite: its language
	Subject    Side
	Baseline   *Side // nil where there is none
	Suite      string
	Tests      []suite.Test // that count, in order
	Exclusions []suite.Exclusion
	Date       time.Time
	Commit     string
	Elapsed    time.Duration // of the subject's run; 0 when it was made in parts
	Nodes      int           // hosts that ranks were on; 0 when all were on the one machine
	Cores      int
}

// row is a line of the table.
type row struct {
	folder                   string
	subject, baseline, total int
}

// rows gives the lines of the table, one per folder, and their sum.
func (r *Report) rows() (list []row, sum row) {
	sum.folder = "all"
	for _, t := range r.Tests {
		if len(list) == 0 || list[len(list)-1].folder != t.Folder {
			list = append(list, row{folder: t.Folder})
		}
		for _, x := range []*row{&list[len(list)-1], &sum} {
			x.total++
			if r.Subject.passed(t.ID()) {
				x.subject++
			}
			if r.Baseline != nil && r.Baseline.passed(t.ID()) {
				x.baseline++
			}
		}
	}
	return list, sum
}

// failures gives the subject's failures among the tests that the baseline passes, and among the others.
// Without a baseline all are in the first list.
func (r *Report) failures() (behind, both []Result) {
	for _, t := range r.Tests {
		res, ok := r.Subject.Results[t.ID()]
		switch {
		case !ok || res.Passed():
		case r.Baseline == nil || r.Baseline.passed(t.ID()):
			behind = append(behind, res)
		default:
			both = append(both, res)
		}
	}
	return behind, both
}

// ahead gives the baseline's failures among the tests that the subject passes.
func (r *Report) ahead() []Result {
	if r.Baseline == nil {
		return nil
	}
	var list []Result
	for _, t := range r.Tests {
		if res, ok := r.Baseline.Results[t.ID()]; ok && !res.Passed() && r.Subject.passed(t.ID()) {
			list = append(list, res)
		}
	}
	return list
}

// untidy gives the results of the subject whose run left processes behind.
func (r *Report) untidy() []Result {
	var list []Result
	for _, t := range r.Tests {
		if res := r.Subject.Results[t.ID()]; len(res.Left) > 0 {
			list = append(list, res)
		}
	}
	return list
}

// reason is a reason for failures, and how often it occurs.
type reason struct {
	text  string
	count int
	first string // the first test that failed for it
}

var number = regexp.MustCompile(`\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?)`)

// reasons groups failures whose details differ in numbers only, the most frequent first.
func reasons(failures []Result) []reason {
	groups := map[string]*reason{}
	for _, f := range failures {
		text := string(f.Kind) + ": " + number.ReplaceAllString(f.Detail, "N")
		g, ok := groups[text]
		if !ok {
			g = &reason{text: text, first: f.Test}
			groups[text] = g
		}
		g.count++
	}
	var list []reason
	for _, g := range groups {
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b reason) int {
		return cmp.Or(b.count-a.count, cmp.Compare(a.text,
			b.text))
	})
	return list
}

// Passing lists the tests that the subject has passed in at most so many seconds, sorted.
func (r *Report) Passing(seconds float64) []string {
	passed := map[string]bool{}
	for _, t := range r.Tests {
		if res, ok := r.Subject.Results[t.ID()]; ok && res.Passed() && res.Seconds <= seconds {
			passed[t.ID()] = true
		}
	}
	return slices.Sorted(maps.Keys(passed))
}
