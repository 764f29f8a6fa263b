package main

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"gompi/tests/conformance/suite"
)

func TestSharesHaveAllTestsAndEachFolder(t *testing.T) {
	var tests []suite.Test
	for folder, n := range map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "many": 41} {
		for i := range n {
			tests = append(tests, suite.Test{Folder: folder, Program: fmt.Sprint(i), NP: 1})
		}
	}
	runs := map[string]int{}
	for number := 1; number <= 4; number++ {
		folders := map[string]bool{}
		chosen := share{number, 4}.choose(tests)
		for _, c := range chosen {
			runs[c.ID()]++
			folders[c.Folder] = true
		}
		if len(folders) != 5 {
			t.Errorf("share %d has folders %v, want all five", number, folders)
		}
		if len(chosen) > 16 {
			t.Errorf("share %d has %d tests of %d", number, len(chosen), len(tests))
		}
	}
	for _, x := range tests {
		if n := runs[x.ID()]; n == 0 || x.Folder == "many" && n > 1 {
			t.Errorf("%s is in %d shares", x.ID(), n)
		}
	}
	if all := (share{}).choose(tests); len(all) != len(tests) {
		t.Errorf("all are %d tests of %d", len(all), len(tests))
	}
}

func TestParseShare(t *testing.T) {
	hash := "0000000700000000"
	commit := func() (string, error) { return hash, nil }
	for text, want := range map[string]share{"": {}, "all": {}, "2/3": {2, 3}, "1/1": {1, 1}, "rotate": {4, 4}} {
		if got, err := parseShare(text, commit); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	var seen []int
	for _, hash = range []string{"aaaaaaa0", "aaaaaaa1", "aaaaaaa2", "aaaaaaa3"} {
		got, _ := parseShare("rotate", commit)
		seen = append(seen, got.number)
	}
	if !slices.Equal(seen, []int{1, 2, 3, 4}) {
		t.Errorf("shares by commits: %v", seen)
	}
	for _, text := range []string{"0/4", "5/4", "2", "a/b", "some"} {
		if _, err := parseShare(text, commit); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	if _, err := parseShare("rotate", func() (string, error) { return "", errors.New("no git") }); err == nil {
		t.Error("rotation without a commit")
	}
}

func TestDirsNameLanguages(t *testing.T) {
	for language, want := range map[string][]bool{"C": {true, false, false}, "Fortran": {false, true, false},
		"C++": {false, false, true}, "cxx": {false, false, true}} {
		s, err := readSettings([]string{"DIRS=" + language, "MPICC=cc", "MPIEXEC=run"}, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		for i, folder := range []string{"errors/coll", "errors/f90/io", "cxx/attr"} {
			if got := s.wants(suite.Test{Folder: folder, NP: 1}); got != want[i] {
				t.Errorf("DIRS=%s: %s is selected: %v", language, folder, got)
			}
		}
	}
}
