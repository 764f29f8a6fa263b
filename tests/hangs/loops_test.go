package hangs

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestLoops has ranks that never come back to MPI. They may have to compute for so long, so nothing is said
// by itself. Whoever asks, or sets a limit of time, hears who keeps the others waiting.
func TestLoops(t *testing.T) {
	for _, c := range []struct{ what, want string }{
		{"loops collective",
			"ranks 0, 1 wait in MPI_Allreduce for rank 2, MPI_SUM, 1 MPI_INT, on MPI_COMM_WORLD; rank 2 does not wait in MPI: it uses its processor"},
		{"loops message",
			"rank 1 waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD; rank 0 does not wait in MPI: it uses its processor"},
		{"loops sleeper",
			"ranks 1, 2 wait in MPI_Barrier for rank 0, on MPI_COMM_WORLD; rank 0 does not wait in MPI: it sleeps in nanosleep"},
	} {
		t.Run(strings.ReplaceAll(c.what, " ", "/"), func(t *testing.T) {
			t.Parallel()
			cmd, out := begin(t, 3, c.what, "--report-hang", "1")
			until(t, func() bool {
				text, err := exec.Command(mpiexec, "--attach", strconv.Itoa(cmd.Process.Pid)).Output()
				return err == nil && strings.HasSuffix(string(text), "\n"+c.want+"\n")
			})
			if text := out.String(); text != "" {
				t.Errorf("unasked: %s", text)
			}
			text := atTimeLimit(t, 3, c.what, "\nmpiexec: "+c.want+"\n", "--report-hang", "1")
			if strings.Contains(text, headline) {
				t.Error(text)
			}
		})
	}
}
