package p2p

import (
	"errors"
	"time"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Reach is the process of the rank with that number in the job, by which the kernel copies between this
// process and that one; nil where it refuses.
func (t *transports) Reach(peer int) *shm.Process {
	t.lock()
	defer t.unlock()
	return t.to(peer).reach(peer)
}

// Alive is the error for a job of which a rank has died as the launcher says, nil as long as all live. It is
// for those who wait by themselves, and shortly.
func (f *failures) Alive() error {
	if dead := f.transports.links[0].Failed(); dead >= 0 {
		return mpierr.New(mpierr.ErrProcAborted, "rank %d of the job has died", dead)
	}
	return nil
}

// goneAmid is the error for a peer that has died amid a message, nil when it lives as far as its node knows.
func (f *failures) goneAmid(peer int) error {
	if f.HasFailed(peer) {
		return mpierr.New(mpierr.ErrProcFailed, "rank %d has failed amid its message", peer)
	}
	return f.Alive()
}

// AliveIn is Alive, or the error for a group of which a process of this job has failed. It takes no lock.
func (f *failures) AliveIn(g *group.Group) error {
	err := f.Alive()
	if err != nil || f.detector == nil {
		return err
	}
	f.detector.EachFailed(func(peer int) {
		if rank := g.Rank(peer); rank != group.Undefined && err == nil {
			err = mpierr.New(mpierr.ErrProcFailed, "rank %d of the group has failed", rank)
		}
	})
	return err
}

// HasFailed reports whether a peer has failed, as far as its node knows, where the job survives that. It
// takes no lock.
func (f *failures) HasFailed(peer int) bool { return f.detector != nil && f.detector.HasFailed(peer) }

// noticing is how long a launcher may take to notice the death of a rank: the memory and the connections of a
// process go before the process.
const noticing = time.Second

// Perished reports whether a peer whose memory could not be read, with that error, has failed. It waits until
// the launcher has noticed, as Lost does. The news is not taken in. Where the job does not survive a death it
// waits for a process alone that is gone: a buffer that is no memory is an error at once.
func (f *failures) Perished(peer int, err error) (failed bool) {
	if f.detector == nil && !errors.Is(err, transport.ErrGone) {
		return false
	}
	for until := time.Now().Add(noticing); !failed && time.Now().Before(until); {
		if f.detector == nil {
			failed = f.dead() >= 0
		} else {
			failed = f.HasFailed(peer)
		}
		if !failed {
			time.Sleep(time.Millisecond)
		}
	}
	return failed
}

// Lost is the error for a rank whose process is found to be gone. It waits until the launcher has noticed as
// well, so that all ranks hear of the same death.
func (e *Engine) Lost(peer int) error {
	for until := time.Now().Add(noticing); ; time.Sleep(time.Millisecond) {
		if err := e.Alive(); err != nil {
			return err
		}
		if e.HandleFailures(); e.isFailed(peer) {
			return mpierr.New(mpierr.ErrProcFailed, "rank %d of the job has failed", peer)
		}
		if time.Now().After(until) {
			return unreachable(peer)
		}
	}
}

// unreachable is the error for a peer that is lost to this rank and may live.
func unreachable(peer int) error {
	return mpierr.New(mpierr.ErrProcAborted, "the connection to rank %d of the job is lost", peer)
}

// patience is for how long a peer must have been out of reach to be given up where the job survives deaths.
// Nothing is sent to it again, so those who wait for it would do so for ever; but the launcher may only be
// late with the news that it has died.
const patience = 5 * time.Second

// unreached is the error for a peer that cannot be reached any more though it lives, where the job survives
// deaths; nil as long as all can.
func (f *failures) unreached() error {
	if f.detector == nil || f.transports.network == nil {
		return nil
	}
	lost := -1
	f.transports.network.Broken(func(peer int) {
		if !f.isFailed(peer) {
			lost = peer
		}
	})
	switch {
	case lost < 0:
		f.unreachedAt = time.Time{}
	case f.unreachedAt.IsZero():
		f.unreachedAt = time.Now()
	case time.Since(f.unreachedAt) > patience:
		return unreachable(lost)
	}
	return nil
}
