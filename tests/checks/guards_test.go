package checks

import "testing"

// TestGuards has programs use buffers whose pages are guarded.
func TestGuards(t *testing.T) {
	find(t, []wrong{
		{2, "guards read", []string{
			"rank 0 of 2: the program at guards.c:@read: buf of MPI_Irecv at guards.c:@irecv (100000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) was read before the message came (GOMPI_CHECK=buffers)",
		}},
		{2, "guards written", []string{
			"rank 0 of 2: the program at guards.c:@written: buf of MPI_Irecv at guards.c:@irecv-written (100000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) was written before the message came (GOMPI_CHECK=buffers)",
		}},
		{2, "guards persistent", []string{
			"rank 0 of 2: the program at guards.c:@read-started: buf of MPI_Start at guards.c:@start (100000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD, made by MPI_Recv_init at guards.c:@recv-init) was read before the message came (GOMPI_CHECK=buffers)",
		}},
		{2, "guards cancelled", []string{
			"rank 0 of 2: the program at guards.c:@read-cancelled: buf of MPI_Irecv at guards.c:@irecv-cancelled (100000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) was read before the message came (GOMPI_CHECK=buffers)",
		}},
		{2, "guards handler", []string{
			"rank 0 of 2: the program at guards.c:@read-handled: buf of MPI_Irecv at guards.c:@irecv-handled (100000 MPI_INT from rank 1 with tag 3 on MPI_COMM_WORLD) was read before the message came (GOMPI_CHECK=buffers)",
		}},
	})
	pass(t, 2, "guards right-ends", "guards right-exchange")
}
