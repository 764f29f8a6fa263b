package boot

import (
	"errors"
	"time"

	"gompi/shm"
	"gompi/wire/pmi"
)

// A rank needs no network to begin MPI. It opens it beside the program, when it needs it or a moment later.
// Under gompi's own launcher it also needs none to end MPI where nobody has used one: values can be got at
// any time, not only after a fence, and a rank hears when some other one wants to talk. Under others all
// ranks come to the fence in which they exchange their cards, so each opens the network.

// Late reports whether ranks may open the network when they need it.
func (j *Job) Late() bool { return j.Nodes != nil && (j.client != nil || j.pmix != nil) }

// Tells reports whether the launcher says in shm.Network what the ranks do.
func (j *Job) Tells() bool { return j.ours }

// UseNetwork tells the launcher, and by it all ranks, that this one opens the network.
func (j *Job) UseNetwork() error {
	if !j.ours {
		return nil
	}
	return j.client.send(pmi.New("gompi_network"))
}

// Rest tells the launcher, which is one that Tells, that this rank is at its end and has not opened the
// network.
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

// get is that of a store whose values may still come. A rank that has died may have put its own before: the
// launcher is asked once more after it is known to be dead.
func (p patient) get(from int, key string) (string, error) {
	for pause := askAgain; ; pause = min(2*pause, longestPause) {
		dead := deadAmong(p.segment, from)
		value, err := p.store.get(from, key)
		if !errors.Is(err, errDenied) {
			return value, err
		}
		if dead != nil {
			return "", dead
		}
		time.Sleep(pause)
	}
}
