package hangs

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// each is two ranks that wait for each other in a call.
func each(call, what string) string {
	return fmt.Sprintf("ranks 0, 1 wait for each other: rank 0 in %[1]s for %[2]s and rank 1 in %[1]s for %[3]s", call,
		strings.ReplaceAll(what, "#", "1"), strings.ReplaceAll(what, "#", "0"))
}

// TestPolls has ranks that poll for what does not come.
func TestPolls(t *testing.T) {
	const message = "a message from rank #, tag 3, 4 bytes, on MPI_COMM_WORLD"
	for _, c := range []struct{ what, want string }{
		{"polls test", each("MPI_Test", message)},
		{"polls sleeps", each("MPI_Test", message)},
		{"polls seldom", each("MPI_Test", message)},
		{"polls testall", each("MPI_Testall", message)},
		{"polls testany", each("MPI_Testany", message)},
		{"polls testsome", each("MPI_Testsome", message)},
		{"polls status", each("MPI_Request_get_status", message)},
		{"polls iprobe", each("MPI_Iprobe", "a message from rank #, tag 3, on MPI_COMM_WORLD")},
		{"polls improbe", each("MPI_Improbe", "a message from rank #, any tag, on MPI_COMM_WORLD")},
		{"polls issend", each("MPI_Test", "the receive of a message by rank #, tag 3, 1 MPI_INT, on MPI_COMM_WORLD")},
		{"polls wrong-tag", "rank 0 in MPI_Test waits for tag 3, but rank 1 has sent tag 7"},
		{"polls exscan",
			"rank 0 has not entered MPI_Iexscan on MPI_COMM_WORLD, in which rank 1 waits: it waits in MPI_Iprobe for a message from rank 1, tag 3, on MPI_COMM_WORLD"},
		{"polls parrived",
			"rank 1 has not entered MPI_Barrier on MPI_COMM_WORLD, in which rank 0 waits: it waits in MPI_Parrived for partition 1 of a message from rank 0, tag 3, 2 MPI_INT, on MPI_COMM_WORLD"},
		{"polls win-test", "rank 0 waits in MPI_Win_test for itself: for MPI_Win_complete of ranks 0, 1, in table"},
	} {
		check(t, 2, c.what, c.want)
	}
	check(t, 3, "loops polls",
		"rank 0 has not entered MPI_Barrier on MPI_COMM_WORLD, in which ranks 1, 2 wait: it waits in MPI_Test for a message from rank 1, tag 5, 4 bytes, on MPI_COMM_WORLD")
}

// TestPollsInTurn has a rank that asks for two things in turn: both are told, and how often it has asked.
func TestPollsInTurn(t *testing.T) {
	t.Parallel()
	table, cause := report(t, 2, "polls in-turn")
	if !strings.HasPrefix(cause, "rank 1 waits in MPI_Barrier") &&
		!strings.HasPrefix(cause, "rank 0 has not entered MPI_Barrier on MPI_COMM_WORLD, in which rank 1 waits: it waits in MPI_") {
		t.Error(cause)
	}
	text := strings.Join(table, "\n")
	for _, want := range []string{`MPI_Test`, `MPI_Iprobe`, `; or a message from rank 1`, `tag 3, 4 bytes`, `tag 4`,
		`\(asked [1-9][0-9]* times\)`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestPollsAndComputes asks for a rank that computes between its questions: the others wait for it.
func TestPollsAndComputes(t *testing.T) {
	t.Parallel()
	cmd, _ := begin(t, 2, "polls forever", "--report-hang", "0")
	const want = "\nrank 1 waits in MPI_Test for a message from rank 0, tag 3, 4 bytes, on MPI_COMM_WORLD; rank 0 polls in MPI_Test and goes on in between\n"
	until(t, func() bool {
		text, err := exec.Command(mpiexec, "--attach", strconv.Itoa(cmd.Process.Pid)).Output()
		return err == nil && strings.HasSuffix(string(text), want)
	})
}
