package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"gompi/launch"
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
	host, _ := os.Hostname()
	return fmt.Sprintf("\n======================   ALLOCATED NODES   ======================\n"+
		"\t%s: flags=0x11 slots=%d max_slots=0 slots_inuse=0 state=UP\n"+
		"=================================================================\n", host, l.capacity())
}

// jobMap shows which ranks run where.
func (l *commandLine) jobMap(s *launch.Spec, p *plan) string {
	var out strings.Builder
	host, _ := os.Hostname()
	job := fmt.Sprintf("[%d,1]", os.Getpid())
	fmt.Fprintf(&out, " Data for JOB %s offset 0 Total slots allocated %d\n\n", job, l.capacity())
	out.WriteString(" ========================   JOB MAP   ========================\n\n")
	fmt.Fprintf(&out, " Data for node: %s\tNum slots: %d\tMax slots: 0\tNum procs: %d\n",
		host, l.capacity(), s.Size())
	rank := 0
	for i := range s.Apps {
		for range s.Apps[i].Ranks {
			where := "N/A"
			if p != nil {
				where = p.describe(p.of(rank))
			}
			fmt.Fprintf(&out, " \tProcess jobid: %s App: %d Process rank: %d Bound: %s\n", job, i, rank, where)
			rank++
		}
	}
	out.WriteString("\n =============================================================\n")
	return out.String()
}

// bindings shows the processors of each rank.
func bindings(s *launch.Spec, p *plan) string {
	var out strings.Builder
	host, _ := os.Hostname()
	for rank := range s.Size() {
		fmt.Fprintf(&out, "[%s:%d] MCW rank %d ", host, os.Getpid(), rank)
		if p == nil {
			out.WriteString("is not bound (or bound to all available processors)\n")
		} else {
			fmt.Fprintf(&out, "bound to %s\n", p.describe(p.of(rank)))
		}
	}
	return out.String()
}
