package hangs

import "testing"

// TestMissing has each collective operation, which rank 2 of 3 does not enter.
func TestMissing(t *testing.T) {
	for _, c := range []struct{ what, name, on, ranks string }{
		{"reduce", "MPI_Reduce", world, "ranks 0, 1 wait"},
		{"gather", "MPI_Gather", world, "ranks 0, 1 wait"},
		{"gatherv", "MPI_Gatherv", world, "ranks 0, 1 wait"},
		{"scatterv", "MPI_Scatterv", world, "ranks 0, 1 wait"},
		{"allgatherv", "MPI_Allgatherv", world, "ranks 0, 1 wait"},
		{"alltoallv", "MPI_Alltoallv", world, "ranks 0, 1 wait"},
		{"alltoallw", "MPI_Alltoallw", world, "ranks 0, 1 wait"},
		{"exscan", "MPI_Exscan", world, "ranks 0, 1 wait"},
		{"reduce_scatter", "MPI_Reduce_scatter", world, "ranks 0, 1 wait"},
		{"neighbor_allgather", "MPI_Neighbor_allgather", "grid (context N)", "ranks 0, 1 wait"},
		{"neighbor_alltoall", "MPI_Neighbor_alltoall", "grid (context N)", "ranks 0, 1 wait"},
		{"ibcast", "MPI_Ibcast", world, "ranks 0, 1 wait"},
		{"igather", "MPI_Igather", world, "rank 0 waits"}, // rank 1 has done its part
		{"iallgather", "MPI_Iallgather", world, "ranks 0, 1 wait"},
		{"ialltoall", "MPI_Ialltoall", world, "ranks 0, 1 wait"},
		{"ineighbor", "MPI_Ineighbor_allgather", "grid (context N)", "ranks 0, 1 wait"},
		{"idup", "MPI_Comm_idup", world, "ranks 0, 1 wait"},
		{"barrier_init", "MPI_Barrier_init", world, "ranks 0, 1 wait"},
		{"allreduce_init", "MPI_Allreduce_init", world, "ranks 0, 1 wait"},
		{"create", "MPI_Comm_create", world, "ranks 0, 1 wait"},
		{"create_group", "MPI_Comm_create_group", world, "ranks 0, 1 wait"},
		{"split_type", "MPI_Comm_split_type", world, "ranks 0, 1 wait"},
		{"cart", "MPI_Cart_create", world, "ranks 0, 1 wait"},
		{"win_create", "MPI_Win_create", world, "ranks 0, 1 wait"},
		{"win_allocate", "MPI_Win_allocate", world, "ranks 0, 1 wait"},
		{"win_shared", "MPI_Win_allocate_shared", world, "ranks 0, 1 wait"},
		{"win_dynamic", "MPI_Win_create_dynamic", world, "ranks 0, 1 wait"},
		{"open", "MPI_File_open", world, "ranks 0, 1 wait"},
		{"spawn", "MPI_Comm_spawn", world, "ranks 0, 1 wait"},
		{"agree", "MPIX_Comm_agree", world, "ranks 0, 1 wait"},
		{"shrink", "MPIX_Comm_shrink", world, "ranks 0, 1 wait"},
		{"iagree", "MPIX_Comm_iagree", world, "ranks 0, 1 wait"},
	} {
		check(t, 3, "missing "+c.what, "rank 2 has not entered "+c.name+" on "+c.on+", in which "+c.ranks+
			": it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD")
	}
}

// TestMourning has an agreement after a death: who is missing is a rank that lives.
func TestMourning(t *testing.T) {
	for _, nodes := range []string{"1", "2x2"} {
		check(t, 4, "missing mourn", "rank 3 has not entered MPIX_Comm_agree on MPI_COMM_WORLD, in which "+
			"ranks 0, 2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD",
			"--enable-recovery", "--pretend-nodes", nodes)
	}
}

const world = "MPI_COMM_WORLD"
