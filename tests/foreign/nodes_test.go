package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Ranks of several nodes, which talk over libfabric. The nodes are those of the Slurm cluster: they are on
// one machine, but nothing tells that to the ranks.

// nodeLaunchers are those that start ranks on several nodes and offer a PMI.
func nodeLaunchers() (all []launcher) {
	for _, l := range launchers {
		if l.needs == "" && !l.none {
			all = append(all, l)
		}
	}
	return all
}

// needFabric skips a test where there is no libfabric.
func needFabric(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"/usr/lib/*/libfabric.so.1", "/usr/lib*/libfabric.so.1", "/usr/local/lib/libfabric.so.1"} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return
		}
	}
	t.Skip("libfabric is not installed (Debian: libfabric1)")
}

// eachOnNodes runs a test under each launcher that starts ranks on several nodes, in short mode under the
// first.
func eachOnNodes(t *testing.T, test func(t *testing.T, l launcher)) {
	needFabric(t)
	all := nodeLaunchers()
	if testing.Short() {
		all = all[:1]
	}
	for _, l := range all {
		t.Run(l.name, func(t *testing.T) {
			l.check(t)
			test(t, l)
		})
	}
}

// Ranks of several nodes make one world.
func TestWorldOfNodes(t *testing.T) {
	eachOnNodes(t, func(t *testing.T, l launcher) {
		for _, c := range []struct{ nodes, n int }{{2, 2}, {2, 4}, {3, 3}, {3, 7}} {
			r := l.run(t, "-N", fmt.Sprint(c.nodes), "-n", fmt.Sprint(c.n), program(t))
			for rank := range c.n {
				r.want(t, 0, fmt.Sprintf("rank %d of %d, sum %d\n", rank, c.n, c.n*(c.n-1)/2))
			}
			if strings.Contains(r.out, "gompi: ") {
				t.Errorf("something was said:\n%s", r.out)
			}
		}
	})
}

// The death of a rank ends the ranks of the other nodes as well, also where it was alone on its node. Nobody
// of gompi can tell of it there: Slurm does.
func TestEndsOnNodes(t *testing.T) {
	eachOnNodes(t, func(t *testing.T, l launcher) {
		for _, how := range []string{"kill", "exit0", "exit3", "abort"} {
			for _, others := range []string{"wait", "busy"} {
				t.Run(how+" "+others, func(t *testing.T) {
					words := []string{"-N", "3", "-n", "6", program(t), how, "4"}
					if others == "busy" {
						words = append(words, others)
					}
					r := l.run(t, words...)
					if r.code == 0 {
						t.Errorf("exit code 0:\n%s", r.out)
					}
					if !strings.Contains(r.out, "CANCELLED") || strings.Count(r.out, "gompi: ") > 1 {
						t.Errorf("it does not say why in a line:\n%s", r.out)
					}
				})
			}
		}
	})
}

// What ranks of several machines cannot do is refused with the reason, and ranks of one can do it.
func TestRefusedOnNodes(t *testing.T) {
	eachOnNodes(t, func(t *testing.T, l launcher) {
		r := l.run(t, "-N", "2", "-n", "3", compiled(t, "tests/foreign/testdata/refused.c"), t.TempDir())
		for rank := range 3 {
			r.want(t, 0, fmt.Sprintf("rank %d has read %d\n", rank, rank))
		}
	})
}

// Programs of tests/c that make sense wherever their ranks are, and the arguments that keep them short.
var anywhere = []string{
	"attr/communicators", "coll/alltoall", "coll/barrier", "coll/bcast", "coll/gather", "coll/minloc", "coll/ops",
	"coll/reduce", "coll/small", "coll/user_op", "comm/idup", "comm/inter", "datatype/transfer", "p2p/cancel",
	"p2p/matched", "p2p/matching", "p2p/modes", "p2p/order", "p2p/persistent", "p2p/probe", "p2p/sendrecv",
	"p2p/sizes", "p2p/truncate", "p2p/wildcards", "p2p/window", "part/exchange", "rma/active", "rma/operations",
	"rma/passive", "rma/order 20", "threads/multiple", "topo/neighbor",
}

// The conformance programs run as on one node, with as many ranks on each node and with unequal numbers.
func TestProgramsOnNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	needFabric(t)
	l := nodeLaunchers()[0]
	l.check(t)
	for i, words := range anywhere {
		argv := strings.Fields(words)
		t.Run(argv[0], func(t *testing.T) {
			source := filepath.Join("tests/c", argv[0]+".c")
			if _, err := os.Stat(filepath.Join(root, source)); err != nil {
				t.Fatal(err)
			}
			spread := []string{"-N", "2", "-n", "4", "--distribution=block:block"}
			if i%2 == 1 {
				spread = []string{"-N", "3", "-n", "4"}
			}
			argv[0] = compiled(t, source)
			l.run(t, append(spread, argv...)...).want(t, 0)
		})
	}
}
