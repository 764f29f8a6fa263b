package hosts

import (
	"fmt"
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

// Who needs no network needs no library for it; who does is told once.
func TestWithoutLibrary(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/late.c")
	args := func(how string) []string {
		return []string{"-hosts", w.list(2, 1), "-x", "GOMPI_LIBFABRIC=/none", prog, how}
	}
	w.mpiexec(t, "", args("quiet")...).want(t, 0, "is done", "")
	r := w.mpiexec(t, "", args("talk")...)
	if r.code == 0 || !strings.Contains(r.err, "libfabric cannot be used: /none") ||
		!strings.Contains(r.err, "Debian's package is libfabric1") || strings.Contains(r.err, "goroutine") {
		t.Errorf("exit code %d: %s", r.code, r.err)
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
