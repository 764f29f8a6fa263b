// Package world is what the launcher knows of its ranks: worlds, their nodes and ranks, and the connections
// by which ranks speak the start-up protocol. It decides nothing.
package world

import (
	"encoding/hex"
	"strconv"
	"time"

	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"
)

// World is one group of ranks that start together and share MPI_COMM_WORLD: its members, the values that they
// publish to each other, and their barrier. A job begins with one; programs that a running rank spawns are
// another.
//
// Worlds live and end by themselves, except those that are connected (MPI 5.0, 11.10.4): when a rank of one
// fails, all of them end.
type World struct {
	ID         int        // 0 for that of the command line
	Host       *host.Host // of all its ranks; nil when the job's plan places them
	KVSName    string
	Apps       []process.App
	Nodes      []*Node
	Ranks      []*Rank
	Values     map[string]string
	Fresh      map[string]string // put since the last barrier; nil when all ranks are here
	Refused    error             // why a host does not start its ranks
	Arrivals   int               // how many ranks are waited for at the barrier, on this host
	Universe   int
	AtBarrier  int
	Inside     int       // ranks that have begun MPI
	Resting    int       // ranks that are at its end and have not used the network
	Network    bool      // ranks were told that it is used
	Identity   shm.JobID // that the segments of all machines have; zero on one machine
	WithoutMPI []int     // ranks that ended well without ever having begun MPI
	Living     int       // children of ours not waited for yet
	ending

	// Of a world that was spawned.
	Spawned bool
	Parent  *World
	Asker   *Rank  // waits to hear that all have begun MPI; nil when it has heard
	Port    string // of the asker, where these connect to
	Linked  int    // ranks that have connected to the parent, or have ended
}

// New makes a world of the given programs, without processes.
func New(id int, apps []process.App, universe int) *World {
	w := &World{ID: id, KVSName: "kvs_" + strconv.Itoa(id), Apps: apps, Universe: universe,
		Values: map[string]string{}}
	w.Values[pmi.MappingKey] = pmi.FormatMapping(make([]int, w.Size()))
	w.Arrivals = w.Size()
	return w
}

// Put enters a value.
func (w *World) Put(key, value string) {
	w.Values[key] = value
	if w.Fresh != nil {
		w.Fresh[key] = value
	}
}

// Abroad reports whether some of its ranks are on other hosts.
func (w *World) Abroad() bool {
	for _, n := range w.Nodes {
		if n.Link() != nil {
			return true
		}
	}
	return false
}

// Tell sends a frame to all other hosts where the world has ranks.
func (w *World) Tell(f *host.Frame) {
	f.World = w.ID
	for _, n := range w.Nodes {
		if l := n.Link(); l != nil {
			l.Send(f)
		}
	}
}

// Size is how many ranks the world has once all are started.
func (w *World) Size() int {
	n := 0
	for i := range w.Apps {
		n += w.Apps[i].Ranks
	}
	return n
}

// Arrive counts n ranks in at the barrier and returns true when none is missing any more.
func (w *World) Arrive(n int) bool {
	w.AtBarrier += n
	if w.AtBarrier < w.Arrivals {
		return false
	}
	w.AtBarrier = 0
	return true
}

// ending is how far a world is on its way out, and why.
type ending struct {
	Failing   bool      // some rank has failed, of this world or of one that is connected with it
	Asked     bool      // its ranks have been asked to go
	KillAt    time.Time // when those that still live are killed, zero for never
	Wrapped   *Rank     // the first rank whose program ended below a wrapper script that goes on
	WrapperAt time.Time // when that script must have ended, zero for never
	Victim    *Rank     // the first rank that died of a signal which the user may have sent to all
	Victims   []*Rank   // the next ones, where the job survives deaths
	VictimAt  time.Time // when that signal must have reached the launcher
}

// Is reports whether the world is the job of that identity, in hexadecimal digits.
func (w *World) Is(identity string) bool {
	for _, n := range w.Nodes {
		if n.Identity() == identity {
			return true
		}
	}
	return false
}

// Identity is that of the node's segment, in hexadecimal digits; "" when there is none.
func (n *Node) Identity() string {
	if n.Segment == nil {
		return n.ID
	}
	id := n.Segment.ID()
	return hex.EncodeToString(id[:])
}

// Close gives up the memory and the descriptors of a world that has ended. It returns false as long as a
// process that one of its ranks has left behind may still write.
func (w *World) Close() bool {
	all := true
	for _, r := range w.Ranks {
		r.Conn.Close()
		for s := range r.streams {
			if s.Pending() {
				all = false
			}
		}
	}
	for _, n := range w.Nodes {
		if n.Segment != nil {
			n.Segment.Close()
			n.Segment = nil
		}
	}
	return all
}
