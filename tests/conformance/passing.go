package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"gompi/tests/conformance/report"
	"gompi/tests/conformance/suite"
)

// quick is how many seconds a test may take that is recorded as having to pass: the list is for checks that
// are made often.
const quick = 1

// readPassing reads a list of tests that have to pass: one name per line, comments from # on.
func readPassing(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		text, _, _ := strings.Cut(sc.Text(), "#")
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, text)
		}
	}
	return list, sc.Err()
}

// recordPassing adds the tests that passed to a list. It never takes one out: what has passed once has to go
// on passing.
func recordPassing(name string, passed []string) error {
	list, err := readPassing(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	list = append(list, passed...)
	slices.Sort(list)
	list = slices.Compact(list)
	text := "# Tests of MPICH's suite that have to pass. RECORD= adds to this list, CHECK= runs it.\n" + strings.Join(list, "\n") + "\n"
	return os.WriteFile(name, []byte(text), 0o644)
}

// readFailing reads a list of tests that may fail: "test: reason" on each line, comments from # on.
func readFailing(name string) (map[string]bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := suite.ParseExclusions(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	tests := map[string]bool{}
	for _, e := range list {
		tests[e.Test] = true
	}
	return tests, nil
}

// mayFail reports whether a test is known to fail.
func (s *session) mayFail(t suite.Test) bool { return s.known[t.ID()] || s.known[t.Name()] }

// judge counts what has passed, and says which tests fail that have to pass. Tests that are known to fail
// count for neither.
func (s *session) judge(reports []*report.Report) error {
	var passed, failed int
	var known, better []string
	for _, r := range reports {
		for _, t := range r.Tests {
			switch res := r.Subject.Results[t.ID()]; {
			case res.Passed():
				passed++
				if s.mayFail(t) {
					better = append(better, t.ID())
				}
			case s.mayFail(t):
				known = append(known, t.ID())
			default:
				failed++
				if s.judges() {
					fmt.Fprintf(s.out, "has to pass, and fails: %s: %s: %s\n", t.ID(), res.Kind, res.Detail)
				}
			}
		}
	}
	if len(known) > 0 {
		fmt.Fprintf(s.out, "%d more fail that are known to\n", len(known))
	}
	if len(better) > 0 {
		fmt.Fprintf(s.out, "known to fail, and pass: %s\n", strings.Join(better, ", "))
	}
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", passed, failed, s.skipped)
	if failed > 0 && s.judges() {
		return fmt.Errorf("%d tests fail that have to pass", failed)
	}
	return nil
}
