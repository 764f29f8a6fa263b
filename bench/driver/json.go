package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// The JSON form of the results. Fields may be added; none changes its meaning.
type (
	jsonResults struct {
		Date    time.Time         `json:"date"`
		Commit  string            `json:"commit"`
		Quick   bool              `json:"quick"`
		Part    bool              `json:"part,omitempty"` // not all was asked for
		Rounds  int               `json:"rounds"`
		Seconds float64           `json:"seconds"`
		Machine map[string]string `json:"machine"`
		Raw     []rawLimits       `json:"raw"` // one for each time that the machine was looked at
		MPIs    []jsonMPI         `json:"mpis"`
		Tables  []jsonTable       `json:"benchmarks"`
	}
	jsonMPI struct {
		Name     string   `json:"name"`
		Label    string   `json:"label"`
		Version  string   `json:"version"`
		Command  string   `json:"command"`
		Launcher []string `json:"launcher"` // what stands behind the command
	}
	jsonTable struct {
		Name        string                       `json:"name"`
		Group       string                       `json:"group"`
		Title       string                       `json:"title"`
		About       string                       `json:"about"`
		Unit        string                       `json:"unit"`
		More        bool                         `json:"more_is_better"`
		Axis        string                       `json:"axis"`
		Points      []jsonPoint                  `json:"points"`
		Loads       []load                       `json:"other_load,omitempty"`  // in cores, one for each turn
		Unsupported map[string]map[string]string `json:"unsupported,omitempty"` // function by MPI and series
		Failures    []jsonFailure                `json:"failures,omitempty"`
	}
	jsonPoint struct {
		Series  string               `json:"series,omitempty"`
		X       int                  `json:"x"`
		Once    bool                 `json:"once,omitempty"` // measured in one turn alone
		Samples map[string][]digits  `json:"samples"`        // by MPI, one for each turn
		Batches map[string]jsonWhole `json:"batches,omitempty"`
		Ratio   *digits              `json:"gompi_over_better_peer,omitempty"`
		Low     *digits              `json:"ratio_low,omitempty"`
		High    *digits              `json:"ratio_high,omitempty"`
		Peer    string               `json:"better_peer,omitempty"`
		Certain string               `json:"not_certain,omitempty"` // why
	}
	jsonWhole struct {
		Best digits `json:"best"`
		Mean digits `json:"mean"`
	}
	jsonFailure struct {
		MPI   string `json:"mpi"`
		Ranks int    `json:"ranks"`
		Error string `json:"error"`
	}
)

// digits is a number of which no more is written than was measured.
type digits float64

func (d digits) MarshalJSON() ([]byte, error) { return json.Marshal(measured(float64(d))) }

// writeJSON writes the results with all samples.
func writeJSON(path string, r *results) error {
	m := r.machine
	all := jsonResults{Date: r.date, Commit: m.commit, Quick: r.quick, Part: r.part, Rounds: r.rounds,
		Seconds: r.duration.Seconds(), Raw: r.raw,
		Machine: map[string]string{"processor": m.processor, "cores": strconv.Itoa(m.cores), "place": string(m.place),
			"memory": m.memory, "kernel": m.kernel, "system": m.system, "load": m.load}}
	for _, l := range r.mpis {
		all.MPIs = append(all.MPIs, jsonMPI{l.name, l.label, l.version, filepath.Base(l.launcher[0]),
			l.launcher[1:]})
	}
	for _, t := range r.tables {
		out := jsonTable{Name: t.name, Group: t.group, Title: t.title, About: t.about, Unit: t.unit,
			More: t.more, Axis: string(t.axis), Loads: t.loads, Unsupported: t.unsupported}
		for _, at := range t.rows {
			out.Points = append(out.Points, t.jsonPoint(at))
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
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

func (t *table) jsonPoint(at row) jsonPoint {
	point := jsonPoint{Series: at.series, X: at.x, Once: t.once(at), Samples: map[string][]digits{}}
	for name, rows := range t.samples {
		for _, v := range rows[at] {
			point.Samples[name] = append(point.Samples[name], digits(v))
		}
		if w, told := t.whole[name][at]; told {
			if point.Batches == nil {
				point.Batches = map[string]jsonWhole{}
			}
			point.Batches[name] = jsonWhole{digits(w.best), digits(w.mean)}
		}
	}
	peer := t.bestPeer(at)
	if c, ok := compare(t.samples["gompi"][at], t.samples[peer][at]); ok {
		ratio, low, high := digits(c.centre), digits(c.low), digits(c.high)
		point.Ratio, point.Low, point.High, point.Peer = &ratio, &low, &high, peer
	}
	point.Certain = map[certainty]string{tooWide: "wide", tooFew: "few"}[t.certaintyOf(at)]
	return point
}

// readJSON reads what writeJSON has written. What an older file does not have comes from the plan.
func readJSON(path string) (*results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all jsonResults
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	cores, err := strconv.Atoi(all.Machine["cores"])
	if err != nil {
		return nil, fmt.Errorf("%s: the number of cores: %w", path, err)
	}
	r := &results{date: all.Date, duration: time.Duration(math.Round(all.Seconds * float64(time.Second))),
		rounds: all.Rounds, quick: all.Quick, part: all.Part, raw: all.Raw,
		machine: machine{processor: all.Machine["processor"], cores: cores, place: place(all.Machine["place"]),
			memory: all.Machine["memory"], kernel: all.Machine["kernel"], system: all.Machine["system"],
			load: all.Machine["load"], commit: all.Commit}}
	for _, l := range all.MPIs {
		r.mpis = append(r.mpis, mpi{name: l.Name, label: l.Label, version: l.Version,
			launcher: append([]string{l.Command}, l.Launcher...)})
	}
	for _, t := range all.Tables {
		r.tables = append(r.tables, t.table())
	}
	return r, nil
}

func (from jsonTable) table() *table {
	t := newTable(benchmark{name: from.Name, group: from.Group, title: from.Title, about: from.About,
		unit: from.Unit, more: from.More, axis: axis(from.Axis), runs: []launch{{}, {once: true}}})
	if t.about == "" {
		for _, b := range allBenchmarks(plan{}) {
			if b.name == t.name {
				t.about = b.about
			}
		}
	}
	t.loads = from.Loads
	for _, p := range from.Points {
		at := row{p.Series, p.X}
		for name, samples := range p.Samples {
			for _, v := range samples {
				t.add(name, at, float64(v))
			}
		}
		for name, b := range p.Batches {
			t.addWhole(name, at, batches{float64(b.Best), float64(b.Mean)})
		}
		if p.Once {
			t.launchOf[at] = 1 // the second of the runs above
		}
	}
	if from.Unsupported != nil {
		t.unsupported = from.Unsupported
	}
	for _, f := range from.Failures {
		t.failures = append(t.failures, failure{f.MPI, f.Ranks, errors.New(f.Error)})
	}
	return t
}
