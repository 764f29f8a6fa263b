package timeline

import (
	"cmp"
	"math/bits"
	"slices"
)

// Profile is what a user wants to know of a run first.
type Profile struct {
	Length      int64 // of the run, ns
	Ranks       []RankTime
	Calls       []CallTime // what took longest comes first
	Waits       []Wait     // the longest first
	Collectives []Imbalance
	Sizes       []Size
	Messages    int
	Bytes       int64
	Lost        int64
}

// RankTime is how a rank has spent its time.
type RankTime struct {
	Process
	Length, Inside, Waited int64 // from its first to its last call; in MPI; of that, for a rank that was late
	Calls                  int
	Caused                 int64  // waits of others
	Open                   string // the call within which it ended, if it did
}

// CallTime is one function on all ranks.
type CallTime struct {
	Name                  string
	Calls                 int
	Time, Longest, Waited int64
	Least, Most           int64 // time of the rank that spent least and most in it
	MostRank              int
	perRank               []int64
}

// Wait is what one rank waited for another one, for one reason.
type Wait struct {
	Who, For int
	Why      string
	Time     int64
	Times    int
	Call     string // in which it waited longest
	calls    map[string]int64
}

// Imbalance is how far apart ranks enter a collective function.
type Imbalance struct {
	Name             string
	Operations       int
	Mean, Most       int64 // ns from the first to the last rank
	Last, LastShares int   // the rank that was last most often, and how often
	lasts            map[int]int
	sum              int64
}

// Size counts messages of up to Most bytes.
type Size struct {
	Least, Most int64
	Messages    int
	Bytes       int64
}

// Profile adds the run up.
func (r *Run) Profile() *Profile {
	p := &Profile{Ranks: make([]RankTime, len(r.Processes))}
	for i := range r.Processes {
		p.Ranks[i].Process = r.Processes[i]
		p.Lost += r.Processes[i].Lost
	}
	p.addEvents(r)
	p.addWaits(r)
	p.addCollectives(r)
	sizes := map[int]*Size{}
	for i := range r.Messages {
		m := &r.Messages[i]
		class := bits.Len64(uint64(max(m.Bytes-1, 0)))
		if m.Bytes == 0 {
			class = -1
		}
		if sizes[class] == nil {
			sizes[class] = &Size{}
			if class >= 0 {
				sizes[class].Least, sizes[class].Most = 1<<class/2+1, 1<<class
			}
		}
		sizes[class].Messages++
		sizes[class].Bytes += m.Bytes
		p.Messages++
		p.Bytes += m.Bytes
	}
	for _, s := range sizes {
		p.Sizes = append(p.Sizes, *s)
	}
	slices.SortFunc(p.Sizes, func(a, b Size) int { return cmp.Compare(a.Most, b.Most) })
	return p
}

func (p *Profile) addEvents(r *Run) {
	calls := map[string]*CallTime{}
	type place struct{ process, thread int }
	outer := map[place]int64{}           // when the outermost call of a thread ends
	first := make([]int64, len(p.Ranks)) // plus 1
	for i := range r.Events {
		e := &r.Events[i]
		rank := &p.Ranks[e.Process]
		rank.Calls += e.Calls
		if first[e.Process] == 0 {
			first[e.Process] = e.Begin + 1
		}
		rank.Length = max(rank.Length, e.End-first[e.Process]+1)
		p.Length = max(p.Length, e.End)
		if e.Unfinished {
			rank.Open = e.Name
		}
		if at := (place{e.Process, e.Thread}); e.Begin >= outer[at] { // not within another call
			rank.Inside += e.Inside
			outer[at] = e.End
		}
		c := calls[e.Name]
		if c == nil {
			c = &CallTime{Name: e.Name, perRank: make([]int64, len(p.Ranks))}
			calls[e.Name] = c
		}
		c.Calls += e.Calls
		c.Time += e.Inside
		c.Waited += e.Wait
		if e.Calls == 1 {
			c.Longest = max(c.Longest, e.Inside)
		}
		c.perRank[e.Process] += e.Inside
	}
	for _, c := range calls {
		c.Least, c.Most = slices.Min(c.perRank), slices.Max(c.perRank)
		c.MostRank = slices.Index(c.perRank, c.Most)
		p.Calls = append(p.Calls, *c)
	}
	slices.SortFunc(p.Calls, func(a, b CallTime) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
	})
}

func (p *Profile) addWaits(r *Run) {
	type pair struct {
		who, cause int
		why        string
	}
	all := map[pair]*Wait{}
	for i := range r.Events {
		e := &r.Events[i]
		if e.For < 0 {
			continue
		}
		p.Ranks[e.Process].Waited += e.Wait
		p.Ranks[e.For].Caused += e.Wait
		key := pair{e.Process, e.For, e.Why}
		if all[key] == nil {
			all[key] = &Wait{Who: e.Process, For: e.For, Why: e.Why, calls: map[string]int64{}}
		}
		w := all[key]
		w.Time += e.Wait
		w.Times++
		w.calls[e.Name] += e.Wait
	}
	for _, w := range all {
		for name, time := range w.calls {
			if best := w.calls[w.Call]; time > best || time == best && name < w.Call {
				w.Call = name
			}
		}
		p.Waits = append(p.Waits, *w)
	}
	slices.SortFunc(p.Waits, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Who, b.Who), cmp.Compare(a.For, b.For),
			cmp.Compare(a.Why, b.Why))
	})
}

func (p *Profile) addCollectives(r *Run) {
	type instance struct {
		name        string
		first, last int64
		who, ranks  int
	}
	all := map[int]*instance{}
	for i := range r.Events {
		e := &r.Events[i]
		if e.Instance == 0 {
			continue
		}
		x := all[e.Instance]
		if x == nil {
			x = &instance{name: e.Name, first: e.Begin, last: e.Begin, who: e.Process}
			all[e.Instance] = x
		}
		x.ranks++
		x.first = min(x.first, e.Begin)
		if e.Begin > x.last {
			x.last, x.who = e.Begin, e.Process
		}
	}
	byName := map[string]*Imbalance{}
	for _, x := range all {
		if x.ranks < 2 {
			continue
		}
		b := byName[x.name]
		if b == nil {
			b = &Imbalance{Name: x.name, lasts: map[int]int{}}
			byName[x.name] = b
		}
		b.Operations++
		b.sum += x.last - x.first
		b.Most = max(b.Most, x.last-x.first)
		b.lasts[x.who]++
	}
	for _, b := range byName {
		b.Mean = b.sum / int64(b.Operations)
		for who, times := range b.lasts {
			if times > b.LastShares || times == b.LastShares && who < b.Last {
				b.Last, b.LastShares = who, times
			}
		}
		p.Collectives = append(p.Collectives, *b)
	}
	slices.SortFunc(p.Collectives, func(a, b Imbalance) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.Name, b.Name))
	})
}
