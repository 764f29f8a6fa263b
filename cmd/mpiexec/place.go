package main

import (
	"fmt"
	"strings"

	"gompi/launch"
	"gompi/launch/process"
)

// Where ranks go. They fill the slots of one host after the other. Where there are more ranks than slots,
// each host gets more in proportion, and ranks that follow each other still share a host.

// sameHost reports whether two names stand for one host.
func sameHost(a, b string) bool { return a == b || process.IsLocal(a) && process.IsLocal(b) }

// hostsOf lists the hosts of a program: its own, else those of the first program that names any, else
// those that the job has been allotted.
func (l *commandLine) hostsOf(p *program) []hostEntry {
	if len(p.hosts) > 0 {
		return p.hosts
	}
	for i := range l.programs {
		if len(l.programs[i].hosts) > 0 {
			return l.programs[i].hosts
		}
	}
	return l.allotted
}

// place fills in where the ranks of a job run.
func (l *commandLine) place(s *launch.Spec) error {
	if l.rankfile != "" {
		return l.placeByFile(s)
	}
	var all []hostEntry
	var used []int
	far := false
	for i := range l.programs {
		p := &l.programs[i]
		machines := l.hostsOf(p)
		where := make([]int, len(machines)) // in all
		for k, m := range machines {
			where[k] = -1
			for n := range all {
				if sameHost(all[n].name, m.name) {
					where[k] = n
				}
			}
			if where[k] < 0 {
				where[k] = len(all)
				all, used = append(all, m), append(used, 0)
				far = far || !process.IsLocal(m.name)
			}
		}
		if len(machines) == 0 {
			if far {
				return fmt.Errorf("program %q has no hosts", p.argv[0])
			}
			continue
		}
		d := deal{machines: machines, perNode: p.perNode, byNode: l.byNode, used: make([]int, len(machines))}
		for k, n := range where {
			d.used[k] = used[n]
		}
		dealt, err := d.out(s.Apps[i].Ranks)
		if err != nil {
			return err
		}
		for _, k := range dealt {
			used[where[k]]++
			s.Place = append(s.Place, where[k])
		}
	}
	for k, n := range used {
		if n > mostOnHost {
			return fmt.Errorf("%d ranks on host %s; one machine can have %d", n, all[k].name, mostOnHost)
		}
	}
	if !far {
		s.Place = nil
		return nil
	}
	for _, m := range all {
		s.Hosts = append(s.Hosts, m.name)
	}
	return nil
}

// deal deals ranks out to hosts.
type deal struct {
	machines []hostEntry
	used     []int // ranks that each host has already
	perNode  int   // ranks that a host gets at a time, 0 for as many as it has slots
	byNode   bool  // one rank for each host in turn
}

// out lists the host of each of n ranks.
func (d *deal) out(n int) ([]int, error) {
	share := make([]int, len(d.machines))
	var turns []int // in the order in which they are dealt
	for left := n; left > 0; {
		before := left
		full := d.full(share)
		for k := range d.machines {
			m := &d.machines[k]
			most := m.count()
			switch {
			case d.perNode > 0:
				most = d.perNode
			case d.byNode:
				if most = 1; !full && d.used[k]+share[k] >= m.count() {
					most = 0
				}
			case !full:
				most = max(m.count()-d.used[k]-share[k], 0)
			}
			if m.most > 0 {
				most = min(most, max(m.most-d.used[k]-share[k], 0))
			}
			for range min(most, left) {
				turns = append(turns, k)
				share[k]++
				left--
			}
		}
		if left == before {
			return nil, fmt.Errorf("%d ranks are more than max_slots allows for %s", n, d.names())
		}
	}
	if d.perNode > 0 || d.byNode {
		return turns, nil
	}
	turns = turns[:0]
	for k, count := range share {
		for range count {
			turns = append(turns, k)
		}
	}
	return turns, nil
}

// full reports whether all slots are taken.
func (d *deal) full(share []int) bool {
	for k := range d.machines {
		if d.used[k]+share[k] < d.machines[k].count() {
			return false
		}
	}
	return true
}

func (d *deal) names() string {
	var names []string
	for i := range d.machines {
		names = append(names, d.machines[i].name)
	}
	return strings.Join(names, ", ")
}
