package boot

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"gompi/shm"
)

// gompi's own launcher hands the segment of its node to each rank, and tells the mapping when asked.
func TestOwnLauncherOnSeveralNodes(t *testing.T) {
	const size, perNode = 6, 2
	s := newServer(t, size, "(vector,(0,3,2))")
	segments := make([]*shm.Segment, size/perNode)
	for k := range segments {
		var err error
		if segments[k], err = shm.CreateJob(perNode); err != nil {
			t.Fatal(err)
		}
		shm.SetStarted(segments[k])
		defer segments[k].Close()
	}
	words := func(rank, nodeRank int) environ {
		fd, err := syscall.Dup(segments[rank/perNode].FD())
		if err != nil {
			t.Fatal(err)
		}
		base, own := s.connect(rank), map[string]string{"GOMPI_SEGMENT_FD": strconv.Itoa(fd),
			"MPI_LOCALRANKID": strconv.Itoa(nodeRank), "MPI_LOCALNRANKS": strconv.Itoa(perNode)}
		for _, name := range []string{"PMI_FD", "PMI_RANK", "PMI_SIZE"} {
			own[name] = base(name)
		}
		return env(own)
	}
	jobs := exchangeAll(t, size, 40, func(r int) (*Job, error) { return join(words(r, r%perNode), Config{}) },
		func(r int) int { return r / perNode })
	var wait sync.WaitGroup
	errs := make([]error, size)
	for r, j := range jobs {
		wait.Add(1)
		go func() { defer wait.Done(); errs[r] = j.Barrier() }()
		if !j.Reports || j.NodeRank != r%perNode || j.NodeSize != perNode || len(j.Neighbours()) != perNode {
			t.Errorf("rank %d: %+v", r, j)
		}
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if _, err := join(words(2, 1), Config{}); err == nil || !strings.Contains(err.Error(), "a mapping by which") {
		t.Errorf("rank 2 is the first of its node, and told that it is the second: %v", err)
	}
}
