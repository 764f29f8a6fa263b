package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Ranks open the network when they need it, in whatever order they come to that and to their end.
func TestNetworkInTime(t *testing.T) { overHosts(t).overEach(t, networkInTime) }

func networkInTime(t *testing.T, w way) {
	prog := compiled(t, "tests/hosts/testdata/late.c")
	for _, how := range []string{"quiet", "pair", "near", "talk"} {
		for _, n := range []int{3, 5} {
			r := w.mpiexec(t, "", "-hosts", w.list(3, 2), "-n", fmt.Sprint(n), "--map-by", "node", prog, how)
			r.want(t, 0, "", "")
			if strings.Count(r.out, "is done") != n {
				t.Errorf("%s: %s", how, r.out)
			}
		}
	}
}

// noLibrary is a variable by which libfabric cannot be loaded.
func noLibrary(t *testing.T) []string {
	t.Helper()
	empty := filepath.Join(folder, "no-library")
	if err := os.MkdirAll(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(empty, "libfabric.so.1"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"-env", "LD_LIBRARY_PATH", empty}
}

// Where libfabric is not installed, jobs run over the built-in network. Where some hosts have it and some
// have not, the job ends with what to do.
func TestWithoutLibrary(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/late.c")
	none := append(noLibrary(t), prog)
	run := func(programs ...string) result {
		return w.mpiexec(t, "", append([]string{"-hosts", w.list(2, 1)}, programs...)...)
	}
	for _, how := range []string{"quiet", "long", "pair", "talk"} {
		r := run(append(none, how)...)
		if r.want(t, 0, "", ""); strings.Count(r.out, "is done") != 2 {
			t.Errorf("%s: %s", how, r.out)
		}
	}
	needLibrary(t)
	r := run(slices.Concat([]string{"-n", "1", prog, "talk", ":", "-n", "1"}, none, []string{"talk"})...)
	if r.code == 0 || !strings.Contains(r.err, "libfabric") || !strings.Contains(r.err, "GOMPI_FABRIC=builtin") ||
		strings.Contains(r.err, "goroutine") {
		t.Errorf("exit code %d: %s", r.code, r.err)
	}
}

// A library that the user has named is used, or the job ends with what is wrong with it.
func TestNamedLibrary(t *testing.T) {
	w := overHosts(t)
	none := []string{"-env", "GOMPI_LIBFABRIC", "/none", compiled(t, "tests/hosts/testdata/late.c")}
	for _, how := range []string{"talk", "sleep"} {
		r := w.mpiexec(t, "", append(append([]string{"-hosts", w.list(2, 1)}, none...), how)...)
		if r.code == 0 || !strings.Contains(r.err, "libfabric cannot be used: /none") ||
			!strings.Contains(r.err, "Debian's package is libfabric1") || strings.Contains(r.err, "goroutine") {
			t.Errorf("%s: exit code %d: %s", how, r.code, r.err)
		}
	}
}

// A rank that dies when the others are at their end, or that ends while the network is being opened, ends the
// job as ever.
func TestEndsInTime(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/late.c")
	for how, c := range map[string]struct {
		code int
		want string
	}{
		"kill": {137, "was killed by signal 9 (SIGKILL)"},
		"exit": {3, "exited with code 3 without MPI_Finalize"},
	} {
		r := w.mpiexec(t, "", "-hosts", w.list(3, 1), prog, how)
		if r.want(t, c.code, "", c.want); strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %s", how, r.err)
		}
	}
}
