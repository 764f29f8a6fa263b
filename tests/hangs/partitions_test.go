package hangs

import "testing"

func TestPartitions(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{2, "partitions not-ready",
			"rank 0 waits in MPI_Wait for its own MPI_Pready of partition 1 of its message to rank 1, tag 4, on MPI_COMM_WORLD"},
		{2, "partitions no-send",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Wait for a message from rank 1, tag 4, 2 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Wait for a message from rank 0, tag 4, 2 MPI_INT, on MPI_COMM_WORLD"},
		{2, "partitions no-receive",
			"rank 1 waits in MPI_Recv for a message from rank 0, tag 4, 1 MPI_INT, on MPI_COMM_WORLD; rank 0 has called MPI_Finalize"},
		{2, "partitions not-started",
			"rank 1 has not entered MPI_Barrier on MPI_COMM_WORLD, in which rank 0 waits: it waits in MPI_Wait for a message from rank 0, tag 4, 2 MPI_INT, on MPI_COMM_WORLD"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}
