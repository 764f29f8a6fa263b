// Package tool is what a user can set and see of the library: its settings, each with one environment variable, and
// (MPI_T, MPI 5.0, chapter 15) its counters. It knows their names and meaning, not what they act on.
package tool

import (
	"fmt"
	"strconv"
	"strings"
)

// Settings are the values in force for one process. The zero value means the default everywhere.
type Settings struct {
	Eager        int  // GOMPI_EAGER
	Spin         int  // GOMPI_SPIN
	NoSingleCopy bool // GOMPI_SINGLE_COPY=0
	NoAreas      bool // GOMPI_SHARED_COLLECTIVES=0
	NoLane       bool // GOMPI_FAST_PATH=0
}

// Setting describes one of them.
type Setting struct {
	Env     string // name of the environment variable
	Default string
	Unit    string
	Help    string
	set     func(s *Settings, value string) error
}

// All lists the settings.
func All() []Setting {
	return []Setting{
		{"GOMPI_EAGER", "32768", "bytes", "largest message that is sent together with its header; larger ones are announced and fetched",
			func(s *Settings, v string) (err error) { s.Eager, err = number(v, 1<<30); return }},
		{"GOMPI_SPIN", "by cores", "polls", "how often a waiting rank looks for messages before it lets others run; by default many if every rank has a core, few otherwise",
			func(s *Settings, v string) (err error) { s.Spin, err = number(v, 1<<30); return }},
		{"GOMPI_SINGLE_COPY", "1", "0 or 1", "copy large messages straight from the sender's memory where the kernel allows it",
			func(s *Settings, v string) (err error) { s.NoSingleCopy, err = off(v); return }},
		{"GOMPI_SHARED_COLLECTIVES", "1", "0 or 1", "do small collectives through shared memory instead of messages",
			func(s *Settings, v string) (err error) { s.NoAreas, err = off(v); return }},
		{"GOMPI_FAST_PATH", "1", "0 or 1", "send and receive small messages in the C part of the library as long as nothing else is going on",
			func(s *Settings, v string) (err error) { s.NoLane, err = off(v); return }},
	}
}

// Read takes the settings from an environment, given as a function like os.Getenv. An error names the variable, its
// value and what would have been right.
func Read(getenv func(string) string) (Settings, error) {
	var s Settings
	for _, d := range All() {
		v := getenv(d.Env)
		if v == "" {
			continue
		}
		if err := d.set(&s, v); err != nil {
			return s, fmt.Errorf("%s=%q: %w", d.Env, v, err)
		}
	}
	return s, nil
}

func number(v string, most int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("a number from 1 to %d is wanted", most)
	}
	return n, nil
}

func off(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "0", "no", "off", "false":
		return true, nil
	case "1", "yes", "on", "true":
		return false, nil
	}
	return false, fmt.Errorf("0 or 1 is wanted")
}
