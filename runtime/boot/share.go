package boot

import (
	"fmt"
	"strconv"

	"gompi/launch/pmi"
	"gompi/shm"
)

// Where the launcher does not hand over shared memory, the lowest rank of each node makes it and passes its
// descriptor to the others, over a socket in the abstract name space: nothing appears in a file system. The
// name is random and travels through the launcher; both ends check that the other belongs to the same user.

// shareByKVS shares this node's segment; the name of the socket goes through the launcher's values.
func (j *Job) shareByKVS(kvs string) error {
	if j.NodeSize == 1 {
		segment, err := shm.CreateJob(1)
		if err != nil {
			return err
		}
		j.Segment = segment
		if j.OnOneNode() {
			return nil
		}
		// Ranks on other nodes meet at the barrier below.
		_, err = j.client.request(pmi.New("barrier_in"), "barrier_out")
		return err
	}
	key := "gompi-segment-" + strconv.Itoa(j.node())
	if j.NodeRank == 0 {
		name, err := randomName()
		if err != nil {
			return err
		}
		server, err := listen(name)
		if err != nil {
			return err
		}
		defer server.close()
		if _, err := j.client.request(pmi.New("put", "kvsname", kvs, "key", key, "value", name), "put_result"); err != nil {
			return err
		}
		if _, err := j.client.request(pmi.New("barrier_in"), "barrier_out"); err != nil {
			return err
		}
		if j.Segment, err = shm.CreateJob(j.NodeSize); err != nil {
			return err
		}
		return server.give(j.Segment.FD(), j.NodeSize-1, j.client.fd, -1)
	}
	if _, err := j.client.request(pmi.New("barrier_in"), "barrier_out"); err != nil {
		return err
	}
	name, err := j.client.get(kvs, key)
	if err != nil {
		return fmt.Errorf("the shared memory of this node: %w", err)
	}
	return j.take(name, j.client.fd, 0)
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

// node is the number of our node.
func (j *Job) node() int {
	if j.Nodes == nil {
		return 0
	}
	return j.Nodes[j.Rank]
}
