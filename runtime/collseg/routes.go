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

// Route is how long data goes.
type Route uint8

// The routes.
const (
	Shared Route = iota // through cells or chunks
	Single              // read out of its owner's memory
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
	routeClasses    = 8
	leastRouteClass = 16 // binary logarithm of the largest size of the first class
)

var _ = [1]struct{}{}[(64-int(kinds)*routeClasses)>>63] // the bits of one word tell all choices

// routes is what a rank knows of the routes for operations in which it decides.
type routes struct {
	sizes [kinds]tune.Sizes
	told  uint64 // what the others read: a bit for each class of each kind that goes the second route
}

// Measured is an operation while it is measured.
type Measured struct {
	choice  *tune.Choice
	route   Route
	bytes   int64
	since   uint64
	on      *Node
	touches uint32 // those of the node when it began
}

// PinRoute has all long data that can go by one route from now on, or by the quickest if pinned is false.
func (a *Segment) PinRoute(w Route, pinned bool) { a.route, a.pinned = w, pinned }

// Pinned reports whether the route is pinned.
func (a *Segment) Pinned() bool { return a.pinned }

// PerCore is how many ranks of the node are on a core; more than 1 if they share cores.
func (a *Segment) PerCore() int { return a.perCore }

// Crowded reports whether ranks share cores.
func (a *Segment) Crowded() bool { return a.perCore > 1 }

// Chooses reports whether long data may go by either route here.
func (a *Segment) Chooses() bool { return a.direct && (!a.pinned || a.route == Single) }

// routeBit is the bit for operations of a kind on n bytes.
func routeBit(k Kind, n int64) uint64 {
	s := tune.Sizes{Least: leastRouteClass}
	return 1 << (int(k)*routeClasses + min(s.Index(n), routeClasses-1))
}

// PickRoute chooses the route for an operation of a kind on n bytes in which this rank decides, and tells the
// others. It begins with the route first. The operation is to be measured if m is not the zero value.
func (a *Segment) PickRoute(k Kind, n int64, first Route) (w Route, m Measured) {
	if w, only := a.onlyRoute(n, first); only {
		return w, m
	}
	if a.routes == nil {
		a.routes = new(routes)
		for i := range a.routes.sizes {
			a.routes.sizes[i].Least = leastRouteClass
		}
	}
	c := a.routes.sizes[k].Of(min(n, 1<<(leastRouteClass+routeClasses-1)))
	w = Route(c.Pick(1<<Shared|1<<Single, int(first)))
	told, bit := a.routes.told&^routeBit(k, n), routeBit(k, n)
	if w != first {
		told |= bit
	}
	if told != a.routes.told {
		a.routes.told = told
		shm.StoreRel64(shm.Word64(a.Peer(a.Me).Base+shm.CollRoutes), told)
	}
	if c.Measures() {
		m = Measured{c, w, n, shm.Now(), a.on, a.on.touches.Load()}
	}
	return w, m
}

// ToldRoute is the route that rank r has told for operations in which it decides.
func (a *Segment) ToldRoute(r int, k Kind, n int64, first Route) Route {
	w, only := a.onlyRoute(n, first)
	if !only && atomic.LoadUint64(shm.Word64(a.Peer(uint32(r)).Base+shm.CollRoutes))&routeBit(k, n) != 0 {
		return Single - first
	}
	return w
}

// onlyRoute is the route for n bytes if there is no choice, else first.
func (a *Segment) onlyRoute(n int64, first Route) (w Route, only bool) {
	switch {
	case !a.Chooses():
		return Shared, true
	case n <= LeastSingle:
		return first, true
	case a.pinned:
		return a.route, true
	}
	return first, false
}

// On reports whether the operation is measured.
func (m *Measured) On() bool { return m.choice != nil }

// Skip leaves the time since then out, for which this rank has waited for others to come, by shm.Now.
func (m *Measured) Skip(since uint64) { m.since += shm.Now() - since }

// End says that the operation is over. One that has touched a part of a chunk area for the first time is not
// counted.
func (m *Measured) End() {
	switch {
	case !m.On():
		return
	case m.on.touches.Load() != m.touches:
		m.choice.Pass(int(m.route))
	default:
		m.choice.Note(int(m.route), float64(shm.Now()-m.since)/float64(m.bytes))
	}
	m.choice = nil
}
