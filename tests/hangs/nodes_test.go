package hangs

import "testing"

// TestNodes has ranks that believe to be on several machines.
func TestNodes(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{4, "messages circle",
			"a cycle of waits: ranks 0-3 wait in MPI_Recv, each for the next: 0 -> 1 -> 2 -> 3 -> 0"},
		{4, "messages halves",
			"ranks 1, 3 wait for each other: rank 1 in MPI_Recv for a message from rank 3, tag 5, 1 MPI_INT, on odd (context 2) and rank 3 in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on odd (context 2)"},
		{4, "collectives barrier",
			"rank 3 has not entered MPI_Barrier on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "collectives allreduce",
			"rank 3 has not entered MPI_Allreduce on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
	} {
		check(t, c.ranks, c.what, c.want, "--pretend-nodes", "2x2")
	}
}
