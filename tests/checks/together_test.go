package checks

import "testing"

func TestTogether(t *testing.T) {
	find(t, []wrong{
		{2, "together ibcast-root", []string{
			"rank 0 of 2:   1 x request of an operation, made by MPI_Ibcast at together.c:@ibcast (4 MPI_INT on MPI_COMM_WORLD)",
			"rank 0 of 2: 1 object was never freed (GOMPI_CHECK=leaks):",
			"rank 0 of 2: MPI_Ibcast at together.c:@ibcast: the root that rank 1 gives is 1 (MPI_Ibcast at together.c:@ibcast), where this rank has 0 (GOMPI_CHECK=collectives)",
			"rank 1 of 2:   1 x request of an operation, made by MPI_Ibcast at together.c:@ibcast (4 MPI_INT on MPI_COMM_WORLD)",
			"rank 1 of 2: 1 object was never freed (GOMPI_CHECK=leaks):",
			"rank 1 of 2: MPI_Ibcast at together.c:@ibcast: the root that rank 0 gives is 0 (MPI_Ibcast at together.c:@ibcast), where this rank has 1 (GOMPI_CHECK=collectives)",
		}},
		{2, "together functions", []string{
			"rank 0 of 2: MPI_Ireduce at together.c:@ireduce: rank 1 calls MPI_Ibarrier at together.c:@ibarrier where this rank calls MPI_Ireduce (GOMPI_CHECK=collectives)",
			"rank 0 of 2: MPI_Wait at together.c:@wait: rank 1 contributes 0 bytes where this rank expects 16 (MPI_ERR_TRUNCATE)",
			"rank 1 of 2: MPI_Ibarrier at together.c:@ibarrier: rank 0 calls MPI_Ireduce at together.c:@ireduce where this rank calls MPI_Ibarrier (GOMPI_CHECK=collectives)",
		}},
		{2, "together operations", []string{
			"rank 0 of 2: MPI_Iallreduce at together.c:@iallreduce: rank 1 calls MPI_Iallreduce at together.c:@iallreduce with MPI_MAX where this rank has MPI_SUM (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Iallreduce at together.c:@iallreduce: rank 0 calls MPI_Iallreduce at together.c:@iallreduce with MPI_SUM where this rank has MPI_MAX (GOMPI_CHECK=collectives)",
		}},
		{2, "together persistent-counts", []string{
			"rank 0 of 2: MPI_Bcast_init at together.c:@init: rank 1 has data of 12 bytes for MPI_Bcast_init at together.c:@init where this rank has 16 (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Bcast_init at together.c:@init: rank 0 has data of 16 bytes for MPI_Bcast_init at together.c:@init where this rank has 12 (GOMPI_CHECK=collectives)",
		}},
		{2, "together in-place", []string{
			"rank 0 of 2: MPI_Iallreduce at together.c:@in-place: rank 1 passes MPI_IN_PLACE to MPI_Iallreduce at together.c:@in-place, which this rank does not do (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Iallreduce at together.c:@in-place: this rank passes MPI_IN_PLACE, which rank 0 does not do in MPI_Iallreduce at together.c:@in-place (GOMPI_CHECK=collectives)",
		}},
		{2, "together in-place-blocks", []string{
			"rank 0 of 2: MPI_Alltoallw_init at together.c:@in-place-w: rank 1 passes MPI_IN_PLACE to MPI_Alltoallw_init at together.c:@in-place-w, which this rank does not do (GOMPI_CHECK=collectives)",
			"rank 0 of 2: MPI_Ialltoallv at together.c:@in-place-v: rank 1 passes MPI_IN_PLACE to MPI_Ialltoallv at together.c:@in-place-v, which this rank does not do (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Alltoallw_init at together.c:@in-place-w: this rank passes MPI_IN_PLACE, which rank 0 does not do in MPI_Alltoallw_init at together.c:@in-place-w (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Ialltoallv at together.c:@in-place-v: this rank passes MPI_IN_PLACE, which rank 0 does not do in MPI_Ialltoallv at together.c:@in-place-v (GOMPI_CHECK=collectives)",
		}},
		{2, "together in-place-blocking", []string{
			"rank 0 of 2: MPI_Alltoallv at together.c:@in-place-now: rank 1 passes MPI_IN_PLACE to MPI_Alltoallv at together.c:@in-place-now, which this rank does not do (MPI_ERR_BUFFER)",
			"rank 1 of 2: MPI_Alltoallv at together.c:@in-place-now: this rank passes MPI_IN_PLACE, which rank 0 does not do in MPI_Alltoallv at together.c:@in-place-now (MPI_ERR_BUFFER)",
		}},
		{2, "together blocking", []string{
			"rank 0 of 2: MPI_Bcast at together.c:@bcast: rank 1 calls MPI_Reduce at together.c:@reduce where this rank calls MPI_Bcast (MPI_ERR_OTHER)",
			"rank 1 of 2: MPI_Reduce at together.c:@reduce: rank 0 calls MPI_Bcast at together.c:@bcast where this rank calls MPI_Reduce (MPI_ERR_OTHER)",
		}},
		{2, "together making", []string{
			"rank 0 of 2: MPI_Comm_dup at together.c:@dup: rank 1 calls MPI_Comm_split at together.c:@split where this rank calls MPI_Comm_dup (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Comm_split at together.c:@split: rank 0 calls MPI_Comm_dup at together.c:@dup where this rank calls MPI_Comm_split (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_Comm_split at together.c:@split: the message of 40 bytes from rank 0 with tag 1 does not fit into a buffer of 8 bytes (MPI_ERR_TRUNCATE)",
		}},
		{2, "together types", []string{
			"rank 1 of 2: MPI_Recv at together.c:@recv: the message from rank 0 with tag 3 consists of 4 MPI_INT (MPI_Send at together.c:@send); the receive wants 4 MPI_FLOAT (MPI_ERR_TYPE)",
		}},
		{2, "together truncated", []string{
			"rank 1 of 2: MPI_Recv at together.c:@short: the message of 16 bytes from rank 0 with tag 3 does not fit into a buffer of 12 bytes; it consists of 4 MPI_INT (MPI_Send at together.c:@long), and the receive wants 3 MPI_INT (MPI_ERR_TRUNCATE)",
		}},
		{2, "together replace-types", []string{
			"rank 0 of 2: MPI_Sendrecv at together.c:@sendrecv: the message from rank 1 with tag 3 consists of 4 MPI_FLOAT (MPI_Sendrecv at together.c:@sendrecv); the receive wants 4 MPI_INT (MPI_ERR_TYPE)",
		}},
		{2, "together collective-types", []string{
			"rank 0 of 2: MPI_Bcast at together.c:@bcast-types: the data of rank 1 consists of 4 MPI_FLOAT, where rank 0 has 4 MPI_INT (MPI_ERR_TYPE)",
			"rank 1 of 2: MPI_Bcast at together.c:@bcast-types: the data of rank 0 consists of 4 MPI_INT, where rank 1 has 4 MPI_FLOAT (MPI_ERR_TYPE)",
		}},
		{2, "together ibcast-types", []string{
			"rank 0 of 2: MPI_Ibcast at together.c:@ibcast-types: the data of rank 1 in MPI_Ibcast at together.c:@ibcast-types consists of 4 MPI_FLOAT, where this rank has 4 MPI_INT (GOMPI_CHECK=types)",
			"rank 1 of 2: MPI_Ibcast at together.c:@ibcast-types: the data of rank 0 in MPI_Ibcast at together.c:@ibcast-types consists of 4 MPI_INT, where this rank has 4 MPI_FLOAT (GOMPI_CHECK=types)",
		}},
		{2, "together iallgather-types", []string{
			"rank 1 of 2: MPI_Iallgather at together.c:@iallgather-types: the data of rank 0 in MPI_Iallgather at together.c:@iallgather-types consists of 4 MPI_INT, where this rank has 4 MPI_UNSIGNED (GOMPI_CHECK=types)",
		}},
		{2, "together files", []string{
			"rank 0 of 2: MPI_File_write_all at together.c:@write-all: rank 1 calls MPI_File_read_all at together.c:@read-all where this rank calls MPI_File_write_all (GOMPI_CHECK=collectives)",
			"rank 1 of 2: MPI_File_read_all at together.c:@read-all: rank 0 calls MPI_File_write_all at together.c:@write-all where this rank calls MPI_File_read_all (GOMPI_CHECK=collectives)",
		}},
		{2, "together file-arguments", []string{
			"rank 0 of 2: MPI_File_set_size at together.c:@set-size: size is 100 on this rank; rank 1 of the file's group has another value than rank 0 (MPI_ERR_NOT_SAME)",
			"rank 1 of 2: MPI_File_set_size at together.c:@set-size: size is 101 on this rank; rank 1 of the file's group has another value than rank 0 (MPI_ERR_NOT_SAME)",
		}},
	})
	pass(t, 2, "together right-nonblocking", "together right-types", "together right-files")
}
