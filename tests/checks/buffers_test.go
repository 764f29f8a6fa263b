package checks

import "testing"

func TestBuffers(t *testing.T) {
	find(t, []wrong{
		{2, "buffers send-changed", []string{
			"rank 0 of 2: MPI_Wait at buffers.c:@isend-wait: buf of MPI_Isend at buffers.c:@isend (50000 MPI_INT to rank 1 with tag 3 on MPI_COMM_WORLD) was changed before the operation was complete (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers persistent-changed", []string{
			"rank 0 of 2: MPI_Wait at buffers.c:@start-wait: buf of MPI_Start at buffers.c:@start (50000 MPI_INT to rank 1 with tag 3 on MPI_COMM_WORLD, made by MPI_Ssend_init at buffers.c:@ssend-init) was changed before the operation was complete (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers collective-changed", []string{
			"rank 1 of 2: MPI_Wait at buffers.c:@iallreduce-wait: sendbuf of MPI_Iallreduce at buffers.c:@iallreduce (50000 MPI_INT on MPI_COMM_WORLD) was changed before the operation was complete (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers partition-changed", []string{
			"rank 0 of 2: MPI_Wait at buffers.c:@pready-wait: a partition of MPI_Pready at buffers.c:@pready (100000 MPI_INT to rank 1 with tag 3 on MPI_COMM_WORLD, made by MPI_Psend_init at buffers.c:@psend-init) was changed before the operation was complete (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers receive-changed", []string{
			"rank 0 of 2: MPI_Wait at buffers.c:@irecv-wait: buf of MPI_Irecv at buffers.c:@irecv (50000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) was changed before the message came (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers two-receives", []string{
			"rank 0 of 2: MPI_Irecv at buffers.c:@second: buf (10 MPI_INT from rank 1 with tag 4 on MPI_COMM_WORLD) overlaps buf of MPI_Irecv at buffers.c:@first (10 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD), which is not complete (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers send-and-receive", []string{
			"rank 0 of 2: MPI_Recv at buffers.c:@into-send: buf (4 MPI_INT from rank 1 with tag 4 on MPI_COMM_WORLD) overlaps buf of MPI_Isend at buffers.c:@pending (50000 MPI_INT to rank 1 with tag 3 on MPI_COMM_WORLD), which is not complete (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers sendrecv-alias", []string{
			"rank 0 of 2: MPI_Sendrecv at buffers.c:@sendrecv: recvbuf (10 MPI_INT to rank 0 with tag 3 from rank 0 with tag 3 on MPI_COMM_WORLD) overlaps sendbuf of the same call (GOMPI_CHECK=buffers)",
			"rank 1 of 2: MPI_Sendrecv at buffers.c:@sendrecv: recvbuf (10 MPI_INT to rank 1 with tag 3 from rank 1 with tag 3 on MPI_COMM_WORLD) overlaps sendbuf of the same call (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers gather-alias", []string{
			"rank 1 of 2: MPI_Gather at buffers.c:@gather: recvbuf (1 MPI_INT on MPI_COMM_WORLD) overlaps sendbuf of the same call (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers alltoallv-blocks", []string{
			"rank 0 of 2: MPI_Alltoallv at buffers.c:@alltoallv: parts of recvbuf (on MPI_COMM_WORLD) overlap (GOMPI_CHECK=buffers)",
			"rank 1 of 2: MPI_Alltoallv at buffers.c:@alltoallv: parts of recvbuf (on MPI_COMM_WORLD) overlap (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers status-in-buffer", []string{
			"rank 0 of 2: MPI_Recv at buffers.c:@status: status overlaps a buffer of MPI_Irecv at buffers.c:@under-status (50000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD), which is not complete (GOMPI_CHECK=buffers)",
			"rank 0 of 2: MPI_Wait at buffers.c:@under-status-wait: buf of MPI_Irecv at buffers.c:@under-status (50000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) was changed before the message came (GOMPI_CHECK=buffers)",
		}},
		{2, "buffers local-read", []string{
			"rank 0 of 2: MPI_Reduce_local at buffers.c:@local: inbuf (10 MPI_INT) overlaps buf of MPI_Irecv at buffers.c:@before-local (10 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD), which is not complete (GOMPI_CHECK=buffers)",
		}},
	})
	pass(t, 2, "buffers right-send-changed", "buffers right-persistent", "buffers right-columns",
		"buffers right-aliases")
}
