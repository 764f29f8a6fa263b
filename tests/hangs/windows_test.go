package hangs

import "testing"

func TestWindows(t *testing.T) {
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
		{2, "windows lock-all",
			"rank 0 waits in MPI_Win_lock for the lock of rank 0 in table, which rank 1 holds; rank 1 has waited for N s in MPI_Recv for a message from rank 0, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "windows unlock-forgotten",
			"rank 0 waits in MPI_Win_lock for the lock of rank 0 in table, which rank 1 holds; rank 1 has waited for N s in MPI_Finalize for rank 0, on MPI_COMM_WORLD"},
		{2, "windows fence-free",
			"rank 0 waits in MPI_Win_free for the same call of rank 1, in table; rank 1 has called MPI_Finalize"},
		{3, "windows complete",
			"ranks 0, 2 wait for each other: rank 0 in MPI_Win_start for MPI_Win_post of rank 2, in table and rank 2 in MPI_Win_free for the same call of ranks 0, 1, in table"},
		{2, "windows both-post",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Win_wait for MPI_Win_complete of rank 1, in table and rank 1 in MPI_Win_wait for MPI_Win_complete of rank 0, in table"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}
