package launch

import (
	"strconv"

	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"
)

// world is one group of ranks that start together and share MPI_COMM_WORLD: its members, the values that they
// publish to each other, and their barrier. A job begins with one; programs that a running rank spawns are
// another.
//
// Worlds live and end by themselves, except those that are connected (MPI 5.0, 11.10.4): when a rank of one
// fails, all of them end.
type world struct {
	id         int        // 0 for that of the command line
	host       *host.Host // of all its ranks; nil when the job's plan places them
	kvsName    string
	apps       []process.App
	nodes      []*node
	ranks      []*rank
	kvs        map[string]string
	fresh      map[string]string // put since the last barrier; nil when all ranks are here
	refused    error             // why a host does not start its ranks
	arrivals   int               // how many ranks are waited for at the barrier, on this host
	universe   int
	atBarrier  int
	inside     int       // ranks that have begun MPI
	resting    int       // ranks that are at its end and have not used the network
	network    bool      // ranks were told that it is used
	identity   shm.JobID // that the segments of all machines have; zero on one machine
	withoutMPI []int     // ranks that ended well without ever having begun MPI
	living     int       // children of ours not waited for yet
	ending

	// Of a world that was spawned.
	spawned bool
	parent  *world
	asker   *rank  // waits to hear that all have begun MPI; nil when it has heard
	port    string // of the asker, where these connect to
	linked  int    // ranks that have connected to the parent, or have ended
}

// newWorld makes a world of the given programs, without processes.
func newWorld(id int, apps []process.App, universe int) *world {
	w := &world{id: id, kvsName: "kvs_" + strconv.Itoa(id), apps: apps, universe: universe,
		kvs: map[string]string{}}
	w.kvs[pmi.MappingKey] = pmi.FormatMapping(make([]int, w.size()))
	w.arrivals = w.size()
	return w
}

// put enters a value.
func (w *world) put(key, value string) {
	w.kvs[key] = value
	if w.fresh != nil {
		w.fresh[key] = value
	}
}

// abroad reports whether some of its ranks are on other hosts.
func (w *world) abroad() bool {
	for _, n := range w.nodes {
		if n.link() != nil {
			return true
		}
	}
	return false
}

// tell sends a frame to all other hosts where the world has ranks.
func (w *world) tell(f *host.Frame) {
	f.World = w.id
	for _, n := range w.nodes {
		if l := n.link(); l != nil {
			l.Send(f)
		}
	}
}

// size is how many ranks the world has once all are started.
func (w *world) size() int {
	n := 0
	for i := range w.apps {
		n += w.apps[i].Ranks
	}
	return n
}

// arrive counts n ranks in at the barrier and returns true when none is missing any more.
func (w *world) arrive(n int) bool {
	w.atBarrier += n
	if w.atBarrier < w.arrivals {
		return false
	}
	w.atBarrier = 0
	return true
}

// connected lists the worlds that end together with w, itself included.
func (j *job) connected(w *world) []*world {
	group := []*world{w}
	member := map[*world]bool{w: true}
	for i := 0; i < len(group); i++ {
		for _, other := range j.worlds {
			if !member[other] && joined(group[i], other) {
				member[other] = true
				group = append(group, other)
			}
		}
	}
	return group
}

// joined reports whether some communicator connects two worlds, or is about to.
func joined(a, b *world) bool {
	for _, w := range [2][2]*world{{a, b}, {b, a}} {
		if w[0].parent == w[1] && w[0].linked < w[0].size() {
			return true // a rank that has just been started connects to who asked for it
		}
		for _, r := range w[0].ranks {
			if r.links[w[1]] {
				return true
			}
		}
	}
	return false
}
