package launch

import (
	"strconv"

	"gompi/launch/pmi"
)

// world is one group of ranks that start together and share MPI_COMM_WORLD: its members, the values that they
// publish to each other, and their barrier. A job begins with one; programs that a running rank spawns are another.
type world struct {
	kvsName   string
	ranks     []*rank
	kvs       map[string]string
	universe  int
	atBarrier int
	inside    int   // ranks that have begun MPI
	strangers []int // ranks that ended well without ever having begun MPI
}

// newWorld makes a world whose ranks are placed on the given nodes, one entry per rank.
func newWorld(id int, nodes []int, universe int) *world {
	return &world{
		kvsName:  "kvs_" + strconv.Itoa(id),
		ranks:    make([]*rank, 0, len(nodes)),
		kvs:      map[string]string{pmi.MappingKey: pmi.FormatMapping(nodes)},
		universe: universe,
	}
}

// arrive counts one rank in at the barrier and returns true when it is the last.
func (w *world) arrive() bool {
	w.atBarrier++
	if w.atBarrier < len(w.ranks) {
		return false
	}
	w.atBarrier = 0
	return true
}
