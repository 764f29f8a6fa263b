package launch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gompi/launch/hang"
	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/state"
)

// question is one to all ranks of the job, what they wait for. The launcher asks those of its own host in the
// memory that they share with it, and the proxies of the other hosts, which do the same there.
type question struct {
	number int
	until  time.Time    // when hosts that have not answered are left out
	unsaid []*host.Link // that have not answered
	found  map[*rank]hang.Rank
	then   []func(*hang.Job)
}

// answerTime is how long other hosts may take to answer: longer than a proxy waits for its ranks, and those
// in between for theirs.
const answerTime = 3 * time.Second

// gather asks all ranks what they wait for, and then calls a function with that: at once when all are on this
// host.
func (j *job) gather(then func(*hang.Job)) {
	if q := j.question; q != nil {
		q.then = append(q.then, then)
		return
	}
	j.asks++
	q := &question{number: j.asks, until: time.Now().Add(answerTime), found: map[*rank]hang.Rank{},
		then: []func(*hang.Job){then}}
	j.question = q
	for _, h := range slices.Backward(j.hosts.All) { // before those by which they are reached, who answer first
		if l := h.Link; l != nil && l.Greeted && !l.Gone {
			q.unsaid = append(q.unsaid, l)
			l.Send(&host.Frame{Kind: host.FrameGather, Rank: q.number})
		}
	}
	for _, t := range j.askTwice() {
		q.found[t.rank] = t.state()
	}
	if len(q.unsaid) == 0 {
		j.conclude(q)
	}
}

// answered notes that nothing more is to come from a host.
func (j *job) answered(l *host.Link) {
	q := j.question
	if q == nil || !slices.Contains(q.unsaid, l) {
		return
	}
	q.unsaid = slices.DeleteFunc(q.unsaid, func(o *host.Link) bool { return o == l })
	if len(q.unsaid) == 0 {
		j.conclude(q)
	}
}

// conclude ends a question with what is known.
func (j *job) conclude(q *question) {
	j.question = nil
	all := &hang.Job{Worlds: map[string]int{}, Now: shm.Now()}
	for _, w := range j.worlds {
		for _, n := range w.nodes {
			if id := n.identity(); id != "" {
				all.Worlds[id] = w.id
			}
		}
	}
	for _, r := range j.ranks {
		s := q.found[r]
		s.World, s.Number, s.Pid, s.Host = r.world.id, r.number, r.process(), r.hostName()
		switch {
		case r.exited:
			s = hang.Rank{World: s.World, Number: s.Number, Pid: s.Pid, Host: s.Host, Phase: hang.Ended}
		case r.finalized:
			s = hang.Rank{World: s.World, Number: s.Number, Pid: s.Pid, Host: s.Host, Phase: hang.Finished}
		case !r.begun:
			s.Phase = hang.Starting
		case s.State == nil:
			s.Phase = hang.Running
		default:
			s.Phase = hang.Waiting
		}
		all.Ranks = append(all.Ranks, s)
	}
	for _, then := range q.then {
		then(all)
	}
}

// told is what a rank of this host has answered.
type told struct {
	rank    *rank
	report  []byte // nil when it does not wait
	places  []string
	doing   string
	threads int
}

// askTwice asks the ranks of this host, and those that poll once more: the second answer tells what they have
// done since the first.
func (j *job) askTwice() []told {
	all := j.askRanks()
	if !slices.ContainsFunc(all, told.unsure) {
		return all
	}
	const between = 350 * time.Millisecond // longer than what is settled
	time.Sleep(between)
	return j.askRanks()
}

// unsure reports whether a rank polls of which it is not known that it does nothing else.
func (t told) unsure() bool {
	s := t.state().State
	return s != nil &&
		slices.ContainsFunc(s.Waits, func(w state.Wait) bool { return w.Asks > 0 && w.Still == 0 })
}

