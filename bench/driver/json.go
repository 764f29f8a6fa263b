package main

import (
	"encoding/json"
	"os"
	"time"
)

// The JSON form of the results. Fields may be added; none changes its meaning.
type (
	jsonResults struct {
		Date    time.Time         `json:"date"`
		Commit  string            `json:"commit"`
		Quick   bool              `json:"quick"`
		Rounds  int               `json:"rounds"`
		Seconds float64           `json:"seconds"`
		Machine map[string]string `json:"machine"`
		Raw     []rawLimits       `json:"raw"` // one for each round
		MPIs    []jsonMPI         `json:"mpis"`
		Tables  []jsonTable       `json:"benchmarks"`
	}
	jsonMPI struct {
		Name     string   `json:"name"`
		Version  string   `json:"version"`
		Launcher []string `json:"launcher"`
	}
	jsonTable struct {
		Name        string                       `json:"name"`
		Group       string                       `json:"group"`
		Title       string                       `json:"title"`
		Unit        string                       `json:"unit"`
		More        bool                         `json:"more_is_better"`
		Axis        string                       `json:"axis"`
		Points      []jsonPoint                  `json:"points"`
		Unsupported map[string]map[string]string `json:"unsupported,omitempty"` // function by MPI and series
		Failures    []jsonFailure                `json:"failures,omitempty"`
	}
	jsonPoint struct {
		Series  string               `json:"series,omitempty"`
		X       int                  `json:"x"`
		Samples map[string][]float64 `json:"samples"` // by MPI
		Ratio   *float64             `json:"gompi_over_better_peer,omitempty"`
		Peer    string               `json:"better_peer,omitempty"`
	}
	jsonFailure struct {
		MPI   string `json:"mpi"`
		Ranks int    `json:"ranks"`
		Error string `json:"error"`
	}
)

// writeJSON writes the results with all samples.
func writeJSON(path string, r *results) error {
	m := r.machine
	all := jsonResults{Date: r.date, Commit: m.commit, Quick: r.quick, Rounds: r.rounds,
		Seconds: r.duration.Seconds(), Raw: r.raw,
		Machine: map[string]string{"processor": m.processor, "memory": m.memory, "kernel": m.kernel, "system": m.system, "load": m.load}}
	for _, l := range r.mpis {
		all.MPIs = append(all.MPIs, jsonMPI{l.name, l.version, l.launcher[1:]})
	}
	for _, t := range r.tables {
		out := jsonTable{Name: t.name, Group: t.group, Title: t.title, Unit: t.unit, More: t.more,
			Axis: string(t.axis), Unsupported: t.unsupported}
		for _, at := range t.rows {
			point := jsonPoint{Series: at.series, X: at.x, Samples: map[string][]float64{}}
			for name, rows := range t.samples {
				if len(rows[at]) > 0 {
					point.Samples[name] = rows[at]
				}
			}
			peer := t.bestPeer(at)
			if c, ok := compare(t.samples["gompi"][at], t.samples[peer][at]); ok {
				point.Ratio, point.Peer = &c.ratio, peer
			}
			out.Points = append(out.Points, point)
		}
		for _, f := range t.failures {
			out.Failures = append(out.Failures, jsonFailure{f.mpi, f.ranks, f.err.Error()})
		}
		all.Tables = append(all.Tables, out)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
