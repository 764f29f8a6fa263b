package main

import (
	"errors"
	"fmt"
	"slices"

	"gompi/launch"
	"gompi/launch/console"
)

// debug is what the command line says of ranks that run in debuggers.
type debug struct {
	all   bool
	ranks []int // where it is not all
}

func (l *commandLine) setGDB([]string) error {
	l.debug = debug{all: true}
	return nil
}

func (l *commandLine) setDebug(a []string) error {
	if a[0] == "all" {
		return l.setGDB(nil)
	}
	ranks, err := console.ParseRanks(a[0])
	if err == nil {
		l.debug = debug{ranks: ranks}
	}
	return err
}

// on reports whether some rank is debugged.
func (d *debug) on() bool { return d.all || len(d.ranks) > 0 }

// addDebug has ranks of a job run in debuggers.
func (l *commandLine) addDebug(s *launch.Spec) error {
	d := &l.debug
	switch {
	case !d.on():
		return nil
	case l.outFile != "" || l.errFile != "":
		return errors.New("option --gdb: the output of ranks in a debugger goes to the terminal, and to no file")
	case l.trace.file != "":
		return errors.New("option --gdb: a debugger is no rank that can be recorded; leave out --trace")
	case l.watch:
		return errors.New("option --gdb: the terminal is the debugger's; gompi-top shows the job on another one")
	case l.stdinRank > 0:
		return errors.New("option --gdb: standard input is the debugger's; leave out --stdin")
	}
	if n := s.Size(); !d.all && slices.Max(d.ranks) >= n {
		return fmt.Errorf("option --debug: there is no rank %d among %d", slices.Max(d.ranks), n)
	}
	s.Debug = func(rank int) bool { return d.all || slices.Contains(d.ranks, rank) }
	s.StdinRank, s.MergeStderr = -1, false
	if !l.hasLabel {
		l.label, l.hasLabel = rankLabel, true
	}
	return nil
}
