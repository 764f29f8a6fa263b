package launch

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// Ranks that all abort and end before the launcher hears of it have asked for the end, each of them:
// whichever request comes first, no rank is taken for one that has ended without a word.
func TestAbortOfAll(t *testing.T) {
	const n = 3
	for first := range n {
		said, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		j, err := newJob(&Spec{Name: "mpiexec"})
		if err != nil {
			t.Fatal(err)
		}
		j.out.Stderr = output.NewQueue(j.out, int(said.Fd()))
		w := world.New(0, []process.App{{Ranks: n}}, n)
		if err := j.populate(w); err != nil {
			t.Fatal(err)
		}
		j.Enter(w)
		for _, r := range w.Ranks {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close(pair[1])
			r.Conn, r.Begun = world.NewConn(j.user, r, pair[0]), true
			unix.Write(pair[1], []byte("cmd=abort exitcode=7\n"))
			ends := exec.Command("sh", "-c", "exit 7")
			if err := ends.Start(); err != nil {
				t.Fatal(err)
			}
			r.Pid = ends.Process.Pid
			j.living++
			w.Living++
			for until := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
				if pid, _ := process.Ended(r.Pid); pid == r.Pid {
					break
				} else if time.Now().After(until) {
					t.Fatal("a process does not end")
				}
			}
		}
		w.Ranks[first].Conn.Receive()
		text, err := os.ReadFile(said.Name())
		if lines := strings.Count(string(text), "\n"); err != nil || lines != 1 || j.end.code != 7 ||
			!strings.Contains(string(text), "called MPI_Abort with code 7") {
			t.Errorf("rank %d first: code %d, %q, %v", first, j.end.code, text, err)
		}
		j.killRanks()
	}
}
