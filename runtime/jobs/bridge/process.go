package bridge

import (
	"bytes"
	"cmp"
	"sync"

	"gompi/runtime/group"
	"gompi/runtime/p2p"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Processes is the numbers of processes, of which groups consist: those of the own job their rank in it,
// those of other jobs the next ones, in the order in which they became known here. A number stands for the
// same process for ever. Which peer of the engine a process is depends on the bridge over which one of the
// communicators reaches it.
type Processes struct {
	Engine *p2p.Engine
	job    *group.Group // all ranks of the job
	rank   int          // job rank of this process

	mu      sync.Mutex           // taken under other locks, takes none
	remote  []transport.Identity // of other jobs, from number job.Size() on
	numbers map[transport.Identity]int32
}

// NewProcesses makes those of a job of which this process is a rank.
func NewProcesses(e *p2p.Engine, job *group.Group, rank int) *Processes {
	return &Processes{Engine: e, job: job, rank: rank}
}

// Rank is this process's job rank.
func (p *Processes) Rank() int { return p.rank }

// Job is the group of all ranks of the job.
func (p *Processes) Job() *group.Group { return p.job }

// Identity tells who the process with a number is, whichever process asks.
func (p *Processes) Identity(process int) transport.Identity {
	if process < p.job.Size() {
		home, _ := p.Engine.Home(p.rank)
		id := transport.Identity{Job: home.ID(), Rank: int32(process), Node: -1}
		if there, node := p.Engine.Home(process); there != nil {
			id.Node = int32(node)
		}
		return id
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.remote[process-p.job.Size()]
}

// number is that of a process, which becomes known by that.
func (p *Processes) number(id transport.Identity) int32 {
	if home, _ := p.Engine.Home(p.rank); id.Job == home.ID() {
		return id.Rank
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n, ok := p.numbers[id]
	if !ok {
		if p.numbers == nil {
			p.numbers = map[transport.Identity]int32{}
		}
		n = int32(p.job.Size() + len(p.remote))
		p.numbers[id] = n
		p.remote = append(p.remote, id)
	}
	return n
}

// Before orders processes the same on all.
func Before(a, b transport.Identity) int {
	if c := bytes.Compare(a.Job[:], b.Job[:]); c != 0 {
		return c
	}
	return cmp.Compare(a.Rank, b.Rank)
}

// First is the process of a group that comes before all others of it.
func (p *Processes) First(g *group.Group) transport.Identity {
	first := p.Identity(g.Of(0))
	for i := 1; i < g.Size(); i++ {
		if id := p.Identity(g.Of(i)); Before(id, first) < 0 {
			first = id
		}
	}
	return first
}

// AtHome reports whether all processes of a group are of this one's job.
func (p *Processes) AtHome(g *group.Group) bool {
	base, stride, table := g.Form()
	if table == nil {
		return g.Size() == 0 || max(base, base+stride*(g.Size()-1)) < p.job.Size()
	}
	for _, process := range table {
		if int(process) >= p.job.Size() {
			return false
		}
	}
	return true
}

// ComesSecond reports whether the own group of an intercommunicator comes after the remote one.
func (p *Processes) ComesSecond(own, remote *group.Group) bool {
	if p.AtHome(own) && p.AtHome(remote) {
		return remote.Of(0) < own.Of(0)
	}
	return Before(p.First(remote), p.First(own)) < 0
}

// PeersOf is how the engine reaches the ranks of a group of this job.
func PeersOf(g *group.Group) (p p2p.Peers) {
	p.Base, p.Stride, p.Table = g.Form()
	return p
}

// Parts sorts the processes of a group by their jobs; own is the number of the part that this one is in.
func (p *Processes) Parts(g *group.Group) (parts [][]int32, own int) {
	at := map[shm.JobID]int{}
	for i := range g.Size() {
		process := g.Of(i)
		job := p.Identity(process).Job
		n, ok := at[job]
		if !ok {
			n = len(parts)
			at[job], parts = n, append(parts, nil)
		}
		parts[n] = append(parts[n], int32(process))
		if process == p.rank {
			own = n
		}
	}
	return parts, own
}

// Span is processes of one job whose ranks there follow each other evenly.
type Span struct {
	Job                 shm.JobID // zero for this process's own
	First, Step, Length int
}

// Spans is the processes of a group, at most most spans of them; false when there are more.
func (p *Processes) Spans(g *group.Group, most int) (spans []Span, all bool) {
	own, _ := p.Engine.Home(p.rank)
	for i := range g.Size() {
		process := g.Of(i)
		next := Span{First: process, Length: 1}
		if process >= p.job.Size() {
			id := p.Identity(process)
			if next.First = int(id.Rank); id.Job != own.ID() {
				next.Job = id.Job
			}
		}
		if n := len(spans); n > 0 && spans[n-1].takes(next) {
			continue
		}
		if len(spans) == most {
			return nil, false
		}
		spans = append(spans, next)
	}
	return spans, true
}

// takes appends a process, if it follows evenly.
func (s *Span) takes(next Span) bool {
	if next.Job != s.Job || s.Length > 1 && next.First != s.First+s.Length*s.Step {
		return false
	}
	if s.Length == 1 {
		s.Step = next.First - s.First
	}
	s.Length++
	return true
}
