package runtime

import (
	"encoding/hex"
	goruntime "runtime"
	"slices"
	"strings"

	"gompi/runtime/comm"
	"gompi/runtime/group"
	"gompi/runtime/p2p"
	"gompi/shm"
	"gompi/wire/state"
)

// report is what this process tells the launcher of its waits (docs/internals/hangs.md). Threads that wait
// add what they wait for, one after the other, under the engine's lock.
type report struct {
	process *Process
	number  uint32
	rank    state.Rank
	at      map[*comm.Comm]uint32 // indices in rank.Comms
	windows map[*group.Group]uint32
}

// What a report has at most.
const (
	mostSpans    = 256
	mostMessages = 64
)

// andCall stands between the functions of a thread that polls by several.
const andCall = ", "

// openReports has the waits of this process be told when the launcher asks, and says where it counts what it
// does.
func (p *Process) openReports() {
	shm.ShowGauges(p.Segment, p.NodeRank, p.Engine.Gauges())
	r := &report{process: p}
	p.Engine.SetReport(r.add, p.Comms.RankOfPeer)
}

// add is p2p.Report.
func (r *report) add(number uint32, w *p2p.Wait, unexpected func(yield func(*p2p.Unexpected) bool)) {
	if number != r.number {
		r.number, r.rank = number, state.Rank{}
		r.at, r.windows = map[*comm.Comm]uint32{}, map[*group.Group]uint32{}
		r.comm(r.process.World) // where others find which job this is
		unexpected(func(m *p2p.Unexpected) bool { r.message(m); return true })
		r.process.RMA.Held(func(name string, g *group.Group, target int, exclusive bool) {
			r.rank.Locks = append(r.rank.Locks,
				state.Lock{Comm: r.window(name, g), Target: int32(target), Exclusive: exclusive})
		})
		if r.process.Multiple {
			r.rank.Threads = 1
		}
	}
	r.rank.Now, r.rank.Sent, r.rank.Taken = shm.Now(), w.Sent, w.Taken
	call := calledFunction()
	if !slices.Contains(strings.Split(w.Call, andCall), call) {
		w.Call = strings.TrimPrefix(w.Call+andCall+call, andCall)
	}
	if from := r.process.CalledFrom; from != nil {
		w.Caller = uint64(from())
	}
	for i := range w.Needs {
		if n := &w.Needs[i]; n.Kind == state.Window || n.Kind == state.WindowLock {
			g := w.Groups[n.Comm]
			n.Comm = r.window(g.Name, g.Ranks)
		} else {
			r.settle(n, call)
		}
	}
	at := slices.IndexFunc(r.rank.Waits, func(o state.Wait) bool { return o.Thread == w.Thread })
	if at < 0 {
		at = len(r.rank.Waits)
		r.rank.Waits = append(r.rank.Waits, w.Wait)
	}
	r.rank.Waits[at] = w.Wait
	short := r.rank // Encode may leave something out
	// Whoever asks takes no answer for one.
	_ = r.process.Segment.WriteReport(r.process.NodeRank, number, short.Encode(shm.MaxReport))
}

// settle puts the communicator in the place of the context of a need.
func (r *report) settle(n *state.Need, call string) {
	if n.Kind == state.Completion {
		r.rank.Threads = 1
	}
	if !n.OfComm() {
		return
	}
	c, ranks, own := r.process.Comms.InContext(n.Comm)
	if c == nil {
		n.Kind = state.Other
		if n.Text == "" {
			n.Text = "other processes, to make a communicator"
		}
		return
	}
	n.Comm = r.comm(c)
	if n.Kind == state.Partition || own {
		return
	}
	// A message of the library's own is a part of a collective operation.
	if n.Kind != state.Collective {
		peer := n.Peer
		*n = state.Need{Kind: state.Collective, Comm: n.Comm, Bytes: -1, Root: state.NoRoot, Name: n.Name}
		if rank := within(c, ranks, int(peer)); rank >= 0 {
			n.Absent = []int32{rank}
		}
	}
	switch {
	case strings.HasPrefix(call, "MPI_Neighbor_"): // its operation describes itself as a nonblocking one
		n.Name = call
	case n.Name == "" && completes(call):
		n.Name = "a nonblocking collective operation"
	case n.Name == "":
		n.Name = call
	}
	if now := &c.Calling; now.Name == call {
		n.Root = state.NoRoot
		if rooted(call) {
			n.Root = int32(now.Root)
		}
		if now.Op != nil {
			n.Op = now.Op.Name()
		}
		if t := now.Data.Type; t != nil {
			n.Bytes, n.Count, n.Type = now.Data.Bytes(), now.Data.Count, t.Name()
		}
	}
	for _, ways := range c.Collectives() {
		n.Number += ways
	}
}

