package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gompi/tests/conformance/report"
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

// checkPassing compares a run with the list of tests that have to pass.
func checkPassing(name string, reports []*report.Report, out io.Writer) error {
	list, err := readPassing(name)
	if err != nil {
		return err
	}
	failed := 0
	for _, test := range list {
		for _, r := range reports {
			if res, ok := r.Subject.Results[test]; ok && !res.Passed() {
				failed++
				fmt.Fprintf(out, "has passed before and fails now: %s: %s: %s\n", test, res.Kind, res.Detail)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d tests of %s fail", failed, name)
	}
	return nil
}
