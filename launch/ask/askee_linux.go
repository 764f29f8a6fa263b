package ask

import (
	"sync/atomic"
	"time"

	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
)

// askee is a rank from which an answer may come.
type askee struct {
	rank   *world.Rank
	waits  bool          // it has been found asleep in MPI
	polls  bool          // it has asked for something in vain before
	used   time.Duration // the processor time of its process when it was asked
	looked time.Time     // when it was looked at last how that has grown
	idle   int           // how often in a row it has been found asleep elsewhere
}

func newAskee(r *world.Rank) *askee {
	return &askee{rank: r, polls: atomic.LoadUint32(shm.Asks(r.Node.Segment, r.NodeRank)) != 0,
		used: process.ProcessorTime(r.Process()), looked: time.Now()}
}

// awaited reports whether an answer to the question of that number is still to be waited for. A rank that
// waits in MPI may be awake just now, and on a busy machine for long without a processor: it is given up when
// it has used one for longer than a wait stays awake, or sleeps elsewhere. One that polls sleeps elsewhere.
func (a *askee) awaited(number uint32) bool {
	s, r := a.rank.Node.Segment, a.rank
	if shm.Reported(s, r.NodeRank, number) {
		return false
	}
	if a.waits = a.waits || shm.Asleep(s, r.NodeRank); a.waits {
		return true
	}
	const every, often, awake = 10 * time.Millisecond, 4, 20 * time.Millisecond
	if now := time.Now(); now.Sub(a.looked) >= every {
		a.looked = now
		if a.idle++; a.polls || process.Runs(r.Process()) {
			a.idle = 0
		}
	}
	return a.idle < often && process.ProcessorTime(r.Process())-a.used <= awake
}
