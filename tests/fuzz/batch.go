// Package fuzz calls every function of MPI with arguments that no program should pass, in processes that make
// some hundred calls each. Whatever a call is given, it ends; no trace of the Go runtime shows; nothing is
// written but what the call may write; and nothing crashes, unless an address was passed that a program
// cannot use. The processes run program/, which is generated from api/ as far as it knows functions.
package fuzz

import (
	"fmt"
	"strconv"
	"strings"
)

// batch is what one process, or one job of two ranks, is told to do.
type batch struct {
	ranks, seed, calls int
	words              []string // see program/main.c
	env                []string
}

// settings are what batches run under in turn: the ways that the library may take.
var settings = [][]string{
	nil, {"GOMPI_FAST_PATH=0"}, nil, {"GOMPI_CHECK=all"}, {"GOMPI_SINGLE_COPY=0"},
	{"GOMPI_SHARED_COLLECTIVES=0"}, {"GOMPI_EAGER=64"}, {"GOMPI_PRETEND_NODES=2"},
}

// batchOf is the ith batch of a run: mostly one rank, every fourth two; bad addresses in every third, in
// fewer calls, since a bad address may end the process; and in every sixteenth calls that end a program.
func batchOf(i, seed int) batch {
	b := batch{ranks: 1, seed: seed, calls: 200, env: settings[i/4%len(settings)]}
	switch {
	case i%16 == 15:
		b.calls, b.words = 30, []string{"ends"}
	case i%4 == 3:
		b.ranks = 2
	case i%3 == 1:
		b.calls, b.words = 60, []string{"addresses"}
	}
	if b.ranks == 1 && len(b.env) > 0 && strings.HasPrefix(b.env[0], "GOMPI_PRETEND_NODES") {
		b.env = nil
	}
	return b
}

// String is the batch as FUZZ_BATCH takes it.
func (b batch) String() string {
	fields := append([]string{fmt.Sprint(b.ranks), fmt.Sprint(b.seed), fmt.Sprint(b.calls)}, b.words...)
	return strings.Join(append(fields, b.env...), " ")
}

// parseBatch is the reverse of String.
func parseBatch(text string) (batch, error) {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return batch{}, fmt.Errorf("%q: want ranks, seed, calls and words", text)
	}
	var b batch
	for i, to := range []*int{&b.ranks, &b.seed, &b.calls} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return b, err
		}
		*to = n
	}
	for _, word := range fields[3:] {
		if strings.HasPrefix(word, "GOMPI_") {
			b.env = append(b.env, word)
		} else {
			b.words = append(b.words, word)
		}
	}
	return b, nil
}

// has reports whether the batch has a word.
func (b batch) has(word string) bool {
	for _, w := range b.words {
		if w == word {
			return true
		}
	}
	return false
}
