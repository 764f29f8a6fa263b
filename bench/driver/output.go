package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// output is what a program printed for the driver.
type output struct {
	order       []row // of the values
	values      map[row][]float64
	batches     map[row]batches
	unsupported map[string]string // function by series
}

// batches are a point by its best batch and by all of them together.
type batches struct {
	best, mean float64
}

// parseOutput reads the lines "result <x> <value> [<series>]", "batches <x> <best> <mean> [<series>]" and
// "unsupported <function> [<series>]"; several values for one point are those of several ranks.
// What stands before a line that cannot be read is returned with the error.
func parseOutput(text string) (output, error) {
	said := output{values: map[row][]float64{}, batches: map[row]batches{}, unsupported: map[string]string{}}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "unsupported":
			if len(words) >= 2 {
				said.unsupported[strings.Join(words[2:], " ")] = words[1]
			}
		case "result":
			at, values, err := parsePoint(line, 1)
			if err != nil {
				return said, err
			}
			if said.values[at] == nil {
				said.order = append(said.order, at)
			}
			said.values[at] = append(said.values[at], values[0])
		case "batches":
			at, values, err := parsePoint(line, 2)
			if err != nil {
				return said, err
			}
			said.batches[at] = batches{values[0], values[1]}
		}
	}
	if len(said.order) == 0 && len(said.unsupported) == 0 {
		return said, errors.New("no result was printed")
	}
	return said, nil
}

// parsePoint reads a line of a word, a number, so many values and a series.
func parsePoint(line string, count int) (row, []float64, error) {
	unreadable := fmt.Errorf("cannot read %q", strings.TrimSpace(line))
	words := strings.Fields(line)
	if len(words) < 2+count {
		return row{}, nil, unreadable
	}
	x, err := strconv.Atoi(words[1])
	if err != nil {
		return row{}, nil, unreadable
	}
	values := make([]float64, count)
	for i := range values {
		values[i], err = strconv.ParseFloat(words[2+i], 64)
		if err != nil || values[i] < 0 || values[i]-values[i] != 0 {
			return row{}, nil, unreadable
		}
	}
	return row{strings.Join(words[2+count:], " "), x}, values, nil
}
