package ask

import (
	"encoding/json"
	"os"
	"slices"
	"time"

	"gompi/launch/hang"
	"gompi/launch/host"
	"gompi/launch/live"
	"gompi/launch/process"
	"gompi/launch/stack"
	"gompi/launch/world"
	"gompi/shm"
	"gompi/wire/state"

	"golang.org/x/sys/unix"
)

// Sample is the form in which other processes ask what the ranks do just now: a live.Sample in JSON.
const Sample = "sample"

// Lines is the form in which they ask for the lines of code that the ranks are at.
const Lines = "lines"

// looker serves those who look at a running job. While nobody does there is nothing in it, and no rank is
// asked. It looks at the ranks of this host from the loop, by timers, so that the job goes on meanwhile;
// proxies do the same.
type looker struct {
	asker  *Asker
	number int       // of looks so far
	next   time.Time // when to see whether the ranks of this host have answered, zero for never
	until  time.Time // when hosts that have not answered are left out
	asked  []*askee  // of this host
	ask    map[*world.Node]uint32
	taken  bool         // those of this host have been looked at
	told   []told       // by those of this host
	unsaid []*host.Link // hosts that have not answered
	found  map[*world.Rank]hang.Rank
	usage  map[*world.Rank]usage
	then   []func(*looker)
	stacks bool         // the lines of code that the ranks are at are wanted
	tables stack.Tables // of the files of ranks of this host
}

// usage is what one rank has used and done.
type usage struct {
	at        time.Duration // by shm.Now of its host
	processor time.Duration
	memory    uint64
	counts    state.Counts
	counted   bool
	asleep    bool     // in MPI, also where it has not told what for
	lines     []string // of code that it is at, if they are wanted
}

// How long ranks may take to answer, and how often to see whether they have.
const (
	lookPatience = 100 * time.Millisecond
	lookEvery    = 2 * time.Millisecond
)

// look looks at all ranks, and calls a function then. stacks has it look at the lines of code as well, unless
// it looks already.
func (k *looker) look(stacks bool, then func(*looker)) {
	if k.then = append(k.then, then); len(k.then) > 1 {
		return
	}
	now := time.Now()
	*k = looker{asker: k.asker, number: k.number + 1, next: now.Add(lookEvery), until: now.Add(answerTime),
		ask: map[*world.Node]uint32{}, found: map[*world.Rank]hang.Rank{}, usage: map[*world.Rank]usage{},
		then: k.then, stacks: stacks, tables: k.tables}
	// Before those by which they are reached, who answer first.
	for _, h := range slices.Backward(k.asker.hosts.All) {
		if l := h.Link; l != nil && l.Greeted && !l.Gone {
			k.unsaid = append(k.unsaid, l)
			l.Send(&host.Frame{Kind: host.FrameLook, Rank: k.number, Flag: stacks})
		}
	}
	for _, r := range k.asker.table.Ranks {
		if s := r.Node.Segment; s != nil && r.InMPI() && !r.Exited {
			k.asked = append(k.asked, newAskee(r))
			if k.ask[r.Node] == 0 {
				k.ask[r.Node] = shm.AskReports(s)
			}
		}
	}
}

// due is when there is something to do, zero for never.
func (k *looker) due() time.Time {
	if len(k.then) == 0 || k.next.IsZero() {
		return time.Time{}
	}
	return k.next
}

// timer does what has become due.
func (k *looker) timer(now time.Time) {
	if t := k.due(); t.IsZero() || now.Before(t) {
		return
	}
	k.next = now.Add(lookEvery)
	late := now.After(k.until.Add(lookPatience - answerTime))
	if !k.taken && (late || !slices.ContainsFunc(k.asked, k.awaited)) {
		k.take()
	}
	if k.taken {
		k.next = k.until
		if len(k.unsaid) == 0 || !now.Before(k.until) {
			k.conclude()
		}
	}
}

// awaited reports whether a rank that was asked may still answer.
func (k *looker) awaited(a *askee) bool {
	return !a.rank.Exited && a.rank.Node.Segment != nil && a.awaited(k.ask[a.rank.Node])
}

// take notes what the ranks of this host have answered, and what they have used and done.
func (k *looker) take() {
	k.taken = true
	for _, r := range k.asker.table.Ranks {
		if r.Away() || r.Exited {
			continue
		}
		u := usageOf(r)
		t := told{rank: r}
		if !r.Finalized {
			t = k.asker.answer(r, k.ask[r.Node])
			k.told, k.found[r] = append(k.told, t), t.state()
		}
		if k.stacks {
			u.lines = k.lines(r, &t)
		}
		k.usage[r] = u
	}
}

// usageOf is what a rank of this host has used and done.
func usageOf(r *world.Rank) usage {
	pid := r.Process()
	u := usage{at: time.Duration(shm.Now()), processor: time.Duration(shm.ProcessTime(pid)),
		memory: process.ResidentMemory(pid)}
	if s := r.Node.Segment; s != nil && r.Begun {
		u.asleep = shm.Asleep(s, r.NodeRank)
		if g, err := shm.ReadGauges(s, r.NodeRank, pid, state.NumberOfGauges); err == nil {
			u.counts, u.counted = state.CountsOf(g), true
		}
	}
	return u
}

