package hosts

import (
	"fmt"
	"strings"
	"testing"
)

// A job over several hosts goes on without the ranks that die, wherever they were, and with the right result.
func TestRecovery(t *testing.T) {
	w := overHosts(t)
	for _, c := range []struct {
		program string
		n, lost int
		args    []string
	}{
		{"p2p", 6, 1, []string{"0"}},
		{"revoke", 6, 0, nil},
		{"agree", 6, 3, []string{"3"}},
		{"collectives", 6, 5, []string{"3000", "0", "0"}},
		{"solver", 6, 2, []string{"2"}},
		{"solver", 6, 2, []string{"2"}},
	} {
		program := compiled(t, "tests/c/recovery/"+c.program+".c")
		args := append([]string{"--enable-recovery", "-hosts", w.list(3, 2), "-n", fmt.Sprint(c.n), program}, c.args...)
		r := w.mpiexec(t, "", args...)
		if want := fmt.Sprintf("recovered without %d of %d\n", c.lost, c.n); !strings.Contains(r.out, want) {
			t.Errorf("%s: %q is not in:\n%s%s", c.program, want, r.out, r.err)
		}
		if (r.code == 0) != (c.lost == 0) {
			t.Errorf("%s: exit code %d", c.program, r.code)
		}
	}
	clean(t, 1, 2, 3)
}
