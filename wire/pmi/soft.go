package pmi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrSoft is wrapped by the errors of [ParseSoft].
var ErrSoft = errors.New("not a set of numbers: a, a:b or a:b:c, separated by commas")

// Soft is a set of numbers of processes, as the info key "soft" gives it (MPI 5.0, 11.8.1 and 11.8.4): with
// any of them a call that starts processes is content.
type Soft [][3]int // first, last, step

// softLimit bounds the numbers of a set, so that no sum of them overflows.
const softLimit = 1 << 30

// ParseSoft reads numbers and triplets, separated by commas: a is one number, a:b all from a to b, a:b:c
// every c-th of them; b may be below a when c is negative.
func ParseSoft(text string) (Soft, error) {
	var set Soft
	for _, item := range strings.Split(text, ",") {
		fields := strings.Split(strings.TrimSpace(item), ":")
		var n [3]int
		if len(fields) > len(n) {
			return nil, fmt.Errorf("%w: %q", ErrSoft, clip(text))
		}
		for i, f := range fields {
			v, err := strconv.Atoi(strings.TrimSpace(f))
			if err != nil || v < -softLimit || v > softLimit {
				return nil, fmt.Errorf("%w: %q", ErrSoft, clip(text))
			}
			n[i] = v
		}
		if len(fields) < 2 {
			n[1] = n[0]
		}
		if len(fields) < 3 {
			n[2] = 1
		}
		if n[2] == 0 {
			return nil, fmt.Errorf("%w: %q has a step of 0", ErrSoft, clip(text))
		}
		set = append(set, n)
	}
	return set, nil
}

// Largest is the largest number of the set from 0 to most; false when there is none.
func (s Soft) Largest(most int) (int, bool) {
	best, found := 0, false
	for _, n := range s {
		first, last, step := n[0], n[1], n[2]
		if step < 0 {
			if first < last {
				continue
			}
			// The same numbers from below.
			first, last, step = first-(first-last)/-step*-step, first, -step
		}
		if first < 0 {
			first += (-first + step - 1) / step * step
		}
		last = min(last, most)
		if first > last {
			continue
		}
		if v := first + (last-first)/step*step; !found || v > best {
			best, found = v, true
		}
	}
	return best, found
}
