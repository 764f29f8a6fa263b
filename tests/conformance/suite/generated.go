package suite

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// The suite makes a part of its testlists when it is configured. This file does the same from the same
// sources, so that a plain source tree will do.

// datatypeSignatures are the type signatures that configure takes when it is told nothing else: one basic
// type, and a structure.
var datatypeSignatures = []string{"MPI_INT", "MPI_INT:4+MPI_DOUBLE:8"}

// datatypeLists reads maint/dtp-test-config.txt: programs that run over a pool of derived datatypes, once per
// signature and count. It returns their tests in the order in which the suite numbers their seeds.
//
// A line has the fields path, arguments, counts, attributes, ranks, smallest and largest test size, and one
// more, separated by colons.
func datatypeLists(r io.Reader) ([]line, error) {
	var lines []line
	seed := 1
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		text := strings.TrimSpace(sc.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		more, err := datatypeLine(text, &seed)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		lines = append(lines, more...)
	}
	return lines, sc.Err()
}

// datatypeLine makes the tests of one line and moves the seed on.
func datatypeLine(text string, seed *int) ([]line, error) {
	f := strings.Split(text, ":")
	if len(f) < 7 {
		return nil, fmt.Errorf("%d fields, want at least 7", len(f))
	}
	folder, program := path.Split(f[0])
	folder = strings.TrimSuffix(folder, "/")
	smallest, err1 := strconv.Atoi(f[5])
	largest, err2 := strconv.Atoi(f[6])
	if err1 != nil {
		return nil, fmt.Errorf("test size %q", f[5])
	}
	if err2 != nil {
		largest = smallest
	}
	var counts []int
	for _, c := range strings.Fields(f[2]) {
		v, err := strconv.Atoi(c)
		if err != nil || v < 1 {
			return nil, fmt.Errorf("count %q", c)
		}
		counts = append(counts, v)
	}
	var lines []line
	for _, signature := range datatypeSignatures {
		size := 0
		for i, count := range counts {
			if i == 0 {
				size = largest
			} else {
				size = min(max(size*counts[0]/count, smallest), largest)
			}
			sizes := []string{fmt.Sprintf("arg=-count=%d", count)}
			if folder == "pt2pt" || folder == "part" { // sender and receiver may differ
				sizes = []string{
					fmt.Sprintf("arg=-sendcnt=%d arg=-recvcnt=%d", count, count),
					fmt.Sprintf("arg=-sendcnt=%d arg=-recvcnt=%d", count, 2*count),
				}
			}
			for _, s := range sizes {
				words := fmt.Sprintf("%s %s arg=-type=%s %s arg=-seed=%d arg=-testsize=%d", program, f[4], signature, s, *seed, size)
				for _, a := range strings.Fields(f[1]) {
					words += " arg=" + a
				}
				l, err := parseLine(strings.Fields(words+" "+f[3]), folder)
				if err != nil {
					return nil, err
				}
				lines = append(lines, l)
				*seed++
			}
		}
	}
	return lines, nil
}

// algorithmTest is a line of the section "tests:" of maint/coll_cvars.txt that names a test.
var algorithmTest = regexp.MustCompile(`^\s+\w+\s+\d+`)

// algorithmLists reads maint/coll_cvars.txt: the collective tests that the suite repeats for every algorithm
// MPICH has. The algorithms are MPICH's affair, the tests are not.
func algorithmLists(r io.Reader) ([]line, error) {
	var lines []line
	inTests := false
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		text, _, _ := strings.Cut(sc.Text(), "#")
		switch {
		case strings.HasPrefix(text, "tests:"):
			inTests = true
		case strings.HasPrefix(text, "algorithms:"):
			inTests = false
		case inTests && algorithmTest.MatchString(text):
			l, err := parseLine(strings.Fields(text), "coll")
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			lines = append(lines, l)
		}
	}
	return lines, sc.Err()
}

// drivenPrograms reads maint/all_mpitests.txt: the programs, by Test.Name, that the suite can build many to
// one. Each has a function in place of main, and is linked with the main that calls it.
func drivenPrograms(r io.Reader) (map[string]bool, error) {
	names := map[string]bool{}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		text, _, _ := strings.Cut(sc.Text(), "#")
		if fields := strings.Fields(text); len(fields) > 0 { // what follows are libraries to link with
			names[fields[0]] = true
		}
	}
	return names, sc.Err()
}
