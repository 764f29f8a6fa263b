package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gompi/launch"
	"gompi/runtime/hardware"
)

// Options that lay ranks out on machines. There is one machine, so what is left of them is how many ranks
// they ask for when no -n says so: as many as each machine gets, else as many as the hosts have slots.

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
		l.current.perNode = min(n*max(len(here.partsOf(kind)), 1), mostRanks)
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
	slots := 0
	for _, p := range l.programs {
		slots = max(slots, p.slots)
	}
	if slots == 0 {
		slots = usableCores()
	}
	return slots
}

// setHosts accepts a list of this machine's names. Each stands for one slot, or for the number after a colon.
func (l *commandLine) setHosts(a []string) error {
	if err := launch.CheckHosts(a[0]); err != nil {
		return err
	}
	for _, item := range strings.Split(a[0], ",") {
		if item != "" {
			l.current.slots += max(slotsAfterColon(item), 1)
		}
	}
	return nil
}

// setHostFile accepts a file that names this machine only. A line stands for one slot unless it says how many
// ("slots=4", or "localhost:4"); a file of one line that does not say it leaves the number open.
func (l *commandLine) setHostFile(a []string) error {
	text, err := os.ReadFile(a[0])
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	slots, lines, said := 0, 0, false
	for _, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if err := launch.CheckHosts(fields[0]); err != nil {
			return err
		}
		n := slotsAfterColon(fields[0])
		for _, field := range fields[1:] {
			if key, value, _ := strings.Cut(field, "="); key == "slots" {
				n, _ = strconv.Atoi(value)
			}
		}
		lines++
		said = said || n > 0
		slots += max(n, 1)
	}
	if said || lines > 1 {
		l.current.slots += slots
	}
	return nil
}

// slotsAfterColon is the number in "host:4", 0 when there is none.
func slotsAfterColon(item string) int {
	n, err := strconv.Atoi(item[strings.LastIndexByte(item, ':')+1:])
	if err != nil || !strings.Contains(item, ":") || strings.HasPrefix(item, "::") {
		return 0
	}
	return n
}

// size is how many ranks the program gets.
func (p *program) size() int {
	switch {
	case p.ranks > 0:
		return p.ranks
	case p.perNode > 0:
		return p.perNode
	case p.slots > 0:
		return p.slots
	}
	return usableCores()
}
