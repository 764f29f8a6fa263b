package suite

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Exclusion is a test that cannot count, and why.
type Exclusion struct {
	Test   string // a Test.ID, or a Test.Name for all tests of that program
	Reason string
}

// ParseExclusions reads a list of exclusions: one "test: reason" per line, with comments from # on.
func ParseExclusions(r io.Reader) ([]Exclusion, error) {
	var list []Exclusion
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		text, _, _ := strings.Cut(sc.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		test, reason, ok := strings.Cut(text, ": ")
		if reason = strings.TrimSpace(reason); !ok || reason == "" {
			return nil, fmt.Errorf("line %d: want \"test: reason\"", n)
		}
		list = append(list, Exclusion{Test: strings.Join(strings.Fields(test), " "), Reason: reason})
	}
	return list, sc.Err()
}

// Larger lists the tests that need more memory than so many gigabytes, by what the suite states.
func (c *Catalogue) Larger(gigabytes float64) []Exclusion {
	var list []Exclusion
	for _, t := range c.Tests {
		if t.MemoryGB > gigabytes {
			list = append(list, Exclusion{Test: t.ID(), Reason: fmt.Sprintf("needs %v GB", t.MemoryGB)})
		}
	}
	return list
}

// Exclude takes the tests that cannot count out of the catalogue. It returns the entries of the list that fit
// no test.
func (c *Catalogue) Exclude(list []Exclusion) (unused []Exclusion) {
	out := map[string]bool{}
	for _, e := range list {
		out[e.Test] = false
	}
	kept := c.Tests[:0:0]
	for _, t := range c.Tests {
		excluded := false
		for _, key := range []string{t.ID(), t.Name()} {
			if _, ok := out[key]; ok {
				out[key], excluded = true, true
			}
		}
		if excluded {
			c.Excluded = append(c.Excluded, t)
		} else {
			kept = append(kept, t)
		}
	}
	c.Tests = kept
	for _, e := range list {
		if !out[e.Test] {
			unused = append(unused, e)
		}
	}
	return unused
}
