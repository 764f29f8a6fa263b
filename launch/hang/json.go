package hang

import (
	"encoding/json"

	"gompi/wire/state"
)

// The report for programs. Ranks are named by world, 0 for that of the command line, and by their number in
// MPI_COMM_WORLD. Members that do not apply are left out.
type (
	report struct {
		Hung  bool         `json:"hung"`
		Cause string       `json:"cause,omitempty"`
		Ranks []rankReport `json:"ranks"`
	}
	rankReport struct {
		process
		Pid        int             `json:"pid"`
		Host       string          `json:"host,omitempty"`
		Phase      string          `json:"phase"`
		Doing      string          `json:"doing,omitempty"`
		Waits      []waitReport    `json:"waits,omitempty"`
		Unexpected []messageReport `json:"unexpected,omitempty"`
		Left       uint32          `json:"more_unexpected,omitempty"`
		Locks      []lockReport    `json:"locks,omitempty"`
	}
	process struct {
		World int `json:"world"`
		Rank  int `json:"rank"`
	}
	waitReport struct {
		Call    string       `json:"call"`
		Place   string       `json:"place,omitempty"` // in the source
		Seconds float64      `json:"seconds"`
		Any     bool         `json:"any,omitempty"`   // one of for will do
		Asked   uint32       `json:"asked,omitempty"` // how often, by a rank that polls
		For     []needReport `json:"for"`
	}
	needReport struct {
		Kind         string      `json:"kind"`
		Text         string      `json:"text"`
		Communicator *commReport `json:"communicator,omitempty"`
		Ranks        []process   `json:"ranks,omitempty"`
		Tag          *int32      `json:"tag,omitempty"`
		Root         *int32      `json:"root,omitempty"`
		Operation    string      `json:"operation,omitempty"`
		Bytes        *int64      `json:"bytes,omitempty"`
		Count        *int64      `json:"count,omitempty"`
		Type         string      `json:"type,omitempty"`
	}
	commReport struct {
		Name    string `json:"name"`
		Context uint32 `json:"context"`
	}
	messageReport struct {
		Communicator commReport `json:"communicator"`
		Ranks        []process  `json:"ranks"` // the sender
		Tag          int32      `json:"tag"`
		Bytes        int64      `json:"bytes"`
	}
	lockReport struct {
		Window    string    `json:"window"`
		Ranks     []process `json:"ranks"` // the target
		Exclusive bool      `json:"exclusive"`
	}
)

var kinds = [...]string{
	state.Other: "other", state.Receive: "receive", state.Send: "send", state.Probe: "probe",
	state.Collective: "collective", state.Window: "window", state.WindowLock: "lock",
	state.Elsewhere: "external", state.Partition: "partition", state.Completion: "completion",
}

// JSON is the report for programs, on one line.
func (j *Job) JSON() ([]byte, error) {
	all := report{Hung: j.Hung(settled), Cause: j.Cause(), Ranks: []rankReport{}}
	for i := range j.Ranks {
		r := &j.Ranks[i]
		out := rankReport{process: j.process(i), Pid: r.Pid, Host: r.Host, Phase: phases[r.Phase],
			Doing: r.Doing}
		if s := r.State; s != nil {
			for k := range s.Waits {
				out.Waits = append(out.Waits, j.wait(i, &s.Waits[k]))
			}
			for _, m := range s.Messages {
				out.Unexpected = append(out.Unexpected, messageReport{*comm(&s.Comms[m.Comm]),
					j.processes(j.wanted(i, &state.Need{Kind: state.Receive, Comm: m.Comm, Peer: m.Src})),
					m.Tag, m.Bytes})
			}
			out.Left = s.Left
			for _, l := range s.Locks {
				out.Locks = append(out.Locks, lockReport{s.Comms[l.Comm].Name,
					j.processes(j.wanted(i, &state.Need{Kind: state.Receive, Comm: l.Comm, Peer: l.Target})),
					l.Exclusive})
			}
		}
		all.Ranks = append(all.Ranks, out)
	}
	return json.Marshal(all)
}

func (j *Job) wait(i int, w *state.Wait) waitReport {
	out := waitReport{Call: w.Call, Place: j.place(i, w), Seconds: j.lasted(w).Seconds(), Any: w.Any,
		Asked: w.Asks, For: []needReport{}}
	for k := range w.Needs {
		n := &w.Needs[k]
		need := needReport{Text: j.what(i, n), Operation: n.Op, Type: n.Type,
			Ranks: j.processes(j.wanted(i, n))}
		if int(n.Kind) < len(kinds) {
			need.Kind = kinds[n.Kind]
		}
		if c := j.commOf(i, n); c != nil {
			need.Communicator = comm(c)
		}
		switch n.Kind {
		case state.Receive, state.Send, state.Probe, state.Partition:
			if n.Tag != state.AnyTag {
				need.Tag = &n.Tag
			}
		case state.Collective:
			if n.Root >= 0 {
				need.Root = &n.Root
			}
		}
		if n.Bytes >= 0 {
			need.Bytes = &n.Bytes
			if n.Type != "" {
				need.Count = &n.Count
			}
		}
		out.For = append(out.For, need)
	}
	return out
}

func comm(c *state.Comm) *commReport { return &commReport{c.Name, c.Number} }

func (j *Job) process(i int) process { return process{j.Ranks[i].World, j.Ranks[i].Number} }

func (j *Job) processes(of []int) (all []process) {
	for _, i := range of {
		all = append(all, j.process(i))
	}
	return all
}
