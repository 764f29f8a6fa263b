package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gompi/launch"
	"gompi/launch/process"
)

// rankPlace is what a rank file says about one rank.
type rankPlace struct {
	host string
	cpus []int // that it is bound to; nil for any
}

// readRankFile reads lines such as "rank 0=node7 slot=0-3": the host of each rank and, if it is to be bound,
// its processors. "+n1" is the second of the hosts that were named otherwise.
func readRankFile(file string, named []hostEntry) ([]rankPlace, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	found := map[int]rankPlace{}
	for number, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		rank, p, err := rankLine(line, named)
		if _, twice := found[rank]; err == nil && twice {
			err = fmt.Errorf("rank %d has a line already", rank)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number+1, err)
		}
		found[rank] = p
	}
	all := make([]rankPlace, len(found))
	for rank := range all {
		p, known := found[rank]
		if !known {
			return nil, fmt.Errorf("%s has no line for rank %d", file, rank)
		}
		all[rank] = p
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no line for rank 0", file)
	}
	return all, nil
}

// rankLine reads one line.
func rankLine(line string, named []hostEntry) (rank int, p rankPlace, err error) {
	head, rest, found := strings.Cut(line, "=")
	words := strings.Fields(rest)
	number, isRank := strings.CutPrefix(strings.TrimSpace(head), "rank")
	rank, err = strconv.Atoi(strings.TrimSpace(number))
	if !found || !isRank || err != nil || rank < 0 || rank >= mostRanks || len(words) == 0 {
		return 0, p, fmt.Errorf("%q is not of the form rank N=HOST slot=LIST", line)
	}
	if at, relative := strings.CutPrefix(words[0], "+n"); relative {
		n, err := strconv.Atoi(at)
		if err != nil || n < 0 || n >= len(named) {
			return 0, p, fmt.Errorf("%q is none of the %d hosts that were named", words[0], len(named))
		}
		p.host = named[n].name
	} else {
		m, err := parseHost(words[0])
		if err != nil {
			return 0, p, err
		}
		p.host = m.name
	}
	for _, word := range words[1:] {
		list, isSlot := strings.CutPrefix(word, "slot=")
		if !isSlot {
			return 0, p, fmt.Errorf("%q is not slot=LIST", word)
		}
		var b binding
		if err := b.list(list); err != nil {
			return 0, p, err
		}
		p.cpus = b.listed
	}
	return rank, p, nil
}

// placeByFile fills in where the ranks of a job run, as a rank file says it.
func (l *commandLine) placeByFile(s *launch.Spec) error {
	places, err := readRankFile(l.rankfile, l.hostsOf(&l.programs[0]))
	if err != nil {
		return fmt.Errorf("option --rankfile: %w", err)
	}
	if len(places) < s.Size() {
		return fmt.Errorf("option --rankfile: %s has no line for rank %d", l.rankfile, len(places))
	}
	abroad := false
	for _, p := range places[:s.Size()] {
		at := 0
		for at < len(s.Hosts) && !sameHost(s.Hosts[at], p.host) {
			at++
		}
		if at == len(s.Hosts) {
			s.Hosts = append(s.Hosts, p.host)
		}
		s.Place = append(s.Place, at)
		abroad = abroad || !process.IsLocal(p.host)
	}
	s.Processors = func(rank int) []int { return places[rank].cpus }
	if !abroad {
		s.Hosts, s.Place = nil, nil
	}
	return nil
}
