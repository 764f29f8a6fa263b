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
		{4, "messages ssend-circle",
			"a cycle of waits: ranks 0-3 wait in MPI_Ssend, each for the next: 0 -> 1 -> 2 -> 3 -> 0"},
		{4, "messages tag",
			"rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7"},
		{4, "messages halves",
			"ranks 1, 3 wait for each other: rank 1 in MPI_Recv for a message from rank 3, tag 5, 1 MPI_INT, on odd (context N) and rank 3 in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on odd (context N)"},
		{4, "collectives barrier",
			"rank 3 has not entered MPI_Barrier on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "collectives allreduce",
			"rank 3 has not entered MPI_Allreduce on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "collectives between-merge",
			"rank 3 has not entered MPI_Intercomm_merge on inter (context N), in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 4, 1 MPI_INT, on inter (context N)"},
		{4, "missing alltoallv",
			"rank 3 has not entered MPI_Alltoallv on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "windows lock",
			"rank 2 waits in MPI_Win_lock for the lock of rank 0 in table, which rank 1 holds; rank 1 has waited for N s in MPI_Recv for a message from rank 2, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "files write-all",
			"rank 0 has not entered MPI_File_write_at_all on file hangs.tmp (context N), in which ranks 1-3 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
	} {
		check(t, c.ranks, c.what, c.want, "--pretend-nodes", "2x2")
	}
}
