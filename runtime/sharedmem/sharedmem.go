// Package sharedmem is memory that the ranks of one communicator have in common, made after the start for one
// object, such as an open file. It knows how such memory comes to be and how its users wake each other, and
// nothing of what is in it.
package sharedmem

import (
	"strings"

	"gompi/runtime/boot"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Node is what a process needs to know of its node.
type Node struct {
	Segment *shm.Segment // of the job
	Ranks   []int        // job ranks by node rank
}

// Memory is one rank's view of what it shares. All of it is zero at first.
type Memory struct {
	*shm.Segment
	Across bool       // the ranks are of several jobs
	bells  []shm.Bell // of the communicator's ranks
	job    *shm.Segment
	me     int
}

// noteLength is room for what rank 0 tells the others: the name of its descriptor server, zeros when it has
// none.
const noteLength = 64

// New gives the ranks of c memory of the given size in bytes in common. All of them call it with the same
// size; when it fails on one it fails on all. Pages cost memory once they are touched.
func New(c *comm.Comm, node Node, size int64) (*Memory, error) {
	m := &Memory{job: node.Segment, me: c.Rank(), Across: c.Across()}
	var err error
	if c.Size() == 1 {
		m.Segment, err = shm.Create(size)
	} else {
		m.Segment, err = share(c, size)
	}
	if err != nil {
		if m.Segment != nil {
			m.Segment.Close()
		}
		return nil, mpierr.Memory(err)
	}
	m.CloseFD()
	for r := range c.Size() {
		home, rank := c.Engine().Home(c.Coll.Peers.Of(r))
		m.bells = append(m.bells, shm.BellOf(home, rank))
	}
	return m, nil
}

// Wake ends the sleep of all other ranks, after something in the memory has changed that they wait for.
func (m *Memory) Wake() {
	for r := range m.bells {
		if r != m.me {
			m.bells[r].Ring()
		}
	}
}

// Failed reports whether a rank of the job has died.
func (m *Memory) Failed() bool { return shm.Epoch(m.job) != 0 }

// share makes the segment on rank 0 and hands it to the others. Nobody waits for a rank that cannot come for
// it.
func share(c *comm.Comm, size int64) (s *shm.Segment, err error) {
	note := make([]byte, noteLength)
	if c.Rank() == 0 {
		var server *boot.DescriptorServer
		var name string
		if s, server, name, err = stock(size, c.Size()-1); err == nil {
			defer server.Close()
			copy(note, name)
		}
	}
	if e := coll.Bcast(c, datatype.Raw(shm.Address(note), noteLength), 0); err == nil {
		err = e
	}
	if name := strings.TrimRight(string(note), "\x00"); name != "" && c.Rank() != 0 && err == nil {
		if s, err = fetch(name); err != nil {
			err = blame(c, err)
		}
	}
	return s, coll.FailTogether(c, mpierr.Memory(err), "map shared memory")
}

// blame is why nothing could be had from rank 0: it has died, or there is another reason.
func blame(c *comm.Comm, err error) error {
	if c.Engine().Perished(c.Coll.Peers.Of(0), err) {
		c.Engine().HandleFailures()
		if loss := c.Recovery.Whole(); loss != nil {
			return loss
		}
	}
	return err
}

// stock makes a segment and a server from which n others get it.
func stock(size int64, n int) (*shm.Segment, *boot.DescriptorServer, string, error) {
	s, err := shm.Create(size)
	if err != nil {
		return nil, nil, "", err
	}
	server, name, err := boot.ServeDescriptor(s.FD(), n)
	if err != nil {
		s.Close()
		return nil, nil, "", err
	}
	return s, server, name, nil
}

// fetch takes the segment from rank 0.
func fetch(name string) (*shm.Segment, error) {
	fd, err := boot.Fetch(name)
	if err != nil {
		return nil, err
	}
	return shm.Open(fd)
}
