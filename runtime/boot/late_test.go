package boot

import (
	"fmt"
	"strings"
	"testing"

	"gompi/shm"
)

// dying is a store in which a value comes, and the rank dies that has put it, while it is asked for.
type dying struct {
	store
	segment *shm.Segment
	comes   bool // the rank comes to put its value
	asked   int
}

func (d *dying) get(int, string) (string, error) {
	if d.asked++; d.asked == 1 {
		shm.MarkFailed(d.segment, 1)
	} else if d.comes {
		return "value", nil
	}
	return "", fmt.Errorf("get: %w", errDenied)
}

// What a rank has put is got after its death as well, and what it has not put is not waited for.
func TestValueOfTheDead(t *testing.T) {
	for _, put := range []bool{true, false} {
		s, err := shm.CreateJob(2)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		value, err := patient{&dying{segment: s, comes: put}, s}.get(1, "key")
		if put && (err != nil || value != "value") {
			t.Errorf("got %q, %v", value, err)
		}
		if !put && (err == nil || !strings.Contains(err.Error(), "rank 1 has died")) {
			t.Errorf("of a value that does not come: %q, %v", value, err)
		}
	}
}

// At the barrier of a node ranks wait for their neighbors, and not for what has become of others.
func TestDeathOnAnotherNode(t *testing.T) {
	for dead, ends := range map[int]bool{1: false, 2: true} {
		s, err := shm.CreateJob(2)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		job := func(rank int) *Job {
			return &Job{Rank: rank, Size: 4, NodeRank: rank / 2, NodeSize: 2,
				Nodes: []int{0, 1, 0, 1}, Segment: s}
		}
		shm.MarkFailed(s, dead)
		left := make(chan error, 1)
		go func() { left <- job(0).nodeBarrier() }()
		if ends {
			if err := <-left; err == nil {
				t.Error("a barrier without one of its ranks has ended well")
			}
			continue
		}
		if err := job(2).nodeBarrier(); err != nil {
			t.Error(err)
		}
		if err := <-left; err != nil {
			t.Error(err)
		}
	}
}
