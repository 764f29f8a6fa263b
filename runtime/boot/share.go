package boot

import (
	"fmt"
	"strconv"

	"gompi/shm"
)

// Where the launcher does not hand over shared memory, the leader of each node makes it and passes its
// descriptor to the others, over a socket in the abstract name space: nothing appears in a file system. The
// name is random and travels through the launcher; both ends check that the other belongs to the same user.

// segmentKey is the key under which a leader puts the name of that socket, followed by its rank.
const segmentKey = "gompi-segment-"

// handoverTimeout is how long, in milliseconds, ranks that have begun MPI may take to meet.
const handoverTimeout = 60_000

// share shares this node's segment.
func (j *Job) share() (err error) {
	if j.Size == 1 {
		j.Segment, err = shm.CreateJob(1)
		return err
	}
	launcher := -1
	if j.client != nil {
		launcher = j.client.fd
	}
	key := segmentKey + strconv.Itoa(j.leader())
	var server *fdServer
	if j.NodeRank == 0 {
		if j.Segment, err = shm.CreateJob(j.NodeSize); err != nil {
			return err
		}
		if j.NodeSize > 1 {
			name, err := randomName()
			if err != nil {
				return err
			}
			if server, err = listen(name); err != nil {
				return err
			}
			defer server.close()
			if err := j.store.put(key, name); err != nil {
				return err
			}
		}
	}
	if err := j.store.fence(); err != nil {
		return err
	}
	if server != nil {
		return server.give(j.Segment.FD(), j.NodeSize-1, launcher, handoverTimeout)
	}
	if j.NodeRank == 0 {
		return nil
	}
	name, err := j.store.get(j.leader(), key)
	if err != nil {
		return fmt.Errorf("the shared memory of this node: %w", err)
	}
	return j.take(name, launcher, 0)
}

// take receives the segment from the rank that made it.
func (j *Job) take(name string, launcher, timeout int) error {
	fd, err := receiveDescriptor(name, launcher, timeout)
	if err != nil {
		return fmt.Errorf("the shared memory of this node, from its lowest rank: %w", err)
	}
	if j.Segment, err = shm.Open(fd); err != nil {
		return err
	}
	return shm.CheckJob(j.Segment, j.NodeSize)
}
