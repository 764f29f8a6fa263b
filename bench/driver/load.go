package main

import (
	"fmt"
	"runtime"
)

// load is what others did on the machine during a turn of a benchmark, in cores.
type load struct {
	Others float64  `json:"others"`           // other programs of this system
	Stolen float64  `json:"stolen"`           // what its host gave to other systems
	Waited *float64 `json:"waited,omitempty"` // share of the time before in which something waited for a core
}

// loadBetween is the load from one moment to another. What was started by the driver is no load, as far as it
// has ended.
func loadBetween(from, to usage) load {
	elapsed := to.at.Sub(from.at).Seconds()
	if elapsed <= 0 || !from.known || !to.known {
		return load{}
	}
	cores := float64(runtime.NumCPU()) // short turns are shorter than the ticks of /proc/stat
	return load{
		Others: min(cores, max(0, to.busy-from.busy-(to.own-from.own))/elapsed),
		Stolen: min(cores, max(0, to.stolen-from.stolen)/elapsed),
	}
}

// pressureBetween is the share of the time in which something waited for a core, nil where the system does
// not tell.
func pressureBetween(from, to usage) *float64 {
	elapsed := to.at.Sub(from.at).Seconds()
	if elapsed <= 0 || !from.pressed || !to.pressed {
		return nil
	}
	share := min(1, max(0, to.waited-from.waited)/elapsed)
	return &share
}

// loaded is from how many cores on the report says at a benchmark that others used them.
const loaded = 0.2

// othersOf is the load of a table's turns, median and most.
func othersOf(loads []load) (middle, most float64) {
	var others []float64
	for _, l := range loads {
		others = append(others, l.Others)
	}
	return median(others), highest(others)
}

// loadNote says at a benchmark that other programs ran meanwhile, "" where they did not.
func (t *table) loadNote() string {
	if middle, most := othersOf(t.loads); most >= loaded {
		return fmt.Sprintf("Other programs used %s cores meanwhile, at most %s.", number(middle), number(most))
	}
	return ""
}

// loadLines are what the report says of other load, name and value.
func (r *results) loadLines() [][]string {
	var all []load
	for _, t := range r.tables {
		all = append(all, t.loads...)
	}
	if len(all) == 0 {
		return nil
	}
	middle, most := othersOf(all)
	var stolen, waited []float64
	for _, l := range all {
		stolen = append(stolen, l.Stolen)
		if l.Waited != nil {
			waited = append(waited, *l.Waited)
		}
	}
	lines := [][]string{
		{"other programs while it was measured", fmt.Sprintf("%s cores, at most %s", number(middle), number(most))},
		{"taken by the host while it was measured", fmt.Sprintf("%s cores, at most %s", number(median(stolen)),
			number(highest(stolen)))},
	}
	if len(waited) > 0 {
		lines = append(lines, []string{"time in which others waited for a core, between the benchmarks",
			fmt.Sprintf("%.0f %%, at most %.0f %%", 100*median(waited), 100*highest(waited))})
	}
	return lines
}
