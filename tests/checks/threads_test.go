package checks

import "testing"

func TestThreads(t *testing.T) {
	find(t, []wrong{
		{1, "threads after funneled", []string{
			"rank 0 of 1: MPI_Comm_set_name at threads.c:@other: called by , but MPI was initialized by  with MPI_THREAD_FUNNELED (GOMPI_CHECK=threads)",
		}},
		{1, "threads both serialized", []string{
			"rank 0 of 1: MPI_Iprobe at threads.c:@probe: called by  while  is in MPI_Recv at threads.c:@receive; MPI was initialized with MPI_THREAD_SERIALIZED (GOMPI_CHECK=threads)",
			"rank 0 of 1: MPI_Send at threads.c:@send: called by  while  is in MPI_Recv at threads.c:@receive; MPI was initialized with MPI_THREAD_SERIALIZED (GOMPI_CHECK=threads)",
		}},
		{1, "threads reduction communicates", []string{
			"rank 0 of 1: MPI_Iprobe at threads.c:@in-function: called by a reduction function of the program's, which MPI_Reduce_local at threads.c:@reduce runs; it must not communicate (GOMPI_CHECK=threads)",
		}},
	})
	pass(t, 1, "threads after serialized", "threads both multiple", "threads reduction local")
}
