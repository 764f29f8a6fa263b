package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"gompi/tests/conformance/suite"
)

// rotation is into how many parts the tests are divided when the commit chooses one.
const rotation = 4

// share is one of several equal parts of the tests; the zero value is all of them.
type share struct{ number, of int } // number counts from 1

func (s share) String() string { return fmt.Sprintf("%d/%d", s.number, s.of) }

// parseShare reads "all", "2/4", or "rotate", which takes the part that the commit chooses: head gives its
// hash.
func parseShare(text string, head func() (string, error)) (share, error) {
	switch text {
	case "", "all":
		return share{}, nil
	case "rotate":
		hash, err := head()
		if err != nil {
			return share{}, fmt.Errorf("PART=rotate: no commit to choose by: %w", err)
		}
		n, err := strconv.ParseUint(hash[:min(8, len(hash))], 16, 64)
		if err != nil {
			return share{}, fmt.Errorf("PART=rotate: %q is no hash of a commit", hash)
		}
		return share{int(n%rotation) + 1, rotation}, nil
	}
	first, second, _ := strings.Cut(text, "/")
	number, err1 := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil || number < 1 || number > of {
		return share{}, fmt.Errorf("PART: %q is none of all, rotate, and 1/4 to 4/4 or the like", text)
	}
	return share{number, of}, nil
}

// choose gives the tests of the share. It has one of each folder at least, and the shares together have all.
func (s share) choose(tests []suite.Test) []suite.Test {
	if s.of == 0 {
		return tests
	}
	inFolder := map[string]int{}
	for _, t := range tests {
		inFolder[t.Folder]++
	}
	var chosen []suite.Test
	seen := map[string]int{}
	for _, t := range tests {
		place, many := seen[t.Folder], inFolder[t.Folder]
		seen[t.Folder]++
		if place%s.of == s.number-1 || many < s.number && place == s.number%many {
			chosen = append(chosen, t)
		}
	}
	return chosen
}

// head gives the hash of the commit that is checked out.
func head(ctx context.Context, root string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "HEAD").Output()
	return strings.TrimSpace(string(out)), err
}
