package hangs

import "testing"

func TestCollectives(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{4, "collectives barrier",
			"rank 3 has not entered MPI_Barrier on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives bcast",
			"rank 2 has not entered MPI_Bcast on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives allreduce",
			"rank 2 has not entered MPI_Allreduce on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives allgather",
			"rank 2 has not entered MPI_Allgather on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives scatter",
			"rank 2 has not entered MPI_Scatter on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives alltoall",
			"rank 2 has not entered MPI_Alltoall on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives long",
			"rank 2 has not entered MPI_Allreduce on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives block",
			"rank 2 has not entered MPI_Reduce_scatter_block on MPI_COMM_WORLD, in which ranks 0, 1 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives scan",
			"rank 0 has not entered MPI_Scan on MPI_COMM_WORLD, in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives split",
			"rank 0 has not entered MPI_Comm_split on MPI_COMM_WORLD, in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives dup",
			"the ranks of MPI_COMM_WORLD have called different collective operations: rank 0 in MPI_Barrier and ranks 1, 2 in MPI_Comm_dup"},
		{2, "collectives roots",
			"the ranks of MPI_COMM_WORLD have called MPI_Gather with different roots: rank 0 with root 0 and rank 1 with root 1"},
		{3, "collectives ended",
			"rank 2 has left MPI while ranks 0, 1 wait in MPI_Finalize: it has called fewer collective operations on MPI_COMM_WORLD than the others"},
		{4, "collectives half",
			"rank 2 has not entered MPI_Barrier on MPI_COMM_WORLD, in which ranks 0, 1, 3 wait: it waits in MPI_Barrier for rank 3, on part (context N)"},
		{3, "collectives crossed",
			"ranks 1, 2 have not entered MPI_Barrier on MPI_COMM_WORLD, in which rank 0 waits: rank 1 waits in MPI_Barrier for rank 0, on copy (context N)"},
		{3, "collectives ibarrier",
			"rank 0 has not entered MPI_Ibarrier on MPI_COMM_WORLD, in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "collectives iallreduce",
			"rank 0 has not entered MPI_Iallreduce on MPI_COMM_WORLD, in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "collectives between",
			"rank 3 has not entered MPI_Barrier on inter (context N), in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 1, tag 4, 1 MPI_INT, on inter (context N)"},
		{3, "collectives bcast-roots",
			"the ranks of MPI_COMM_WORLD have called MPI_Bcast with different roots: rank 0 with root 1, rank 1 with root 2 and rank 2 with root 0"},
		{3, "collectives forgotten",
			"rank 1 waits in MPI_Waitall for rank 0, on MPI_COMM_WORLD; rank 0 has called MPI_Finalize"},
		{4, "collectives between-bcast",
			"rank 0 has not entered MPI_Bcast on inter (context N), in which ranks 2, 3 wait: it waits in MPI_Recv for a message from rank 2, tag 4, 1 MPI_INT, on inter (context N)"},
		{4, "collectives between-messages",
			"ranks 0, 2 wait for each other: rank 0 in MPI_Recv for a message from rank 2, tag 4, 1 MPI_INT, on inter (context N) and rank 2 in MPI_Recv for a message from rank 0, tag 4, 1 MPI_INT, on inter (context N)"},
		{4, "collectives between-merge",
			"rank 3 has not entered MPI_Intercomm_merge on inter (context N), in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 4, 1 MPI_INT, on inter (context N)"},
		{4, "collectives between-create",
			"rank 2 has not entered MPI_Intercomm_create on MPI_COMM_WORLD, in which rank 0 waits: it waits in MPI_Recv for a message from rank 0, tag 4, 1 MPI_INT, on MPI_COMM_WORLD"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}
