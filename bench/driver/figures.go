package main

import "fmt"

// target is a figure that gompi is held to.
type target struct {
	title     string
	benchmark string
	row       row
	against   string  // name of a peer, bestOf for the better one, absolute for none
	most      float64 // ratio, or value in the benchmark's unit
}

const (
	bestOf   = "the better peer"
	absolute = ""
)

var targets = []target{
	{"8-byte ping-pong", "latency", row{x: 8}, bestOf, 1.0},
	{"`mpiexec -n 4` of a hello program, wall time", "startup", row{x: 4}, bestOf, 0.5},
	{"Peak memory of a hello rank", "memory", row{x: 4}, bestOf, 0.6},
	{"CPU time of a rank blocked in MPI_Recv for 10 s", "blocked", row{series: "MPI_Recv, 10 s"}, absolute, 0.1},
	{"8-byte MPI_Allreduce, 8 ranks", "allreduce", row{x: 8}, "openmpi", 1.5},
}

// verdict is a target with what was measured.
type verdict struct {
	target   string // the bound, in words
	title    string
	measured string
	against  string // the peer that it was compared with
	state    string // met, missed, or why there is none
}

// judgeOne holds the results against a target.
func (r *results) judgeOne(g target, t *table) verdict {
	v := verdict{title: g.title, measured: "-", against: "-", state: "not measured"}
	ours := t.samples["gompi"][g.row]
	if g.against == absolute {
		v.target = fmt.Sprintf("under %g %s", g.most, t.unit)
		if len(ours) > 0 {
			v.measured = fmt.Sprintf("%s %s", number(median(ours)), t.unit)
			v.state = met(median(ours) < g.most)
		}
		return v
	}
	peer := g.against
	v.target = fmt.Sprintf("at most %.1f x %s", g.most, r.label(peer))
	if peer == bestOf {
		peer = t.bestPeer(g.row)
	}
	if c, ok := compare(ours, t.samples[peer][g.row]); ok {
		v.measured = fmt.Sprintf("%.2f x (%.2f to %.2f)", c.centre, c.low, c.high)
		v.against = fmt.Sprintf("%s, %s against %s %s", r.label(peer), number(median(ours)),
			number(median(t.samples[peer][g.row])), t.unit)
		v.state = met(c.centre <= g.most) + t.certaintyOf(g.row).mark()
	}
	return v
}

// verdictRows are the verdicts on all kinds of processors as text, the heads of the columns first.
func verdictRows(all []*results) [][]string {
	rows := [][]string{{"figure", "target", "processor", "measured", "", "compared with"}}
	for i := range targets {
		for _, r := range all {
			if t := r.table(targets[i].benchmark); t != nil {
				v := r.judgeOne(targets[i], t)
				rows = append(rows, []string{v.title, v.target, r.machine.kind(), v.measured, v.state,
					v.against})
			}
		}
	}
	return rows
}

func met(yes bool) string {
	if yes {
		return "met"
	}
	return "missed"
}

// label is the name of an MPI as people write it.
func (r *results) label(name string) string {
	for _, m := range r.mpis {
		if m.name == name {
			return m.label
		}
	}
	if name == "openmpi" {
		return "Open MPI"
	}
	return name
}
