// Package live is what the ranks of a job do just now: what a launcher tells of it at one time, and what two
// of these tell together, as a table. It knows neither processes nor memory.
package live

import (
	"time"

	"gompi/wire/state"
)

// Sample is what is known of a job at one time.
type Sample struct {
	Pid     int      // process id of its launcher
	Command string   // what the user has started
	Silent  []string // hosts that have not answered
	Ranks   []Rank
}

// Rank is what is known of one rank. What grows is told since the start of its process; so much as is told of
// one that has ended is zero.
type Rank struct {
	World, Number int
	Host          string // "" in a job of one machine
	Pid           int
	State         State
	Doing         string // in words, of a rank that does not wait
	Waits         []Wait // of its threads

	At        time.Duration // when this was found out, by a clock of its host
	Counted   bool          // Counts are known: the system lets the launcher read them
	Counts    state.Counts
	Processor time.Duration // used by all its threads
	Memory    uint64        // bytes that it has mapped and that are there, also those that ranks share
}

// State is what a rank does, in a word for programs.
type State string

// States.
const (
	Starting State = "starting" // it has not begun MPI
	Running  State = "running"  // it computes, or waits for something that is not MPI
	Waiting  State = "waiting"  // it waits in MPI
	Polling  State = "polling"  // it asks MPI again and again, and does nothing else
	Finished State = "finished" // it has left MPI
	Ended    State = "ended"    // its process has ended
)

// Wait is what a thread of a rank waits for.
type Wait struct {
	Call  string        // the MPI function
	Place string        // of the call in the source, "" when it is not known
	For   time.Duration // how long it has lasted
	What  string        // what would end it, in words
}

// Row is what a rank has done between two samples, and what it does at the second one.
type Row struct {
	World  int     `json:"world"` // 0 for the programs of the command line
	Rank   int     `json:"rank"`
	Host   string  `json:"host,omitempty"`
	Pid    int     `json:"pid"`
	State  State   `json:"state"`
	Doing  string  `json:"doing,omitempty"`
	Call   string  `json:"call,omitempty"`
	Place  string  `json:"place,omitempty"`
	Lasted float64 `json:"seconds,omitempty"` // of the wait
	For    string  `json:"waiting_for,omitempty"`
	More   int     `json:"more_threads,omitempty"` // that wait as well
	Rates  *Rates  `json:"rates,omitempty"`        // nil where they are not known
	// processors in use, all the time of one being 1; and bytes of memory
	Processors float64 `json:"processors"`
	Memory     uint64  `json:"memory"`
}

// Rates is what a rank does in a second.
type Rates struct {
	Operations float64 `json:"operations"` // calls that do more than to ask in vain, and what has come for them
	Messages   float64 `json:"messages"`   // sent
	Bytes      float64 `json:"bytes"`      // of these
	Waiting    float64 `json:"waiting"`    // the share of the time in which it has waited, from 0 to 1
}

// Table is what all ranks have done between two samples.
type Table struct {
	Pid     int      `json:"pid"`
	Command string   `json:"command"`
	Seconds float64  `json:"interval"` // between the samples
	Silent  []string `json:"silent_hosts,omitempty"`
	Rows    []Row    `json:"ranks"`
}

// id is by what a rank is found again: the process too, as numbers of worlds are used again.
type id struct{ world, number, pid int }

func (r *Rank) id() id { return id{r.World, r.Number, r.Pid} }

// Between is what the ranks have done between two samples of one job.
func Between(before, now *Sample) *Table {
	t := &Table{Pid: now.Pid, Command: now.Command, Silent: now.Silent, Rows: []Row{}}
	old := map[id]*Rank{}
	for i := range before.Ranks {
		old[before.Ranks[i].id()] = &before.Ranks[i]
	}
	for i := range now.Ranks {
		r := &now.Ranks[i]
		o := old[r.id()]
		row := r.row(o)
		if o != nil {
			t.Seconds = max(t.Seconds, (r.At - o.At).Seconds())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// row is a rank's, which was o before; nil when that is not known.
func (r *Rank) row(o *Rank) Row {
	row := Row{World: r.World, Rank: r.Number, Host: r.Host, Pid: r.Pid, State: r.State, Doing: r.Doing,
		Memory: r.Memory}
	if len(r.Waits) > 0 {
		w := &r.Waits[0]
		row.Call, row.Place, row.Lasted, row.For = w.Call, w.Place, w.For.Seconds(), w.What
		row.More = len(r.Waits) - 1
	}
	if o == nil || r.At <= o.At || r.State == Ended {
		return row
	}
	passed := r.At - o.At
	row.Processors = max(0, (r.Processor-o.Processor).Seconds()/passed.Seconds())
	if r.Counted && o.Counted {
		row.Rates = r.rates(o, passed)
	}
	return row
}

// rates is how much a rank has done in a second of the time since o was found out. What is counted in two
// places may be read while it moves, and what is read of another process's memory may be anything.
func (r *Rank) rates(o *Rank, passed time.Duration) *Rates {
	per := func(before, now uint64) float64 {
		if now < before {
			return 0
		}
		return float64(now-before) / passed.Seconds()
	}
	a, b := &o.Counts, &r.Counts
	waited := per(a.Waited, b.Waited) / float64(time.Second)
	// A wait counts when it ends, and one that has lasted for all the time is all that there was.
	if len(r.Waits) > 0 {
		waited = max(waited, r.Waits[0].For.Seconds()/passed.Seconds())
	}
	return &Rates{Operations: per(a.Operations, b.Operations), Messages: per(a.Messages, b.Messages),
		Bytes: per(a.Bytes, b.Bytes), Waiting: min(1, waited)}
}
