package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"gompi/launch"
	"gompi/launch/process"
	"gompi/runtime/hardware"
)

// What options have shown of a job before it starts, in the forms of Open MPI, which people and scripts read.

// show binds the ranks of a job, and shows what is to be shown.
func (l *commandLine) show(s *launch.Spec) error {
	allowed := hardware.Allowed()
	p, err := l.binding.on(hardware.System(), allowed)
	if err != nil {
		return err
	}
	if p != nil {
		s.Binding, s.Cores = p.of, len(p.allowed)
	}
	text := ""
	if l.showAllocation {
		text += l.allocation()
	}
	if l.showMap {
		text += l.jobMap(s, p)
	}
	if text != "" {
		if _, err := os.Stdout.WriteString(text); err != nil {
			return fmt.Errorf("standard output: %w", errors.Unwrap(err))
		}
	}
	if l.showBindings {
		os.Stderr.WriteString(bindings(s, p))
	}
	return nil
}

// allocation shows the machine and its slots.
func (l *commandLine) allocation() string {
	own, _ := os.Hostname()
	hosts := []hostEntry{{name: own, slots: l.capacity()}}
	if named := l.hostsOf(&l.programs[0]); abroad(named) {
		hosts = named
	}
	var out strings.Builder
	out.WriteString("\n======================   ALLOCATED NODES   ======================\n")
	for i := range hosts {
		fmt.Fprintf(&out, "\t%s: flags=0x11 slots=%d max_slots=%d slots_inuse=0 state=UP\n",
			hosts[i].name, hosts[i].count(), hosts[i].most)
	}
	out.WriteString("=================================================================\n")
	return out.String()
}

// slotsOf is how many ranks a host is meant for.
func (l *commandLine) slotsOf(host string) int {
	for i := range l.programs {
		for _, m := range l.hostsOf(&l.programs[i]) {
			if m.name == host {
				return m.count()
			}
		}
	}
	return l.capacity()
}

// jobMap shows which ranks run where.
func (l *commandLine) jobMap(s *launch.Spec, p *plan) string {
	var out strings.Builder
	own, _ := os.Hostname()
	hosts, place := s.Hosts, s.Place
	if hosts == nil {
		hosts, place = []string{own}, make([]int, s.Size())
	}
	job := fmt.Sprintf("[%d,1]", os.Getpid())
	fmt.Fprintf(&out, " Data for JOB %s offset 0 Total slots allocated %d\n\n", job, l.capacity())
	out.WriteString(" ========================   JOB MAP   ========================\n\n")
	for at, host := range hosts {
		var ranks strings.Builder
		rank, here := 0, 0
		for i := range s.Apps {
			for range s.Apps[i].Ranks {
				if place[rank] == at {
					where := "N/A"
					if p != nil && (s.Hosts == nil || process.IsLocal(host)) {
						where = p.describe(p.of(here))
					}
					fmt.Fprintf(&ranks, " \tProcess jobid: %s App: %d Process rank: %d Bound: %s\n", job, i, rank, where)
					here++
				}
				rank++
			}
		}
		fmt.Fprintf(&out, " Data for node: %s\tNum slots: %d\tMax slots: 0\tNum procs: %d\n%s",
			host, l.slotsOf(host), here, ranks.String())
	}
	out.WriteString("\n =============================================================\n")
	return out.String()
}

// bindings shows the processors of each rank.
func bindings(s *launch.Spec, p *plan) string {
	var out strings.Builder
	own, _ := os.Hostname()
	started := map[string]int{}
	for rank := range s.Size() {
		host := own
		if s.Hosts != nil {
			host = s.Hosts[s.Place[rank]]
		}
		n := started[host]
		started[host]++
		fmt.Fprintf(&out, "[%s:%d] MCW rank %d ", host, os.Getpid(), rank)
		if p != nil && host != own && !process.IsLocal(host) {
			out.WriteString("is bound by the processors of its host\n")
		} else if p == nil {
			out.WriteString("is not bound (or bound to all available processors)\n")
		} else {
			fmt.Fprintf(&out, "bound to %s\n", p.describe(p.of(n)))
		}
	}
	return out.String()
}
