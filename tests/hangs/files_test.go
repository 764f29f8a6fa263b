package hangs

import "testing"

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{3, "files write-all",
			"rank 0 has not entered MPI_File_write_at_all on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files set-view",
			"rank 0 has not entered MPI_File_set_view on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files ordered",
			"rank 0 has not entered MPI_File_write_ordered on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files read-all",
			"rank 0 has not entered MPI_File_read_all on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files iwrite-all",
			"rank 0 has not entered MPI_File_close on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files begin-end",
			"rank 0 has not entered MPI_File_close on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files set-size",
			"rank 0 has not entered MPI_File_set_size on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{3, "files close",
			"rank 0 has not entered MPI_File_close on file hangs.tmp (context N), in which ranks 1, 2 wait: it waits in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "files two",
			"rank 1 has not entered MPI_File_close on file other.tmp (context N), in which rank 0 waits: it waits in MPI_File_close for other ranks, on file hangs.tmp (context N)"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}
