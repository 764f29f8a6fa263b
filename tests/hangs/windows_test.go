package hangs

import "testing"

func TestWindowsAndFiles(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{3, "windows lock",
			"rank 2 waits in MPI_Win_lock for the lock of rank 0 in table, which rank 1 holds; rank 1 has waited for N s in MPI_Recv for a message from rank 2, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "windows locks",
			"rank 0 waits in MPI_Win_lock for the lock of rank 1 in table, which rank 1 holds; rank 1 has waited for N s in MPI_Win_lock for the lock of rank 0, in table"},
		{2, "windows fence",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Win_fence for the same call of rank 1, in table and rank 1 in MPI_Recv for a message from rank 0, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "windows start",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Win_start for MPI_Win_post of rank 1, in table and rank 1 in MPI_Recv for a message from rank 0, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "windows wait",
			"rank 0 waits in MPI_Win_wait for MPI_Win_complete of rank 1, in table; rank 1 has called MPI_Finalize"},
		{2, "windows free",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Win_free for the same call of rank 1, in table and rank 1 in MPI_Recv for a message from rank 0, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "windows write-all",
			"rank 0 has not entered MPI_File_write_at_all on file hangs.tmp (context 2), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "windows set-view",
			"rank 0 has not entered MPI_File_set_view on file hangs.tmp (context 2), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "windows ordered",
			"rank 0 has not entered MPI_File_write_ordered on file hangs.tmp (context 2), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "windows partitioned",
			"rank 0 waits in MPI_Wait for its own MPI_Pready of partition 1 of its message to rank 1, tag 4, on MPI_COMM_WORLD"},
		{2, "threads both",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "threads joins",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 2, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 2, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "threads spawn",
			"rank 0 and rank 0 of spawned job 1 wait for each other: rank 0 in MPI_Recv for a message from rank 0 of spawned job 1, tag 1, 1 MPI_INT, on children (context N) and rank 0 of spawned job 1 in MPI_Recv for a message from rank 0, tag 2, 1 MPI_INT, on parents (context N)"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}

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
