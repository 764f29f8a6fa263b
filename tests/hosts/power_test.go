package hosts

import (
	"strings"
	"testing"
)

// waiting starts a job over hosts in which ranks wait for others, within MPI and outside, until the test does
// something about it. mpiexec runs on the given host.
func waiting(t *testing.T, w way, from int, hosts, ready string) *running {
	t.Helper()
	prog := compiled(t, "tests/hosts/testdata/waits.c")
	argv := w.run(t)
	argv[3] = string(rune('0' + from))
	return startPlain(t, append(argv, "GOMPI_HEARTBEAT_TIMEOUT=5", mpiexec, "-hosts", hosts, "-n", "6", prog,
		"sleep", "3000", ready))
}

// A host from which nothing comes any more while its ranks and others talk is given up. The job ends on all
// others, and on one that lives, too.
func TestHostLost(t *testing.T) {
	w := overHosts(t)
	for _, verb := range []string{"cut", "crash"} {
		t.Run(verb, func(t *testing.T) {
			ready := folder + "/ready-lost-" + verb
			run := waiting(t, w, 1, "node1:2,node2:2,node5:2", ready)
			awaitFiles(t, ready, 6)
			control(t, verb, 5)
			r := run.wait(t)
			r.want(t, 1, "", "mpiexec: host node5: no sign of life for 5s; ranks 4, 5 are lost")
			if strings.Count(r.err, "\n") != 1 {
				t.Errorf("%q", r.err)
			}
			clean(t, 1, 2)
			if verb == "cut" {
				gone(t, 5)
				control(t, "heal", 5)
			}
		})
	}
}

// When the host of the launcher loses its power, ranks elsewhere end.
func TestLauncherLost(t *testing.T) {
	w := overHosts(t)
	ready := folder + "/ready-launcher-lost"
	run := waiting(t, w, 6, "node1:2,node2:2,node6:2", ready)
	awaitFiles(t, ready, 6)
	control(t, "crash", 6)
	gone(t, 1)
	gone(t, 2)
	for _, host := range []int{1, 2} { // servers of ssh do not know of it
		node(t, host, "pkill", "-f", "notty")
	}
	if r := run.wait(t); r.code == 0 {
		t.Errorf("a launcher without power has ended well: %q", r.err)
	}
}
