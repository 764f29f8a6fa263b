// Package hang says why a job does not go on: it puts together what the ranks tell (wire/state), shows it
// as a table, and names the cause in one sentence. It knows neither processes nor memory.
package hang

import (
	"slices"
	"time"

	"gompi/wire/state"
)

// Job is what is known of all ranks of a job at one time.
type Job struct {
	Now    uint64         // ns of shm.Now
	Worlds map[string]int // number of each world by its identity; 0 is that of the command line
	Ranks  []Rank

	index map[place]int // of Ranks, made when it is needed
}

// place is where a rank is found: its world and its number there.
type place struct{ world, number int }

// Rank is what is known of one rank.
type Rank struct {
	World, Number int
	Pid           int
	Host          string // where it runs, "" in a job of one machine
	Phase         Phase
	State         *state.Rank // nil unless the rank waits and has told
	Places        []string    // of the calls of its waits, such as "ring.c:12"; "" for one not known
	Doing         string      // of a rank that is Running, such as "uses its processor"; "" when it is not known
	// threads of the program that time or other processes may wake; 0 when others than those that wait in MPI
	// do not matter, or cannot be seen
	Threads int
}

// Phase is what a rank is doing.
type Phase uint8

// What ranks do.
const (
	Starting Phase = iota // it has not called MPI_Init yet, or is in it
	Running               // it computes, or has not told what it waits for
	Waiting               // it waits in MPI
	Finished              // it has left MPI
	Ended                 // its process has ended
)

// Hung reports whether the ranks have waited for that long and nothing can end that: nobody computes, and
// nobody waits for anything outside of the job.
func (j *Job) Hung(least time.Duration) bool {
	for i := range j.Ranks {
		if j.alive(i) {
			return false
		}
	}
	return j.stuck(least)
}

// alive reports whether a rank that waits has threads that do not wait in MPI.
func (j *Job) alive(i int) bool {
	r := &j.Ranks[i]
	return r.Phase == Waiting && r.Threads > len(r.State.Waits)
}

// stuck is Hung whatever threads do that do not wait in MPI.
func (j *Job) stuck(least time.Duration) bool {
	if j.partedFromAfar() {
		least = max(least, parting)
	}
	waiting := false
	for i := range j.Ranks {
		r := &j.Ranks[i]
		switch r.Phase {
		case Starting, Running:
			return false
		case Waiting:
			waiting = true
			if len(r.State.Waits) == 0 || r.Doing != "" {
				return false
			}
			for _, w := range r.State.Waits {
				if w.Asks > 0 && w.Still == 0 || j.still(&w) < least || j.open(i, &w) {
					return false
				}
			}
		}
	}
	return waiting && !j.flying()
}

// parting is how long what a rank has sent before it left may be on its way to another machine.
const parting = 2 * time.Second

// partedFromAfar reports whether a rank has left MPI while others wait on another machine.
func (j *Job) partedFromAfar() bool {
	waiting := map[string]bool{} // hosts
	for i := range j.Ranks {
		if r := &j.Ranks[i]; r.Phase == Waiting {
			waiting[r.Host] = true
		}
	}
	for i := range j.Ranks {
		r := &j.Ranks[i]
		if r.Phase >= Finished && (len(waiting) > 1 || len(waiting) == 1 && !waiting[r.Host]) {
			return true
		}
	}
	return false
}

// flying reports whether some message between machines has been sent and has not arrived. What ranks have
// counted that have left MPI is not known.
func (j *Job) flying() bool {
	left := map[int]bool{}
	sum := map[int]uint32{} // of a world
	for i := range j.Ranks {
		r := &j.Ranks[i]
		if r.State == nil {
			left[r.World] = true
			continue
		}
		sum[r.World] += r.State.Sent - r.State.Taken
	}
	for world, n := range sum {
		if n != 0 && !left[world] {
			return true
		}
	}
	return false
}

// settled is how long ranks have waited at least that hang: what ends a younger wait may be on its way.
const settled = 300 * time.Millisecond

// Awake is how long ago a rank last fell asleep, of those that wait: for so long none has moved.
func (j *Job) Awake() time.Duration {
	least := time.Duration(1<<63 - 1)
	for i := range j.Ranks {
		if s := j.Ranks[i].State; s != nil {
			for _, w := range s.Waits {
				least = min(least, j.still(&w))
			}
		}
	}
	return least
}

