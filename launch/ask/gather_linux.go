package ask

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gompi/launch/hang"
	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
	"gompi/wire/source"
	"gompi/wire/state"
)

// Asker asks the ranks of a job what they wait for.
type Asker struct {
	ReportHang time.Duration           // as Spec has it; 0 for never
	Up         func(frame *host.Frame) // of a proxy: tells the launcher; nil otherwise
	json       bool                    // the user is a program
	table      *world.Table
	hosts      *host.Hosts
	out        *output.Relay
	say        func(format string, args ...any)
	watch      watch        // of the ranks' sleep
	question   *question    // nil while there is none
	asks       int          // questions so far
	looker     looker       // for those who look at the job
	files      source.Files // of the ranks, for their lines of source
}

// New makes one for a job.
func New(t *world.Table, hosts *host.Hosts, out *output.Relay, json bool) *Asker {
	a := &Asker{table: t, hosts: hosts, out: out, say: hosts.User.Say, json: json}
	a.looker.asker = a
	return a
}

// Next is when Due has something to do, zero for never.
func (a *Asker) Next() time.Time {
	next := a.lookTime()
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	sooner(a.looker.due())
	if q := a.question; q != nil {
		sooner(q.until)
	}
	return next
}

// Due looks at the ranks, and ends a question, when it is time.
func (a *Asker) Due(now time.Time) {
	due := func(t time.Time) bool { return !t.IsZero() && !now.Before(t) }
	if due(a.watch.next) {
		a.look(now)
	}
	a.looker.timer(now)
	if q := a.question; q != nil && due(q.until) {
		a.conclude(q)
	}
}

// Drop forgets the question.
func (a *Asker) Drop() { a.question = nil }

// question is one to all ranks of the job, what they wait for. The launcher asks those of its own host in the
// memory that they share with it, and the proxies of the other hosts, which do the same there.
type question struct {
	number int
	until  time.Time    // when hosts that have not answered are left out
	unsaid []*host.Link // that have not answered
	found  map[*world.Rank]hang.Rank
	then   []func(*hang.Job)
}

// answerTime is how long other hosts may take to answer: longer than a proxy waits for its ranks, and those
// in between for theirs.
const answerTime = 3 * time.Second

// gather asks all ranks what they wait for, and then calls a function with that: at once when all are on this
// host.
func (a *Asker) gather(then func(*hang.Job)) {
	if q := a.question; q != nil {
		q.then = append(q.then, then)
		return
	}
	a.asks++
	q := &question{number: a.asks, until: time.Now().Add(answerTime), found: map[*world.Rank]hang.Rank{},
		then: []func(*hang.Job){then}}
	a.question = q
	// Before those by which they are reached, who answer first.
	for _, h := range slices.Backward(a.hosts.All) {
		if l := h.Link; l != nil && l.Greeted && !l.Gone {
			q.unsaid = append(q.unsaid, l)
			l.Send(&host.Frame{Kind: host.FrameGather, Rank: q.number})
		}
	}
	for _, t := range a.askTwice() {
		q.found[t.rank] = t.state()
	}
	if len(q.unsaid) == 0 {
		a.conclude(q)
	}
}

// Lost notes that nothing more is to come from a host.
func (a *Asker) Lost(l *host.Link) {
	a.answered(l)
	a.looker.lost(l)
}

// answered notes that a host has answered the question, or will not.
func (a *Asker) answered(l *host.Link) {
	q := a.question
	if q == nil || !slices.Contains(q.unsaid, l) {
		return
	}
	q.unsaid = slices.DeleteFunc(q.unsaid, func(o *host.Link) bool { return o == l })
	if len(q.unsaid) == 0 {
		a.conclude(q)
	}
}

// conclude ends a question with what is known.
func (a *Asker) conclude(q *question) {
	a.question = nil
	all := a.assemble(q.found)
	for _, then := range q.then {
		then(all)
	}
}

// assemble is what is known of all ranks, with what some have told.
func (a *Asker) assemble(found map[*world.Rank]hang.Rank) *hang.Job {
	all := &hang.Job{Worlds: map[string]int{}, Now: shm.Now()}
	for _, w := range a.table.Worlds {
		for _, n := range w.Nodes {
			if id := n.Identity(); id != "" {
				all.Worlds[id] = w.ID
			}
		}
	}
	for _, r := range a.table.Ranks {
		s := found[r]
		s.World, s.Number, s.Pid, s.Host = r.World.ID, r.Number, r.Process(), r.HostName()
		switch {
		case r.Exited:
			s = hang.Rank{World: s.World, Number: s.Number, Pid: s.Pid, Host: s.Host, Phase: hang.Ended}
		case r.Finalized:
			s = hang.Rank{World: s.World, Number: s.Number, Pid: s.Pid, Host: s.Host, Phase: hang.Finished}
		case !r.Begun:
			s.Phase = hang.Starting
		case s.State == nil:
			s.Phase = hang.Running
		default:
			s.Phase = hang.Waiting
		}
		all.Ranks = append(all.Ranks, s)
	}
	return all
}