// conclude tells those who have asked.
func (k *looker) conclude() {
	done := *k
	*k = looker{asker: k.asker, number: k.number, tables: k.tables}
	for _, f := range done.then { // which may look again
		f(&done)
	}
}

// lost leaves a host out that nothing is heard of any more.
func (k *looker) lost(l *host.Link) {
	if i := slices.Index(k.unsaid, l); i >= 0 {
		k.unsaid = slices.Delete(k.unsaid, i, i+1)
		k.next = time.Now()
	}
}

// Looked is a proxy's answer to FrameLook.
func (a *Asker) Looked(f *host.Frame) {
	number := f.Rank
	a.looker.look(f.Flag, func(k *looker) {
		a.Up(&host.Frame{Kind: host.FrameLooked, Rank: number, Body: k.pack()})
	})
}

// pack is the body of that frame.
func (k *looker) pack() []byte {
	var p host.Packer
	p.Text(string(packStates(k.told)))
	p.Number(len(k.usage))
	for r, u := range k.usage {
		p.Numbers([]int{r.World.ID, r.Number, int(u.at), int(u.processor), int(u.memory)})
		p.Truth(u.counted)
		p.Truth(u.asleep)
		p.Texts(u.lines)
		c := u.counts
		p.Numbers([]int{int(c.Operations), int(c.Messages), int(c.Bytes), int(c.Waited), int(c.Sleeps)})
	}
	return p
}

// TakeLook takes in a proxy's answer.
func (a *Asker) TakeLook(l *host.Link, f *host.Frame) error {
	k := &a.looker
	if f.Rank != k.number || !slices.Contains(k.unsaid, l) {
		return nil // it comes too late
	}
	u := host.Unpacker{Rest: f.Body}
	states := host.Unpacker{Rest: []byte(u.Text())}
	if err := a.unpackStates(l, &states, k.found); err != nil {
		return err
	}
	for range u.Count() {
		who, counted, asleep, lines, c := u.Numbers(), u.Truth(), u.Truth(), u.Texts(), u.Numbers()
		if u.Err != nil || len(who) != 5 || len(c) != 5 {
			return host.ErrFrame
		}
		w := a.table.WorldNumbered(who[0])
		if w == nil {
			continue // it has ended
		}
		if r := w.RankNumbered(who[1]); r != nil && r.Node.Link() == l {
			k.usage[r] = usage{time.Duration(who[2]), time.Duration(who[3]), uint64(who[4]),
				state.Counts{Operations: uint64(c[0]), Messages: uint64(c[1]), Bytes: uint64(c[2]),
					Waited: uint64(c[3]), Sleeps: uint64(c[4])}, counted, asleep, lines}
		}
	}
	k.lost(l) // nothing more comes
	return u.Err
}

// sample is what has been found.
func (k *looker) sample() *live.Sample {
	s := &live.Sample{Pid: os.Getpid(), Command: process.CommandLine(os.Getpid())}
	for _, l := range k.unsaid {
		s.Silent = append(s.Silent, l.Host.Name)
	}
	all := k.asker.assemble(k.found)
	for i, r := range k.asker.table.Ranks {
		h, u := &all.Ranks[i], k.usage[r]
		one := live.Rank{World: h.World, Number: h.Number, Host: h.Host, Pid: h.Pid, At: u.at,
			Processor: u.processor, Memory: u.memory, Counts: u.counts, Counted: u.counted}
		one.State, one.Doing = liveState(h), h.Doing
		for _, w := range all.Waits(i) {
			// As old as it was when the rank told of it: it may have ended since.
			lasted := max(0, w.For-time.Duration(all.Now-h.State.Now))
			one.Waits = append(one.Waits, live.Wait{Call: w.Call, Place: w.Place, For: lasted, What: w.What})
			if w.Polls {
				one.State = live.Polling
			}
		}
		switch {
		case one.State == live.Waiting && len(one.Waits) == 0:
			one.State = live.Running // it polls, and does something in between
		case one.State == live.Running && u.asleep:
			one.State, one.Doing = live.Waiting, "waits for a moment at a time"
		}
		s.Ranks = append(s.Ranks, one)
	}
	return s
}

// liveState is the state of a rank by its phase.
func liveState(r *hang.Rank) live.State {
	switch r.Phase {
	case hang.Starting:
		return live.Starting
	case hang.Waiting:
		return live.Waiting
	case hang.Finished:
		return live.Finished
	case hang.Ended:
		return live.Ended
	}
	return live.Running
}

// answerLook answers who looks at the job, at that socket.
func (a *Asker) answerLook(fd int) {
	a.looker.look(false, func(k *looker) {
		text, err := json.Marshal(k.sample())
		if err == nil {
			write(fd, append(text, '\n'))
		}
		unix.Close(fd)
	})
}
