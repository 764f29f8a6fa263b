package hang

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gompi/wire/state"
)

// Row is ranks that share one state.
type Row struct {
	Ranks []int // indices in Job.Ranks
	Call  string
	For   time.Duration
	What  string

	key  string
	asks uint32      // of ranks that poll: how often at least
	need *state.Need // of a collective operation, if that is all
	of   []int       // whom some of the ranks wait for there
}

// Rows is the table of all ranks, those first that wait.
func (j *Job) Rows() []Row {
	var rows []Row
	at := map[string]int{}
	add := func(r Row) {
		if i, ok := at[r.key]; ok {
			old := &rows[i]
			old.For, old.asks = min(old.For, r.For), min(old.asks, r.asks)
			old.of = append(old.of, r.of...)
			if old.Ranks[len(old.Ranks)-1] != r.Ranks[0] {
				old.Ranks = append(old.Ranks, r.Ranks...)
			}
			return
		}
		at[r.key] = len(rows)
		rows = append(rows, r)
	}
	for i := range j.Ranks {
		s := j.Ranks[i].State
		if s == nil {
			continue
		}
		for k := range s.Waits {
			add(j.row(i, &s.Waits[k]))
		}
	}
	for i := range j.Ranks {
		if r := &j.Ranks[i]; r.State == nil || len(r.State.Waits) == 0 {
			text := j.doing(i)
			add(Row{Ranks: []int{i}, What: text, key: text})
		}
	}
	for i := range rows {
		if r := &rows[i]; r.need != nil && len(r.Ranks) > 1 {
			of := slices.DeleteFunc(r.of, func(i int) bool { return slices.Contains(r.Ranks, i) })
			r.What = j.part(r.need, of) + ", on " + on(j.commOf(r.Ranks[0], r.need))
		}
		if r := &rows[i]; r.asks > 0 {
			r.What += fmt.Sprintf(" (asked %d times)", r.asks)
		}
	}
	return rows
}

var phases = [...]string{
	Starting: "has not begun MPI", Running: "does not wait in MPI", Waiting: "waits in MPI",
	Finished: "has left MPI", Ended: "has ended",
}

// mostShown is how many of the things that one call waits for are shown.
const mostShown = 4

// place is where the call of a wait stands, "" when it is not known.
func (j *Job) place(i int, w *state.Wait) string {
	r := &j.Ranks[i]
	for k := range r.State.Waits {
		if &r.State.Waits[k] == w && k < len(r.Places) {
			return r.Places[k]
		}
	}
	return ""
}

func (j *Job) row(i int, w *state.Wait) Row {
	r := Row{Ranks: []int{i}, Call: w.Call, For: j.lasted(w), asks: w.Asks}
	if r.Call == "" {
		r.Call = "?"
	}
	if line := j.place(i, w); line != "" {
		r.Call += " at " + line
	}
	var parts, keys []string
	for k := range w.Needs {
		n := &w.Needs[k]
		if k == mostShown {
			parts = append(parts, fmt.Sprintf("and %d more", len(w.Needs)-k))
			break
		}
		parts = append(parts, j.what(i, n))
		key := parts[k]
		if c := j.commOf(i, n); n.Kind == state.Collective {
			key = arguments(n) + on(c) + fmt.Sprint(c.Members)
		}
		keys = append(keys, key)
	}
	if len(w.Needs) == 1 && w.Needs[0].Kind == state.Collective {
		r.need, r.of = &w.Needs[0], j.wanted(i, &w.Needs[0])
	}
	joint := "; "
	if w.Any {
		joint = "; or "
	}
	r.What = strings.Join(parts, joint)
	r.key = strings.Join(append(keys, r.Call), "\x00")
	return r
}

// unreceived is the messages of rank i that nobody has received, in front those that almost match what it
// waits for; at most most, and how many more there are.
func (j *Job) unreceived(i, most int) (all []*state.Message, more int) {
	s := j.Ranks[i].State
	if s == nil {
		return nil, 0
	}
	var rest []*state.Message
	for k := range s.Messages {
		m := &s.Messages[k]
		if j.nears(i, m) {
			all = append(all, m)
		} else {
			rest = append(rest, m)
		}
	}
	all = append(all, rest...)
	more = int(s.Left)
	if len(all) > most {
		more += len(all) - most
		all = all[:most]
	}
	return all, more
}

// nears reports whether a message almost matches what rank i waits for.
func (j *Job) nears(i int, m *state.Message) bool {
	for _, w := range j.Ranks[i].State.Waits {
		for k := range w.Needs {
			if n := &w.Needs[k]; (n.Kind == state.Receive || n.Kind == state.Probe) &&
				j.difference(i, n, m) != "" {
				return true
			}
		}
	}
	return false
}

// Text is the report for people, without what is ahead of its first line and its last one: one line for
// ranks that share a state, and the messages that nobody has received.
func (j *Job) Text() []string {
	rows := j.Rows()
	table := [][3]string{{"ranks", "call", "for"}}
	last := []string{"waiting for"}
	for _, r := range rows {
		lasts := ""
		if r.Call != "" {
			lasts = seconds(r.For)
		}
		call := r.Call
		if call == "" {
			call = "-"
		}
		table = append(table, [3]string{j.ranges(r.Ranks), call, lasts})
		last = append(last, r.What)
	}
	const mostEach, mostLines = 4, 16
	var lines []string
	for i, cells := range table {
		line := " "
		for k, cell := range cells {
			line += " " + cell + strings.Repeat(" ", width(table, k)-utf8.RuneCountInString(cell)+1)
		}
		lines = append(lines, line+" "+last[i])
	}
	shown := 0
	for i := range j.Ranks {
		messages, more := j.unreceived(i, mostEach)
		for _, m := range messages {
			if shown++; shown > mostLines {
				return lines
			}
			lines = append(lines, "  "+j.unexpected(i, m))
		}
		if more > 0 {
			lines = append(lines, fmt.Sprintf("  %s: %s more without a receive", j.name(i), plural(int64(more), "message")))
		}
	}
	return lines
}

func width(table [][3]string, k int) int {
	most := 0
	for _, cells := range table {
		most = max(most, utf8.RuneCountInString(cells[k]))
	}
	return most
}

// unexpected is the line on a message that rank i has not received.
func (j *Job) unexpected(i int, m *state.Message) string {
	c := &j.Ranks[i].State.Comms[m.Comm]
	return fmt.Sprintf("%s has not received: a message from %s, tag %d, %s, on %s", j.name(i),
		j.sender(i, m), m.Tag, plural(m.Bytes, "byte"), on(c))
}

// sender is what texts call the sender of a message.
func (j *Job) sender(i int, m *state.Message) string {
	n := state.Need{Kind: state.Receive, Comm: m.Comm, Peer: m.Src}
	return j.peer(i, &n)
}
