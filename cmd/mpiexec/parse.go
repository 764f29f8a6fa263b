package main

import (
	"errors"
	"fmt"
	"strings"

	"gompi/runtime/tool"
)

// commandLine is what the arguments of mpiexec say.
type commandLine struct {
	tables                                [3][]option // working, harmless and refused options
	programs                              []program
	current                               program // the one whose options are being read
	globalEnv                             envEdit
	label                                 string // pattern of the label, see expand
	hasLabel                              bool
	outFile                               string
	errFile                               string
	merge                                 bool
	stdinRank                             int
	timeout                               float64 // seconds
	hang                                  hangReport
	trace                                 trace
	debug                                 debug
	watch                                 bool // the user wants to see what the ranks do
	universe                              int
	binding                               binding
	strict                                bool        // no more ranks than slots
	byNode                                bool        // ranks are dealt out to hosts one by one
	allotted                              []hostEntry // hosts that the system has given the job
	slurm                                 bool        // it is Slurm that has
	rankfile                              string
	starter                               []string // what starts the proxies on other hosts
	push                                  bool     // hosts are sent what they do not have
	dryRun                                bool
	timestamps                            bool
	exitCodes                             bool
	recovery                              bool
	survivorsDecide                       bool
	primaryOnly                           bool
	showBindings, showMap, showAllocation bool
	help, version                         bool
}

// program is one section of the command line, between colons.
type program struct {
	ranks   int // 0 when -n was not given
	perNode int // what options such as -ppn say, 0 when none was given
	hosts   []hostEntry
	dir     string
	path    string // folders where it is looked for first
	soft    string // numbers of ranks that will do
	env     envEdit
	argv    []string
	touched bool // some option was given
}

// tables are all options.
func tables() [3][]option { return [3][]option{working(), harmless(), refused()} }

// parse reads the arguments after the command's name.
func parse(args []string) (*commandLine, error) {
	l := &commandLine{tables: tables()}
	if err := l.sections(args); err != nil {
		return nil, err
	}
	if l.help || l.version {
		return l, nil
	}
	if l.hang.attach != 0 {
		return l, l.hang.alone(l)
	}
	if len(l.programs) == 0 {
		return nil, errors.New(`no program to run: for example "mpiexec -n 4 ./prog"; -h shows the options`)
	}
	return l, nil
}

// sections reads sections that are separated by colons.
func (l *commandLine) sections(args []string) error {
	for {
		rest, err := l.section(args)
		if err != nil {
			return err
		}
		if rest == nil {
			return nil
		}
		args = rest
	}
}

// section reads the options and the program of one section. It returns what follows the colon, nil at the
// end.
func (l *commandLine) section(args []string) ([]string, error) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		word := args[0]
		args = args[1:]
		if word == "--" {
			break
		}
		used, err := l.option(word, args)
		if err != nil {
			return nil, err
		}
		args = args[used:]
		if l.help || l.version {
			return nil, nil
		}
	}
	end := 0
	for end < len(args) && args[end] != ":" {
		end++
	}
	p := l.current
	l.current = program{}
	p.argv = args[:end:end]
	switch {
	case end > 0:
		l.programs = append(l.programs, p)
	case end < len(args) || p.touched:
		return nil, errors.New("a program is missing " + position(end < len(args)))
	}
	if end == len(args) {
		return nil, nil
	}
	if end+1 == len(args) {
		return nil, errors.New("a program is missing after the last \":\"")
	}
	return args[end+1:], nil
}

func position(colon bool) string {
	if colon {
		return `ahead of ":"`
	}
	return "after the options"
}

// option applies one option word and returns how many of the following arguments belong to it.
func (l *commandLine) option(word string, following []string) (int, error) {
	name := strings.TrimLeft(word, "-")
	name, value, joined := strings.Cut(name, "=")
	o := l.find(name)
	if o == nil {
		return 0, l.unknown(word, name)
	}
	if o.refuse != "" {
		return 0, fmt.Errorf("option %s: %s", word, o.refuse)
	}
	var args []string
	if joined {
		args = append(args, value)
	}
	own := len(args)
	want := o.args
	if want == pair {
		want = 2
		first := append(args, following...)
		if len(first) > 0 && strings.Contains(first[0], "=") {
			want = 1
		}
	}
	if want < own {
		return 0, fmt.Errorf("option %s takes no value", strings.TrimSuffix(word, "="+value))
	}
	if want-own > len(following) {
		return 0, fmt.Errorf("option %s needs %s", word, plural(want, "argument"))
	}
	args = append(args, following[:want-own]...)
	if o.apply != nil {
		if err := o.apply(l, args); err != nil {
			return 0, fmt.Errorf("option %s: %w", word, err)
		}
	}
	return want - own, nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "an " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// find looks an option up: as it is written, or in small letters.
func (l *commandLine) find(name string) *option {
	for _, spelling := range []string{name, strings.ToLower(name),
		strings.ReplaceAll(strings.ToLower(name), "_", "-")} {
		for _, table := range l.tables {
			for i := range table {
				for _, n := range table[i].names {
					if n == spelling {
						return &table[i]
					}
				}
			}
		}
	}
	return nil
}

// unknown is the error on an option that nobody knows, with the nearest one that somebody does.
func (l *commandLine) unknown(word, name string) error {
	var known []string
	for _, table := range l.tables {
		for i := range table {
			known = append(known, table[i].names...)
		}
	}
	best := tool.Nearest(strings.ToLower(name), known)
	if best == "" {
		return fmt.Errorf("unknown option %s; -h shows the options", word)
	}
	return fmt.Errorf("unknown option %s; did you mean -%s? (-h shows the options)", word, best)
}
