package hangs

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func TestThreadsAndSpawn(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{2, "threads both",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "threads joins",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 2, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 2, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "threads spawn",
			"rank 0 and rank 0 of spawned job 1 wait for each other: rank 0 in MPI_Recv for a message from rank 0 of spawned job 1, tag 1, 1 MPI_INT, on children (context N) and rank 0 of spawned job 1 in MPI_Recv for a message from rank 0, tag 2, 1 MPI_INT, on parents (context N)"},
		{2, "threads mutex",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "threads barriers",
			"rank 0 waits in MPI_Barrier for rank 1, on zero (context N); rank 1 has called MPI_Finalize"},
		{2, "threads spawn-barrier",
			"rank 0 of spawned job 1 has not entered MPI_Barrier on family (context N), in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 2, 1 MPI_INT, on family (context N)"},
		{2, "threads never-completed",
			"rank 0 waits in MPI_Wait for MPI_Grequest_complete of a generalized request, which no other thread of it can call: all wait"},
		{2, "threads spawn-disconnect",
			"rank 0 of spawned job 1 has not entered MPI_Comm_disconnect on family (context N), in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 2, 1 MPI_INT, on family (context N)"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}

// TestThreadThatLingers has threads outside of MPI, which may still go on: nothing is said by itself, and
// whoever asks hears the cause.
func TestThreadThatLingers(t *testing.T) {
	t.Parallel()
	cmd, out := begin(t, 2, "threads lingers", "--report-hang", "1")
	const want = "\nranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD; rank 0 has a thread that does not wait in MPI, which may still end that\n"
	until(t, func() bool {
		text, err := exec.Command(mpiexec, "--attach", strconv.Itoa(cmd.Process.Pid)).Output()
		return err == nil && strings.HasSuffix(string(text), want)
	})
	if out.String() != "" {
		t.Error(out.String())
	}
}
