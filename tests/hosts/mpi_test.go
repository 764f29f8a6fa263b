package hosts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Programs of MPI over hosts that have nothing in common but files.

// overHosts is how mpiexec reaches hosts of their own: ranks of names for this machine would share it.
func overHosts(t *testing.T) way {
	t.Helper()
	needHosts(t)
	return ways()[1]
}

// needLibrary skips a test where libfabric is not here.
func needLibrary(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"/usr/lib/*/libfabric.so.1", "/usr/lib*/libfabric.so.1", "/usr/local/lib/libfabric.so.1"} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return
		}
	}
	t.Skip("libfabric is not installed (Debian: libfabric1)")
}

// library is a copy of the build tree's library in the folder that the hosts share: the build tree may lie
// where each has a folder of its own.
var library = sync.OnceValues(func() (string, error) {
	to := filepath.Join(folder, "lib")
	out, err := exec.Command("cp", "-rL", filepath.Join(root, "build/lib"), to).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return to, err
})

// compiled is a program of the sources, compiled with the build tree into the folder that the hosts share.
func compiled(t *testing.T, source string) string {
	t.Helper()
	mpicc := filepath.Join(root, "build/bin/mpicc")
	if _, err := os.Stat(mpicc); err != nil {
		t.Skip("there is no build tree: make")
	}
	lib, err := library()
	if err != nil {
		t.Fatal(err)
	}
	return built(t, source, "-Wl,-rpath,"+lib)
}

// unlinked is a program that does not say where its library is.
func unlinked(t *testing.T, source string) string {
	t.Helper()
	return built(t, source, "-Wl,-rpath,/none")
}

func built(t *testing.T, source, path string) string {
	t.Helper()
	mpicc := filepath.Join(root, "build/bin/mpicc")
	out := filepath.Join(folder, strings.TrimSuffix(strings.ReplaceAll(source, "/", "-"), ".c"))
	if strings.HasSuffix(path, "/none") {
		out += "-unlinked"
	}
	compile := exec.Command(mpicc, "-O1", "-DTEST_GOMPI=1", "-I", filepath.Join(root, "tests/c"),
		filepath.Join(root, source), "-o", out, "-lm", "-lpthread", path)
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", source, err, text)
	}
	return out
}

// Ranks of several hosts make one world, and the death of one ends all, with one line.
func TestWorld(t *testing.T) {
	w := overHosts(t)
	ends := compiled(t, "tests/foreign/testdata/ends.c")
	for _, n := range []int{2, 3, 4, 7} {
		r := w.mpiexec(t, "", "-hosts", w.list(3, 1), "-n", fmt.Sprint(n), ends)
		r.want(t, 0, "", "")
		for k := range n {
			if line := fmt.Sprintf("rank %d of %d, sum %d\n", k, n, n*(n-1)/2); !strings.Contains(r.out, line) {
				t.Errorf("%q is not in:\n%s", line, r.out)
			}
		}
	}
	for how, code := range map[string]int{"kill": 137, "exit3": 3, "abort": 7} {
		for _, others := range []string{"wait", "busy"} {
			t.Run(how+" "+others, func(t *testing.T) {
				args := []string{"-hosts", w.list(3, 2), "-n", "6", ends, how, "4"}
				if others == "busy" {
					args = append(args, others)
				}
				r := w.mpiexec(t, "", args...)
				if r.code != code || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "rank 4") ||
					!strings.Contains(r.err, "node3") {
					t.Errorf("exit code %d, want %d:\n%s", r.code, code, r.err)
				}
			})
		}
	}
}

// Conformance programs run on as many ranks of each host, and on unequal numbers.
func TestPrograms(t *testing.T) {
	overHosts(t).overEach(t, func(t *testing.T, w way) {
		for i, name := range []string{"p2p/matching", "p2p/sizes", "coll/ops", "coll/alltoall", "comm/inter",
			"part/exchange", "rma/operations", "rma/passive", "threads/multiple", "topo/neighbor"} {
			t.Run(name, func(t *testing.T) {
				hosts := []string{"node1:2,node2:2", "node1:3,node2:1"}[i%2]
				w.mpiexec(t, "", "-hosts", hosts, "-n", "4", compiled(t, "tests/c/"+name+".c")).want(t, 0, "", "")
			})
		}
	})
}

// Two hosts are tested against each other by gompi-info, which the second one does not have.
func TestBetween(t *testing.T) {
	w := overHosts(t)
	lib, err := library()
	if err != nil {
		t.Fatal(err)
	}
	info := filepath.Join(root, "build/bin/gompi-info")
	if _, err := os.Stat(info); err != nil {
		t.Skip("there is no build tree: make")
	}
	beside := filepath.Join(filepath.Dir(lib), "gompi-info")
	if out, err := exec.Command("cp", info, beside).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := runPlain(t, append(w.run(t), beside, "--fabric", w.hosts[0], w.hosts[1]))
	r.want(t, 0, "node1 and node2, by ", "")
	r.want(t, 0, "     4194304 bytes", "")
	r.want(t, 0, "Each byte was right.\n", "")
	r = runPlain(t, append(w.run(t), beside, "--fabric", w.hosts[0], "nodeX"))
	r.want(t, 1, "", "host nodeX: ssh: Could not resolve hostname nodex")
}
