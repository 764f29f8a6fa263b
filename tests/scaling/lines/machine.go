// Package lines counts the cache lines that pass between ranks. The ranks are goroutines of which one runs at
// a time, in an order that is the same in each run, and so are the counts. Package fast tells of each access
// to shared memory when it is built with the overlay of package scaling.
//
// The model is that of coherent caches of unlimited size. A line is in the caches of those who have read it
// since it was written. Who reads a line that somebody else has written fetches it. Who writes a line that
// others have takes it from them.
package lines

import "gompi/shm"

// Count is what a rank has done.
type Count struct {
	Fetched int // lines read that another rank had written
	Taken   int // lines written that were in other caches
	Wakes   int // ranks woken
	Naps    int // times that nobody woke the rank and time did
	Copied  int // bytes copied from, to or within shared memory
}

// line is a line of shared memory.
type line struct {
	writers set  // ranks that have ever written it
	holders set  // ranks in whose caches it is
	dirty   bool // somebody has written it
}

// set is a set of ranks.
type set [2]uint64

// MaxRanks is how many ranks a machine has at most.
const MaxRanks = 128

func (s *set) has(r int) bool { return s[r/64]>>(r%64)&1 != 0 }
func (s *set) add(r int)      { s[r/64] |= 1 << (r % 64) }
func (s *set) size() (n int) {
	for r := range MaxRanks {
		if s.has(r) {
			n++
		}
	}
	return n
}

// region is a stretch of shared memory.
type region struct{ from, to uintptr }

// Machine is ranks and the memory that they share.
type Machine struct {
	Sleeps bool   // a rank that waits sleeps until somebody wakes it
	Drawn  uint32 // not 0: the next rank is drawn by this number, the last one drawn

	regions []region
	lines   map[uintptr]*line
	counts  []Count
	bells   []*uint32
	ranks   ranks
}

// New makes a machine whose ranks sleep at those bells. It is the one that accesses are counted for.
func New(bells []*uint32) *Machine {
	m := &Machine{lines: map[uintptr]*line{}, counts: make([]Count, len(bells)), bells: bells}
	running = m
	return m
}

// running is the machine whose ranks run, one at a time.
var running *Machine

// Share says that a stretch of memory is shared.
func (m *Machine) Share(at, size uintptr) { m.regions = append(m.regions, region{at, at + size}) }

// Reset begins to count from nothing; what is in which cache stays.
func (m *Machine) Reset() { clear(m.counts) }

// Of is what rank r has done.
func (m *Machine) Of(r int) Count { return m.counts[r] }

// Most is the greatest of each count among the ranks.
func (m *Machine) Most() (most Count) {
	for _, c := range m.counts {
		most.Fetched, most.Taken = max(most.Fetched, c.Fetched), max(most.Taken, c.Taken)
		most.Wakes, most.Naps = max(most.Wakes, c.Wakes), max(most.Naps, c.Naps)
		most.Copied = max(most.Copied, c.Copied)
	}
	return most
}

// Writers is how many ranks have written the line that most have written.
func (m *Machine) Writers() (n int) {
	for _, l := range m.lines {
		n = max(n, l.writers.size())
	}
	return n
}

// shared reports whether an address is in shared memory.
func (m *Machine) shared(at uintptr) bool {
	for _, r := range m.regions {
		if r.from <= at && at < r.to {
			return true
		}
	}
	return false
}

// at is the line of an address; nil when it is not shared.
func (m *Machine) at(addr uintptr) *line {
	if m == nil || !m.shared(addr) {
		return nil
	}
	number := addr / shm.CacheLine
	l := m.lines[number]
	if l == nil {
		l = new(line)
		m.lines[number] = l
	}
	return l
}

// reads counts that the rank that runs reads at an address.
func (m *Machine) reads(addr uintptr) {
	l := m.at(addr)
	if l == nil || l.holders.has(m.ranks.now) {
		return
	}
	l.holders.add(m.ranks.now)
	if l.dirty { // nobody has written what is read for the first time
		m.counts[m.ranks.now].Fetched++
	}
}

// writes counts that the rank that runs writes at an address.
func (m *Machine) writes(addr uintptr) {
	l := m.at(addr)
	if l == nil {
		return
	}
	alone := set{}
	alone.add(m.ranks.now)
	if l.holders != alone && l.holders != (set{}) {
		m.counts[m.ranks.now].Taken++
	}
	l.dirty = true
	l.holders = alone
	l.writers.add(m.ranks.now)
}

// each calls count for each line of n bytes.
func (m *Machine) each(addr uintptr, n uint64, count func(addr uintptr)) {
	if n == 0 || m == nil || !m.shared(addr) {
		return
	}
	for at := addr &^ (shm.CacheLine - 1); at < addr+uintptr(n); at += shm.CacheLine {
		count(at)
	}
	m.counts[m.ranks.now].Copied += int(n)
}

// Bell is where rank r sleeps.
func (m *Machine) Bell(r int) *uint32 { return m.bells[r] }
