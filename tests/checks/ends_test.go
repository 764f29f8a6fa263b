package checks

import "testing"

func TestEnds(t *testing.T) {
	find(t, []wrong{
		{2, "ends objects", []string{
			"rank 0 of 2:   1 x attached buffer of 1000 bytes",
			"rank 0 of 2:   1 x attribute key made by MPI_Comm_create_keyval at ends.c:@key",
			"rank 0 of 2:   1 x communicator \"halo\" made by MPI_Comm_dup at ends.c:@dup",
			"rank 0 of 2:   1 x datatype made by MPI_Type_contiguous at ends.c:@type",
			"rank 0 of 2:   1 x group made by MPI_Comm_group at ends.c:@group",
			"rank 0 of 2:   1 x memory of 80 bytes made by MPI_Alloc_mem at ends.c:@memory",
			"rank 0 of 2:   1 x window made by MPI_Win_create at ends.c:@win, in an epoch (1 targets are locked: MPI_Win_unlock has to come first (MPI_ERR_RMA_SYNC))",
			"rank 0 of 2: 7 objects were never freed (GOMPI_CHECK=leaks):",
			"rank 1 of 2:   1 x attached buffer of 1000 bytes",
			"rank 1 of 2:   1 x attribute key made by MPI_Comm_create_keyval at ends.c:@key",
			"rank 1 of 2:   1 x communicator \"halo\" made by MPI_Comm_dup at ends.c:@dup",
			"rank 1 of 2:   1 x datatype made by MPI_Type_contiguous at ends.c:@type",
			"rank 1 of 2:   1 x group made by MPI_Comm_group at ends.c:@group",
			"rank 1 of 2:   1 x memory of 80 bytes made by MPI_Alloc_mem at ends.c:@memory",
			"rank 1 of 2:   1 x window made by MPI_Win_create at ends.c:@win, in an epoch (1 targets are locked: MPI_Win_unlock has to come first (MPI_ERR_RMA_SYNC))",
			"rank 1 of 2: 7 objects were never freed (GOMPI_CHECK=leaks):",
		}},
		{2, "ends other-objects", []string{
			"rank 0 of 2:   1 x error handler made by MPI_Comm_create_errhandler at ends.c:@errhandler",
			"rank 0 of 2:   1 x info object made by MPI_Info_create at ends.c:@info",
			"rank 0 of 2:   1 x matched message made by MPI_Mprobe at ends.c:@mprobe",
			"rank 0 of 2:   1 x reduction operation made by MPI_Op_create at ends.c:@op",
			"rank 0 of 2:   1 x request of an operation, made by MPI_Grequest_start at ends.c:@grequest",
			"rank 0 of 2: 5 objects were never freed (GOMPI_CHECK=leaks):",
			"rank 1 of 2:   1 x error handler made by MPI_Comm_create_errhandler at ends.c:@errhandler",
			"rank 1 of 2:   1 x info object made by MPI_Info_create at ends.c:@info",
			"rank 1 of 2:   1 x reduction operation made by MPI_Op_create at ends.c:@op",
			"rank 1 of 2: 3 objects were never freed (GOMPI_CHECK=leaks):",
		}},
		{2, "ends file", []string{
			"rank 0 of 2:   1 x file \"left.tmp\" made by MPI_File_open at ends.c:@open",
			"rank 0 of 2: 1 object was never freed (GOMPI_CHECK=leaks):",
			"rank 1 of 2:   1 x file \"left.tmp\" made by MPI_File_open at ends.c:@open",
			"rank 1 of 2: 1 object was never freed (GOMPI_CHECK=leaks):",
		}},
		{2, "ends requests", []string{
			"rank 0 of 2:   1 x request of a receive, made by MPI_Irecv at ends.c:@irecv (10 MPI_INT from rank 1 with tag 6 on MPI_COMM_WORLD), cancelled by MPI_Cancel at ends.c:@cancel and not completed",
			"rank 0 of 2:   1 x request of a receive, made by MPI_Irecv at ends.c:@lost (10 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD)",
			"rank 0 of 2:   1 x request of a receive, persistent, made by MPI_Recv_init at ends.c:@never-freed (10 MPI_INT from rank 1 with tag 5 on MPI_COMM_WORLD)",
			"rank 0 of 2: 3 objects were never freed (GOMPI_CHECK=leaks):",
		}},
		{2, "ends messages", []string{
			"rank 0 of 2: MPI_Finalize at ends.c:@end: nobody has received a message from rank 1 with tag 7 on MPI_COMM_WORLD: 10 MPI_INT (MPI_Send at ends.c:@send) (GOMPI_CHECK=messages)",
			"rank 0 of 2: MPI_Finalize at ends.c:@end: nobody has received a message from rank 1 with tag 8 on MPI_COMM_WORLD: 2 MPI_DOUBLE (MPI_Send at ends.c:@other-send) (GOMPI_CHECK=messages)",
		}},
		{2, "ends freed", []string{
			"rank 0 of 2: MPI_Request_free at ends.c:@free: the request of MPI_Irecv at ends.c:@freed (10 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) is freed while it is active: nobody can know when the buffer may be used (GOMPI_CHECK=requests)",
			"rank 0 of 2: MPI_Wait at ends.c:@wait: the request of MPI_Recv_init at ends.c:@init (10 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) has never been started (GOMPI_CHECK=requests)",
		}},
		{2, "ends started-twice", []string{
			"rank 0 of 2: MPI_Start at ends.c:@start: the persistent request is active: it has to be completed before it is started again (MPI_ERR_REQUEST)",
		}},
	})
	pass(t, 2, "ends right-objects", "ends right-requests")
}
