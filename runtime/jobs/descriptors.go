package jobs

import (
	"time"

	"gompi/runtime/jobs/bridge"
	"gompi/runtime/transport"
	"gompi/shm"
)

// descriptorServer is where a leader hands its side the descriptors.
type descriptorServer struct {
	address string
	at      *listener
	ended   chan struct{}
}

// serveDescriptors begins to hand out the descriptors of an agreement. A goroutine does that until the end.
func serveDescriptors(t *agreement) (*descriptorServer, error) {
	name, err := secret()
	if err != nil {
		return nil, err
	}
	c := &descriptorServer{address: "gompi-descriptors-" + name, ended: make(chan struct{})}
	if c.at, err = listen(c.address); err != nil {
		return nil, err
	}
	// The bridge keeps its one descriptor: with any other that is closed, the lock by which others see this
	// process live would go. The segments of the jobs may be known here already, and closed at once.
	descriptors, err := duplicate(t.other.side.Jobs)
	if err != nil {
		c.at.close()
		return nil, err
	}
	descriptors = append([]int{t.bridge.FD()}, descriptors...)
	go func() {
		defer close(c.ended)
		defer closeAll(descriptors[1:])
		for {
			to, ok := c.at.accept()
			if !ok {
				return
			}
			if to.sameUser() {
				_ = (&wire{connection: to}).write([]byte{1}, descriptors...) // fits into the buffer
			}
			to.close()
		}
	}()
	return c, nil
}

func (c *descriptorServer) end() {
	c.at.wake()
	<-c.ended
	c.at.close()
}

// fetch takes the descriptors from the leader's server and maps the bridge of n processes and the segments
// of the given number of jobs. What could not be had is missing.
func fetch(address string, n, jobs int) (over *shm.Segment, homes []*shm.Segment) {
	stop, err := newStopper()
	if err != nil {
		return nil, nil
	}
	defer stop.close()
	x := &wire{stop: stop, until: time.Now().Add(answerTimeout * time.Second)}
	if x.dial(address) != nil {
		return nil, nil
	}
	defer x.close()
	var b [1]byte
	descriptors, err := x.read(b[:], mostJobs+1)
	if err != nil || len(descriptors) != jobs+1 {
		closeAll(descriptors)
		return nil, nil
	}
	h := hello{side: bridge.Side{Members: make([]transport.Identity, n)}}
	if h.open(descriptors, true, 0) != nil {
		return nil, nil
	}
	return h.bridge, h.side.Jobs
}
