package hosts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// rough is how mpiexec reaches hosts whose network is slow. Each call makes them anew, with a delay of each
// frame and, in percent, a loss of those that arrive.
func rough(t *testing.T, delay string, loss int) way {
	t.Helper()
	overHosts(t)
	if _, err := os.Stat("/dev/net/tun"); err != nil {
		t.Skipf("the network cannot be delayed here: %v", err)
	}
	wire, dir := filepath.Join(folder, "wire"), filepath.Join(folder, "rough")
	build := exec.Command("go", "build", "-o", wire, "gompi/tests/cluster/wire")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command(script, "down", dir).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	if out, err := exec.Command(script, "up", dir, "3", wire, delay).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for host := 1; loss > 0 && host <= 3; host++ {
		lose := exec.Command(script, "loss", dir, fmt.Sprint(host), fmt.Sprint(loss))
		if out, err := lose.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	w := ways()[1]
	w.run = func(*testing.T) []string {
		return []string{script, "run", dir, "1", "env", "HYDRA_LAUNCHER_EXTRA_ARGS=-F " + dir + "/ssh_config", noHeartbeat}
	}
	return w
}

// Over a network that takes 5 ms, and one that loses one packet in a hundred, jobs start, and every byte
// comes.
func TestRoughNetwork(t *testing.T) {
	for _, c := range []struct {
		name, delay string
		loss        int
	}{{"delay", "5ms", 0}, {"loss", "100us", 1}} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath("/usr/sbin/nft"); c.loss > 0 && err != nil {
				t.Skip("nft is not installed (Debian: nftables)")
			}
			rough(t, c.delay, c.loss).overEach(t, allComes)
		})
	}
}

func allComes(t *testing.T, w way) {
	late := compiled(t, "tests/hosts/testdata/late.c")
	w.mpiexec(t, "", "-hosts", w.list(3, 2), "-n", "6", late, "talk").want(t, 0, "is done", "")
	for _, words := range [][]string{
		{"p2p/soak", "3", "7"}, {"coll/soak", "3", "7"}, {"rma/order", "20"}, {"part/exchange"},
	} {
		args := append([]string{"-hosts", w.list(3, 2), "-n", "4", compiled(t, "tests/c/"+words[0]+".c")}, words[1:]...)
		if r := w.mpiexec(t, "", args...); r.code != 0 || r.err != "" {
			t.Errorf("%q: exit code %d: %s%s", words, r.code, r.out, r.err)
		}
	}
}

// What a call has sent goes while the program computes, also where there is no connection before the call
// ends.
func TestSenderLeaves(t *testing.T) { rough(t, "30ms", 0).overEach(t, senderLeaves) }

func senderLeaves(t *testing.T, w way) {
	os.Remove(folder + "/left")
	leaves := compiled(t, "tests/hosts/testdata/leaves.c")
	w.mpiexec(t, "", "-hosts", w.list(2, 1), "-n", "2", leaves, folder+"/left").want(t, 0, "it has come", "")

	// Nor is a job called hung while the network is being opened.
	late := compiled(t, "tests/hosts/testdata/late.c")
	w.mpiexec(t, "", "--report-hang", "0.05", "-hosts", w.list(2, 1), "-n", "2", late, "talk").want(t, 0, "has begun", "")
}
