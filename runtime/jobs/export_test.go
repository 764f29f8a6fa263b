package jobs

import (
	"time"

	"gompi/runtime/jobs/bridge"
	"gompi/runtime/transport"
	"gompi/shm"
)

// What tests from outside need: a connector of one process that goes away in the middle.

// The points after which the process goes away.
const (
	AfterDial    = iota
	AfterHello   // it has said who it is
	AfterAnswer  // it has heard who accepts
	AfterGoingOn // it has said that it goes on
	AfterRefusal // it could not enter the bridge
	AfterEntry   // it says that it has entered, and dies
	Points
)

// GoAway connects to a port as the process of a job of one rank and goes away after a point.
func GoAway(port string, job *shm.Segment, point int) error {
	stop, err := newStopper()
	if err != nil {
		return err
	}
	defer stop.close()
	w := &wire{stop: stop, until: time.Now().Add(patience)}
	if err := w.dial(socketOf(port)); err != nil {
		return err
	}
	defer w.close()
	own := &hello{side: bridge.Side{Members: []transport.Identity{{Job: job.ID()}},
		Jobs: []*shm.Segment{job}}}
	if point == AfterDial {
		return nil
	}
	if err := w.tell(own); err != nil || point == AfterHello {
		return err
	}
	other, err := w.hear(true, 1)
	if err != nil {
		return err
	}
	defer other.close()
	if point == AfterAnswer {
		return nil
	}
	if err := w.write([]byte{1}); err != nil || point == AfterGoingOn {
		return err
	}
	entered := byte(1)
	if point == AfterRefusal {
		entered = 0
	}
	if err := w.write([]byte{entered}); err != nil {
		return err
	}
	if _, err := w.read(make([]byte, 1), 0); err != nil {
		return err
	}
	shm.MarkDead(job, 0)
	return nil
}

// socketOf is the address of the socket of a port.
func socketOf(port string) string {
	_, address, err := parsePort(port)
	if err != nil {
		panic(err)
	}
	return address
}

// What each side of a join tells the other.
const (
	NoteSize   = noteSize
	MeetPrefix = meetPrefix
)
