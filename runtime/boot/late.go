package boot

import (
	"errors"
	"time"

	"gompi/launch/pmi"
	"gompi/shm"
)

// Under gompi's own launcher a rank needs no network to begin MPI, nor to end it where nobody has used one:
// its values can be got at any time, not only after a fence, and it hears when some rank wants to talk.

// Late reports whether ranks may open the network when they need it.
func (j *Job) Late() bool { return j.ours && j.Nodes != nil }

// UseNetwork tells the launcher, and by it all ranks, that this one opens the network.
func (j *Job) UseNetwork() error { return j.client.send(pmi.New("gompi_network")) }

// Rest tells the launcher that this rank is at its end and has not opened the network. What comes of it shows
// in shm.Network.
func (j *Job) Rest() error { return j.client.send(pmi.New("gompi_rest")) }

// patient is a store whose values may come later than they are asked for.
type patient struct {
	store
	segment *shm.Segment
}

// How long a rank waits before it asks again.
const (
	askAgain     = time.Millisecond
	longestPause = 16 * time.Millisecond
)

func (p patient) get(from int, key string) (string, error) {
	for pause := askAgain; ; pause = min(2*pause, longestPause) {
		value, err := p.store.get(from, key)
		if !errors.Is(err, errDenied) {
			return value, err
		}
		if shm.Epoch(p.segment) != 0 {
			return "", deadPeer(p.segment)
		}
		time.Sleep(pause)
	}
}
