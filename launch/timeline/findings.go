package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// findings is what a user would see first in the numbers, a sentence each.
func (p *Profile) findings() (all []string) {
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	var length, in, waited int64
	for i := range p.Ranks {
		length += p.Ranks[i].Length
		in += p.Ranks[i].Inside
		waited += min(p.Ranks[i].Waited, p.Ranks[i].Inside)
	}
	add("The ranks were in MPI for %s of their time. For %s they waited there for a rank that was late.",
		percent(in, length), percent(waited, length))
	if late, why, call := p.latest(); late >= 0 {
		add("Others waited longest for rank %s: %s in all, most of that because it was %s (%s).", p.Ranks[late].Name(),
			duration(p.Ranks[late].Caused), why, call)
	}
	if len(p.Calls) > 0 && in > 0 {
		c := &p.Calls[0]
		add("%s took most: %s of the time in MPI, in %s.", c.Name, percent(c.Time, in), plural(c.Calls, "call"))
	}
	if len(p.Collectives) > 0 {
		c := slices.MaxFunc(p.Collectives, func(a, b Imbalance) int { return cmp.Compare(a.sum, b.sum) })
		if c.Mean > 0 {
			add("In %s the last rank came %s after the first one on average; most often it was rank %s.", c.Name,
				duration(c.Mean), p.Ranks[c.Last].Name())
		}
	}
	var open []string
	for i := range p.Ranks {
		if r := &p.Ranks[i]; r.Open != "" {
			open = append(open, fmt.Sprintf("rank %s within %s", r.Name(), r.Open))
		}
	}
	const most = 4
	if n := len(open); n > most {
		open = append(open[:most], fmt.Sprintf("%d more", n-most))
	}
	if len(open) > 0 {
		add("Ended within a call: %s.", strings.Join(open, ", "))
	}
	if p.Lost > 0 {
		add("%d calls at the beginning are missing: there was room for the latest ones (mpiexec --trace-limit).", p.Lost)
	}
	return all
}

// latest is the rank for which others waited longest, -1 when nobody waited; for which reason and in which
// function most of that was.
func (p *Profile) latest() (rank int, why, call string) {
	rank = -1
	for i := range p.Ranks {
		if c := p.Ranks[i].Caused; c > 0 && (rank < 0 || c > p.Ranks[rank].Caused) {
			rank = i
		}
	}
	if rank < 0 {
		return rank, "", ""
	}
	reasons, most := map[string]int64{}, int64(0)
	for i := range p.Waits {
		w := &p.Waits[i] // the longest comes first, so its function stands for the reason
		if w.For != rank {
			continue
		}
		if reasons[w.Why] += w.Time; reasons[w.Why] > most {
			most, why = reasons[w.Why], w.Why
		}
	}
	for i := range p.Waits {
		if w := &p.Waits[i]; w.For == rank && w.Why == why {
			return rank, reason(why), w.Call
		}
	}
	return rank, reason(why), ""
}

// reason is a reason as a part of a sentence.
func reason(why string) string {
	switch why {
	case LateSender:
		return "late to send"
	case LateReceiver:
		return "late to receive"
	case LateCollective:
		return "late to enter"
	}
	return why
}