// askRanks asks the ranks of this host.
func (j *job) askRanks() (all []told) {
	numbers := map[*node]uint32{}
	asked := []*askee{}
	for _, r := range j.ranks {
		if s := r.node.segment; s != nil && r.inMPI() && !r.exited {
			asked = append(asked, newAskee(r))
			if numbers[r.node] == 0 {
				numbers[r.node] = shm.AskReports(s)
			}
		}
	}
	const patience, between, settle = 400 * time.Millisecond, time.Millisecond, 20 * time.Millisecond
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(between) {
		if !slices.ContainsFunc(asked, func(a *askee) bool { return a.awaited(numbers[a.rank.node]) }) {
			break
		}
	}
	time.Sleep(settle) // further threads of the ranks
	for _, r := range j.ranks {
		if !r.away() && !r.exited && !r.finalized {
			all = append(all, r.told(numbers[r.node]))
		}
	}
	return all
}

// told is what a rank of this host has answered to the question of that number; 0 when it was not asked.
func (r *rank) told(number uint32) told {
	t := told{rank: r}
	if number != 0 && shm.Reported(r.node.segment, r.nodeRank, number) {
		text, err := r.node.segment.ReadReport(r.nodeRank)
		if err == nil {
			t.report = text
		}
	}
	s := t.state()
	if s.State == nil {
		t.report, t.doing = nil, process.Doing(r.process())
		return t
	}
	if slices.ContainsFunc(s.State.Waits, func(w state.Wait) bool { return w.Asks > 0 }) {
		t.doing = process.Elsewhere(r.process())
	}
	t.places = r.places(s.State)
	if s.State.Threads != 0 {
		t.threads = process.Restless(r.process(), s.State.Waits)
	}
	return t
}

// state is the answer for package hang, whose State is nil when the rank does not wait.
func (t *told) state() hang.Rank {
	s := hang.Rank{Places: t.places, Doing: t.doing, Threads: t.threads}
	if t.report == nil {
		return s
	}
	if found, err := state.Decode(t.report); err == nil && len(found.Waits) > 0 {
		s.State = found
	}
	return s
}

// places is where the calls of a rank's waits stand, as far as its files have lines.
func (r *rank) places(s *state.Rank) (all []string) {
	files := &r.conn.job.files
	for i := range s.Waits {
		text := files.Line(fmt.Sprintf("/proc/%d/maps", r.process()), s.Waits[i].Caller)
		line, found := strings.CutPrefix(text, "at ")
		if !found {
			line = ""
		}
		all = append(all, line)
	}
	return all
}

// packStates is the body of a proxy's answer: its clock, and what its ranks have answered.
func packStates(all []told) []byte {
	var p host.Packer
	p.Number(int(shm.Now()))
	p.Number(len(all))
	for _, t := range all {
		p.Numbers([]int{t.rank.world.id, t.rank.number, t.threads})
		p.Text(string(t.report))
		p.Texts(t.places)
		p.Text(t.doing)
	}
	return p
}

// takeStates notes a proxy's answer. Its times are those of another clock, and become those of this one.
func (j *job) takeStates(l *host.Link, f *host.Frame) error {
	q := j.question
	if q == nil || f.Rank != q.number {
		return nil // it comes too late
	}
	u := host.Unpacker{Rest: f.Body}
	later := shm.Now() - uint64(u.Number())
	for range u.Count() {
		t := told{}
		who := u.Numbers()
		t.report, t.places, t.doing = []byte(u.Text()), u.Texts(), u.Text()
		if u.Err != nil || len(who) != 3 {
			return host.ErrFrame
		}
		t.threads = who[2]
		w := j.worldNumbered(who[0])
		if w == nil {
			continue // it has ended
		}
		r := w.rankNumbered(who[1])
		if r == nil || r.node.link() != l {
			return fmt.Errorf("%w: about rank %d", host.ErrFrame, who[1])
		}
		s := t.state()
		if s.State != nil {
			s.State.Shift(later)
		}
		q.found[r] = s
	}
	if u.Err != nil {
		return u.Err
	}
	j.answered(l)
	return nil
}