// Polls reports whether a rank polls.
func (j *Job) Polls() bool {
	asks := func(w state.Wait) bool { return w.Asks > 0 }
	return slices.ContainsFunc(j.Ranks, func(r Rank) bool {
		return r.State != nil && slices.ContainsFunc(r.State.Waits, asks)
	})
}

// lasted is how long a wait has lasted.
func (j *Job) lasted(w *state.Wait) time.Duration { return j.ago(w.Since) }

// still is for how long a rank that waits has done nothing else.
func (j *Job) still(w *state.Wait) time.Duration {
	if w.Asks > 0 {
		return min(j.ago(w.Since), j.ago(w.Still))
	}
	return j.ago(w.Since)
}

// ago is how long ago a time was; 0 for one that is not known.
func (j *Job) ago(t uint64) time.Duration {
	if t == 0 || t > j.Now {
		return 0
	}
	return time.Duration(j.Now - t)
}

// open reports whether a wait may be ended by somebody who is not of this job.
func (j *Job) open(i int, w *state.Wait) bool {
	outside := 0
	for k := range w.Needs {
		n := &w.Needs[k]
		alone := n.Kind == state.Completion && j.Ranks[i].Threads > 0 && !j.alive(i)
		if n.Kind == state.Elsewhere || n.Kind == state.Completion && !alone || j.foreign(i, n) {
			if w.Any {
				return true
			}
			outside++
		}
	}
	return outside > 0 && outside == len(w.Needs)
}

// foreign reports whether a need is for ranks of jobs that this launcher does not know.
func (j *Job) foreign(i int, n *state.Need) bool {
	c := j.commOf(i, n)
	if c == nil {
		return false
	}
	for _, spans := range [][]state.Span{c.Members, c.Targets} {
		for _, s := range spans {
			if _, ok := j.Worlds[s.Job]; s.Job != "" && !ok {
				return true
			}
		}
	}
	return false
}

// commOf is the communicator of a need of rank i; nil when it has none.
func (j *Job) commOf(i int, n *state.Need) *state.Comm {
	if !n.OfComm() {
		return nil
	}
	return &j.Ranks[i].State.Comms[n.Comm]
}

// find is the index of a rank of a world, -1 when there is none.
func (j *Job) find(world, number int) int {
	if j.index == nil {
		j.index = make(map[place]int, len(j.Ranks))
		for i := range j.Ranks {
			j.index[place{j.Ranks[i].World, j.Ranks[i].Number}] = i
		}
	}
	if i, ok := j.index[place{world, number}]; ok {
		return i
	}
	return -1
}

// members is the indices of the processes in spans, as rank i names them; -1 for one that is not known.
func (j *Job) members(i int, spans []state.Span) (all []int) {
	for _, s := range spans {
		world, known := j.Ranks[i].World, true
		if s.Job != "" {
			world, known = j.Worlds[s.Job]
		}
		for k := range min(max(s.Length, 0), int32(len(j.Ranks))) {
			at := -1
			if known {
				at = j.find(world, int(s.First+k*s.Step))
			}
			all = append(all, at)
		}
	}
	return all
}

// targets is whom ranks of a communicator name in messages, and those of the collectives of one group.
func (j *Job) targets(i int, c *state.Comm, kind state.Kind) []int {
	if c.Inter && kind != state.Collective {
		return j.members(i, c.Targets)
	}
	return j.members(i, c.Members)
}

// wanted is the indices of the ranks that rank i needs.
func (j *Job) wanted(i int, n *state.Need) (all []int) {
	c := j.commOf(i, n)
	if c == nil {
		return nil
	}
	of := j.targets(i, c, n.Kind)
	add := func(r int32) {
		if r >= 0 && int(r) < len(of) && of[r] >= 0 {
			all = append(all, of[r])
		}
	}
	switch n.Kind {
	case state.Partition:
		return []int{i}
	case state.Collective, state.Window, state.WindowLock:
		for _, r := range n.Absent {
			add(r)
		}
	default:
		if n.Peer >= 0 {
			add(n.Peer)
			break
		}
		for r, at := range of {
			if at != i {
				add(int32(r))
			}
		}
	}
	return all
}
