package collseg

import (
	"sync/atomic"

	"gompi/runtime/tune"
	"gompi/shm"
)

// Long data goes through the memory of the segments, copied in and out, or is read out of its owner's memory
// by one copy of the kernel. Which is the quicker depends on the processor and on where the ranks are on it,
// so it is measured. One rank decides: the root, or rank 0 where there is none. It measures operations as a
// whole, and tells the others by a word of its segment. Each rank goes by what it reads there, and says in
// its cell how its data goes. So those who read need not agree with it.

// Way is how long data goes.
type Way uint8

// The ways.
const (
	Shared Way = iota // through cells or chunks
	Single            // read out of its owner's memory
)

// Kind is a kind of operation; each has choices of its own, by size.
type Kind uint8

// The kinds.
const (
	Bcasts Kind = iota
	Gathers
	Gathervs
	Scatters
	Allgathers
	Alltoalls
	Reduces
	Allreduces
	kinds
)

// LeastSingle is the size in bytes up to which nothing is measured: to look up a page of another process
// takes as long as to copy it.
const LeastSingle = 32 << 10

// Classes of sizes are those of tune.Sizes, but that all from the last one on are one.
const (
	wayClasses    = 8
	leastWayClass = 16 // binary logarithm of the largest size of the first class
)

var _ = [1]struct{}{}[(64-int(kinds)*wayClasses)>>63] // the bits of one word tell all choices

// ways is what a rank knows of the ways for operations in which it decides.
type ways struct {
	sizes [kinds]tune.Sizes
	told  uint64 // what the others read: a bit for each class of each kind that goes the second way
}

// Measured is an operation while it is measured.
type Measured struct {
	choice *tune.Choice
	way    Way
	bytes  int64
	since  uint64
}

// rooted reports whether one rank of an operation has all data, or gets it. Where ranks share cores it waits
// for its turn or lets others wait, and a measurement costs another turn: there is no measuring then.
func (k Kind) rooted() bool { return k <= Scatters || k == Reduces }

// PinWay has all long data go one way from now on that can, or the quickest if pinned is false.
func (a *Segment) PinWay(w Way, pinned bool) { a.way, a.pinned = w, pinned }

// PerCore is how many ranks of the node are on a core; more than 1 if they share cores.
func (a *Segment) PerCore() int { return a.perCore }

// Crowded reports whether ranks share cores.
func (a *Segment) Crowded() bool { return a.perCore > 1 }

// Chooses reports whether long data may go either way here.
func (a *Segment) Chooses() bool { return a.direct && (!a.pinned || a.way == Single) }

// ChoosesAll is Chooses for data of operations with and without a root.
func (a *Segment) ChoosesAll() bool { return a.Chooses() && (!a.Crowded() || a.pinned) }

// wayBit is the bit for operations of a kind on n bytes.
func wayBit(k Kind, n int64) uint64 {
	s := tune.Sizes{Least: leastWayClass}
	return 1 << (int(k)*wayClasses + min(s.Index(n), wayClasses-1))
}

// PickWay chooses the way for an operation of a kind on n bytes in which this rank decides, and tells the
// others. It begins with the way first. The operation is to be measured if m is not the zero value.
func (a *Segment) PickWay(k Kind, n int64, first Way) (w Way, m Measured) {
	if w, only := a.onlyWay(k, n, first); only {
		return w, m
	}
	if a.ways == nil {
		a.ways = new(ways)
		for i := range a.ways.sizes {
			a.ways.sizes[i].Least = leastWayClass
		}
	}
	c := a.ways.sizes[k].Of(min(n, 1<<(leastWayClass+wayClasses-1)))
	w = Way(c.Pick(1<<Shared|1<<Single, int(first)))
	told, bit := a.ways.told&^wayBit(k, n), wayBit(k, n)
	if w != first {
		told |= bit
	}
	if told != a.ways.told {
		a.ways.told = told
		shm.StoreRel64(shm.Word64(a.Peer(a.Me).Base+shm.CollWays), told)
	}
	if c.Measures() {
		m = Measured{c, w, n, shm.Now()}
	}
	return w, m
}

// ToldWay is the way that rank r has told for operations in which it decides.
func (a *Segment) ToldWay(r int, k Kind, n int64, first Way) Way {
	w, only := a.onlyWay(k, n, first)
	if !only && atomic.LoadUint64(shm.Word64(a.Peer(uint32(r)).Base+shm.CollWays))&wayBit(k, n) != 0 {
		return Single - first
	}
	return w
}

// onlyWay is the way for n bytes in an operation of a kind if there is no choice, else first.
func (a *Segment) onlyWay(k Kind, n int64, first Way) (w Way, only bool) {
	switch {
	case !a.Chooses():
		return Shared, true
	case n <= LeastSingle:
		return first, true
	case a.pinned:
		return a.way, true
	case a.Crowded() && k.rooted():
		return first, true
	}
	return first, false
}

// On reports whether the operation is measured.
func (m *Measured) On() bool { return m.choice != nil }

// Skip leaves the time since then out, for which this rank has waited for others to come, by shm.Now.
func (m *Measured) Skip(since uint64) { m.since += shm.Now() - since }

// End says that the operation is over.
func (m *Measured) End() {
	if m.On() {
		m.choice.Note(int(m.way), float64(shm.Now()-m.since)/float64(m.bytes))
		m.choice = nil
	}
}