// within is the rank in c of a rank of some of its ranks, -1 for none.
func within(c, ranks *comm.Comm, rank int) int32 {
	if ranks == nil || rank < 0 || rank >= ranks.Targets() && rank >= ranks.Size() {
		return -1
	}
	if ranks == c {
		if c.Inter() {
			return -1 // of either group
		}
		return int32(rank)
	}
	return int32(c.Group().Rank(ranks.Group().Of(rank)))
}

// rooted reports whether a collective function has a root.
func rooted(name string) bool {
	switch name {
	case "MPI_Bcast", "MPI_Reduce", "MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv":
		return true
	}
	return false
}

// completes reports whether a function waits for requests, or asks for them.
func completes(name string) bool {
	for _, prefix := range [...]string{"MPI_Wait", "MPI_Test", "MPI_Request_get_status"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// message adds a message that no receive was posted for, if it is the program's.
func (r *report) message(m *p2p.Unexpected) {
	c, _, own := r.process.Comms.InContext(m.Ctx)
	switch {
	case !own:
	case len(r.rank.Messages) == mostMessages:
		r.rank.Left++
	default:
		r.rank.Messages = append(r.rank.Messages,
			state.Message{Comm: r.comm(c), Src: m.Src, Tag: m.Tag, Bytes: m.Bytes})
	}
}

// comm is the index of a communicator in the report.
func (r *report) comm(c *comm.Comm) uint32 {
	if i, ok := r.at[c]; ok {
		return i
	}
	i := uint32(len(r.rank.Comms))
	r.at[c] = i
	m := state.Comm{Name: c.Label(), Number: c.CID(), Rank: int32(c.Rank()), Inter: c.Inter(),
		Members: r.spans(c.Group())}
	if c.Inter() {
		m.Targets = r.spans(c.Remote())
	}
	r.rank.Comms = append(r.rank.Comms, m)
	return i
}

// window is the index of the ranks of a window.
func (r *report) window(name string, g *group.Group) uint32 {
	if i, ok := r.windows[g]; ok {
		return i
	}
	i := uint32(len(r.rank.Comms))
	r.windows[g] = i
	r.rank.Comms = append(r.rank.Comms, state.Comm{Name: name, Rank: int32(g.Rank(r.process.Rank)),
		Members: r.spans(g)})
	return i
}

func (r *report) spans(g *group.Group) (all []state.Span) {
	spans, _ := r.process.Comms.Processes.Spans(g, mostSpans)
	for _, s := range spans {
		job := ""
		if s.Job != (shm.JobID{}) {
			job = hex.EncodeToString(s.Job[:])
		}
		all = append(all, state.Span{Job: job, First: int32(s.First), Step: int32(s.Step),
			Length: int32(s.Length)})
	}
	return all
}

// exportPrefix is what the names of exports begin with that the stubs call.
const exportPrefix = "main.gompi_"

// calledFunction is the MPI function that the calling thread is in, by its frames; "" when it is in none.
func calledFunction() string {
	const deepest = 64
	var pcs [deepest]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(0, pcs[:])])
	for {
		f, more := frames.Next()
		if name := functionOf(f.Function); name != "" {
			return name
		}
		if !more {
			return ""
		}
	}
}

// functionOf is the MPI function that an export is for; "" for other functions.
func functionOf(export string) string {
	name, ok := strings.CutPrefix(export, exportPrefix)
	if !ok {
		return ""
	}
	if extension, ok := strings.CutPrefix(name, "X_"); ok {
		return "MPIX_" + extension
	}
	return "MPI_" + name
}
