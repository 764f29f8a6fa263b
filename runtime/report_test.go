package runtime

import "testing"

// Reports name functions as programs spell them, extensions as well.
func TestFunctionOf(t *testing.T) {
	for export, want := range map[string]string{
		"main.gompi_Recv":          "MPI_Recv",
		"main.gompi_X_Comm_shrink": "MPIX_Comm_shrink",
		"gompi/mpi.Recv":           "",
	} {
		if got := functionOf(export); got != want {
			t.Errorf("%s: %q, want %q", export, got, want)
		}
	}
}
