package hangs

import "testing"

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		ranks      int
		what, want string
	}{
		{3, "messages two",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 5, 1 MPI_INT, on MPI_COMM_WORLD"},
		{4, "messages circle",
			"a cycle of waits: ranks 0-3 wait in MPI_Recv, each for the next: 0 -> 1 -> 2 -> 3 -> 0"},
		{2, "messages sends",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Send for the receive of a message by rank 1, tag 3, 1048576 MPI_CHAR, on MPI_COMM_WORLD and rank 1 in MPI_Send for the receive of a message by rank 0, tag 3, 1048576 MPI_CHAR, on MPI_COMM_WORLD"},
		{2, "messages ssends",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Ssend for the receive of a message by rank 1, tag 3, 2 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Ssend for the receive of a message by rank 0, tag 3, 2 MPI_INT, on MPI_COMM_WORLD"},
		{3, "messages tag",
			"rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7"},
		{2, "messages ssend-tag",
			"rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7"},
		{2, "messages communicator",
			"rank 1 in MPI_Recv waits for tag 5 on MPI_COMM_WORLD, but rank 0 has sent it on copy (context 2)"},
		{3, "messages source",
			"rank 0 in MPI_Recv waits for a message with tag 4 from rank 1, but it was rank 2 that has sent one"},
		{2, "messages self-ssend",
			"rank 0 waits in MPI_Ssend for its own receive of the message that it sends to itself, tag 6 on MPI_COMM_WORLD, and has posted none"},
		{2, "messages self-recv",
			"rank 1 waits in MPI_Recv for a message from itself, tag 6 on MPI_COMM_SELF (context 1), and has sent none"},
		{2, "messages probe",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Probe for a message from rank 1, tag 9, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 9, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "messages probe-tag",
			"rank 0 in MPI_Probe waits for tag 9, but rank 1 has sent tag 2"},
		{2, "messages finalize",
			"rank 0 waits in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on MPI_COMM_WORLD; rank 1 has called MPI_Finalize"},
		{3, "messages any",
			"rank 0 waits in MPI_Recv for a message from any rank, tag 1, 1 MPI_INT, on MPI_COMM_WORLD, and all others that could send one wait as well"},
		{3, "messages forgotten",
			"rank 0 waits in MPI_Waitall for a message from rank 2, tag 1, 4 bytes, on MPI_COMM_WORLD; rank 2 has called MPI_Finalize"},
		{2, "messages waitany",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Waitany for a message from rank 1, tag 1, 4 bytes, on MPI_COMM_WORLD and rank 1 in MPI_Waitany for a message from rank 0, tag 1, 4 bytes, on MPI_COMM_WORLD"},
		{2, "messages never-started",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 3, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, "messages issend",
			"rank 0 waits in MPI_Wait for the receive of a message by rank 1, tag 5, 1 MPI_INT, on MPI_COMM_WORLD; rank 1 has called MPI_Finalize"},
		{3, "messages sendrecv",
			"rank 0 in MPI_Sendrecv waits for a message with tag 1 from rank 1, but it was rank 2 that has sent one"},
		{4, "messages halves",
			"ranks 1, 3 wait for each other: rank 1 in MPI_Recv for a message from rank 3, tag 5, 1 MPI_INT, on odd (context 2) and rank 3 in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on odd (context 2)"},
		{2, "messages mprobe",
			"rank 0 waits in MPI_Mprobe for a message from rank 1, tag 9, on MPI_COMM_WORLD; rank 1 has called MPI_Finalize"},
	} {
		check(t, c.ranks, c.what, c.want)
	}
}
