package hosts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Ranks open the network when they need it, in whatever order they come to that and to their end.
func TestNetworkInTime(t *testing.T) {
	w := overHosts(t)
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

// Who needs no network needs no library for it, however long it computes; who does is told once, and so is a
// rank without one that others need.
func TestWithoutLibrary(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/late.c")
	none := []string{"-env", "GOMPI_LIBFABRIC", "/none", prog}
	run := func(programs ...string) result {
		return w.mpiexec(t, "", append([]string{"-hosts", w.list(2, 1)}, programs...)...)
	}
	for _, how := range []string{"quiet", "long"} {
		r := run(append(none, how)...)
		if r.want(t, 0, "", ""); strings.Count(r.out, "is done") != 2 {
			t.Errorf("%s: %s", how, r.out)
		}
	}
	for name, programs := range map[string][]string{
		"all":          append(none, "talk"),
		"one sleeps":   append(none, "sleep"),
		"only sleeper": slices.Concat([]string{"-n", "1", prog, "sleep", ":", "-n", "1"}, none, []string{"sleep"}),
	} {
		r := run(programs...)
		if r.code == 0 || !strings.Contains(r.err, "libfabric cannot be used: /none") ||
			!strings.Contains(r.err, "Debian's package is libfabric1") || strings.Contains(r.err, "goroutine") {
			t.Errorf("%s: exit code %d: %s", name, r.code, r.err)
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
