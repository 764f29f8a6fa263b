package main

import (
	"fmt"
	"os"
	"strings"

	"gompi/launch/process"
	"gompi/runtime/hardware"
)

// Options that lay ranks out on hosts. They also say how many ranks there are where no -n does: as many as
// each host gets, else as many as the hosts have slots.

// setPerNode reads the number of ranks for each machine.
func (l *commandLine) setPerNode(a []string) error {
	n, err := parseRanks(a[0])
	if err == nil {
		l.current.perNode = n
	}
	return err
}

func (l *commandLine) oneOnEachNode([]string) error { l.current.perNode = 1; return nil }

// setPerSocket reads the number of ranks for each processor package.
func (l *commandLine) setPerSocket(a []string) error { return l.setPerPart(a[0], "Package") }

// setPerPart reads the number of ranks for each part of a kind that this machine has.
func (l *commandLine) setPerPart(text, kind string) error {
	n, err := parseRanks(text)
	if err == nil {
		here := plan{system: hardware.System(), allowed: hardware.Allowed()}
		if kind != "Machine" {
			n = min(n*max(len(here.partsOf(kind)), 1), mostRanks)
		}
		l.current.perNode = n
	}
	return err
}

// setMapping reads how ranks are dealt out. "ppr:N:KIND" says how many there are, too.
func (l *commandLine) setMapping(a []string) error {
	words := strings.Split(strings.ToLower(a[0]), ":")
	kind := words[0]
	rest := words[1:]
	if kind == "ppr" {
		if len(words) < 3 {
			return fmt.Errorf("%q is not of the form ppr:N:KIND", a[0])
		}
		part, known := parts[words[2]]
		if !known {
			return fmt.Errorf("%q: no kind of part of the machine", words[2])
		}
		if err := l.setPerPart(words[1], part); err != nil {
			return err
		}
		kind, rest = words[2], words[3:]
	}
	switch kind {
	case "", "slot", "core", "hwthread", "node", "board", "machine", "seq", "dist", "l1cache", "l2cache":
		l.binding.over = ""
		l.byNode = kind == "node" && words[0] != "ppr"
	case "socket", "package", "numa", "l3cache":
		l.binding.over = parts[kind]
	default:
		return fmt.Errorf("%q is none of slot, hwthread, core, l3cache, socket, package, numa, node, ppr:N:KIND", a[0])
	}
	for _, word := range strings.FieldsFunc(strings.Join(rest, ","), func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "pe":
			if err := l.binding.perRank(value); err != nil {
				return err
			}
		case "nooversubscribe":
			l.strict = true
		case "span", "oversubscribe", "display", "hwtcpus", "corecpus", "nolocal", "inherit", "noinherit":
		default:
			return fmt.Errorf("%q: unknown word %q", a[0], word)
		}
	}
	return nil
}

// capacity is how many ranks have a slot: of the hosts that were named, or one for each usable core.
func (l *commandLine) capacity() int {
	n := 0
	for i := range l.programs {
		n = max(n, slots(l.hostsOf(&l.programs[i])))
	}
	if n == 0 {
		n = process.UsableCores()
	}
	return n
}

// setHosts reads a list of hosts. Each stands for one slot, or for the number after a colon.
func (l *commandLine) setHosts(a []string) error {
	machines, err := parseHosts(a[0])
	l.current.add(machines)
	return err
}

// setHostFile reads a file of hosts. A line stands for one slot unless it says how many; a file that names
// this machine alone and does not say it leaves the number open.
func (l *commandLine) setHostFile(a []string) error {
	machines, err := readHostFile(a[0])
	l.current.add(machines)
	return err
}

func (p *program) add(machines []hostEntry) {
	for _, m := range machines {
		p.hosts = addHost(p.hosts, m)
	}
}

// setRankFile notes a file that says where each rank runs.
func (l *commandLine) setRankFile(a []string) error {
	l.rankfile = a[0]
	_, err := os.Stat(a[0])
	return err
}

// setByNode deals ranks out to hosts one by one.
func (l *commandLine) setByNode([]string) error { l.byNode = true; return nil }

// slots is how many ranks the hosts are meant for, 0 where none have been named or nobody says it.
func slots(machines []hostEntry) int {
	if len(machines) == 1 && process.IsLocal(machines[0].name) {
		return machines[0].slots
	}
	n := 0
	for i := range machines {
		n += machines[i].count()
	}
	return n
}

// size is how many ranks a program gets.
func (l *commandLine) size(p *program) int {
	machines := l.hostsOf(p)
	switch {
	case p.ranks > 0:
		return p.ranks
	case l.rankfile != "":
		if places, err := readRankFile(l.rankfile, machines); err == nil {
			return len(places)
		}
	case p.perNode > 0:
		return p.perNode * max(len(machines), 1)
	}
	if n := slots(machines); n > 0 {
		return n
	}
	return process.UsableCores()
}