// told is what a rank of this host has answered.
type told struct {
	rank    *world.Rank
	report  []byte // nil when it does not wait
	places  []string
	doing   string
	threads int
}

// askTwice asks the ranks of this host, and those that poll once more: the second answer tells what they have
// done since the first.
func (a *Asker) askTwice() []told {
	all := a.askRanks()
	if !slices.ContainsFunc(all, told.unsure) {
		return all
	}
	const between = 350 * time.Millisecond // longer than what is settled
	time.Sleep(between)
	return a.askRanks()
}

// unsure reports whether a rank polls of which it is not known that it does nothing else.
func (t told) unsure() bool {
	s := t.state().State
	return s != nil &&
		slices.ContainsFunc(s.Waits, func(w state.Wait) bool { return w.Asks > 0 && w.Still == 0 })
}

// askRanks asks the ranks of this host.
func (a *Asker) askRanks() (all []told) {
	numbers := map[*world.Node]uint32{}
	asked := []*askee{}
	for _, r := range a.table.Ranks {
		if s := r.Node.Segment; s != nil && r.InMPI() && !r.Exited {
			asked = append(asked, newAskee(r))
			if numbers[r.Node] == 0 {
				numbers[r.Node] = shm.AskReports(s)
			}
		}
	}
	const patience, between, settle = 400 * time.Millisecond, time.Millisecond, 20 * time.Millisecond
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(between) {
		if !slices.ContainsFunc(asked, func(a *askee) bool { return a.awaited(numbers[a.rank.Node]) }) {
			break
		}
	}
	time.Sleep(settle) // further threads of the ranks
	for _, r := range a.table.Ranks {
		if !r.Away() && !r.Exited && !r.Finalized {
			all = append(all, a.told(r, numbers[r.Node]))
		}
	}
	return all
}

// told is what a rank of this host has answered to the question of that number, and what its process does
// besides; 0 when it was not asked.
func (a *Asker) told(r *world.Rank, number uint32) told {
	t := a.answer(r, number)
	if s := t.state(); s.State != nil {
		if slices.ContainsFunc(s.State.Waits, func(w state.Wait) bool { return w.Asks > 0 }) {
			t.doing = process.Elsewhere(r.Process())
		}
		if s.State.Threads != 0 {
			t.threads = process.Restless(r.Process(), s.State.Waits)
		}
	}
	return t
}

// answer is what a rank of this host has answered.
func (a *Asker) answer(r *world.Rank, number uint32) told {
	t := told{rank: r}
	if number != 0 && shm.Reported(r.Node.Segment, r.NodeRank, number) {
		text, err := r.Node.Segment.ReadReport(r.NodeRank)
		if err == nil {
			t.report = text
		}
	}
	s := t.state()
	if s.State == nil {
		t.report, t.doing = nil, process.Doing(r.Process())
		return t
	}
	t.places = a.places(r, s.State)
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
func (a *Asker) places(r *world.Rank, s *state.Rank) (all []string) {
	for i := range s.Waits {
		text := a.files.Line(fmt.Sprintf("/proc/%d/maps", r.Process()), s.Waits[i].Caller)
		line, found := strings.CutPrefix(text, "at ")
		if !found {
			line = ""
		}
		all = append(all, line)
	}
	return all
}

// States is the body of a proxy's answer: its clock, and what its ranks have answered.
func (a *Asker) States() []byte {
	return packStates(a.askRanks())
}

// packStates is the body of a frame.
func packStates(all []told) []byte {
	var p host.Packer
	p.Number(int(shm.Now()))
	p.Number(len(all))
	for _, t := range all {
		p.Numbers([]int{t.rank.World.ID, t.rank.Number, t.threads})
		p.Text(string(t.report))
		p.Texts(t.places)
		p.Text(t.doing)
	}
	return p
}

// TakeStates notes a proxy's answer. Its times are those of another clock, and become those of this one.
func (a *Asker) TakeStates(l *host.Link, f *host.Frame) error {
	q := a.question
	if q == nil || f.Rank != q.number {
		return nil // it comes too late
	}
	u := host.Unpacker{Rest: f.Body}
	if err := a.unpackStates(l, &u, q.found); err != nil {
		return err
	}
	a.answered(l)
	return nil
}

// unpackStates notes what packStates has packed.
func (a *Asker) unpackStates(l *host.Link, u *host.Unpacker, found map[*world.Rank]hang.Rank) error {
	later := shm.Now() - uint64(u.Number())
	for range u.Count() {
		t := told{}
		who := u.Numbers()
		t.report, t.places, t.doing = []byte(u.Text()), u.Texts(), u.Text()
		if u.Err != nil || len(who) != 3 {
			return host.ErrFrame
		}
		t.threads = who[2]
		w := a.table.WorldNumbered(who[0])
		if w == nil {
			continue // it has ended
		}
		r := w.RankNumbered(who[1])
		if r == nil || r.Node.Link() != l {
			return fmt.Errorf("%w: about rank %d", host.ErrFrame, who[1])
		}
		s := t.state()
		if s.State != nil {
			s.State.Shift(later)
		}
		found[r] = s
	}
	return u.Err
}
