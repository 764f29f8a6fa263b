package foreign

import (
	"strings"
	"testing"
)

// Where hydra lets a job go on after a death it sends SIGUSR1 to those that live, which does not end them.
// At times it kills them all itself, as it does programs of its own. Its exit code is made of the signals
// that have ended ranks. It answers a rank that it has killed while that told hydra of its end, and fails.
func TestRecovery(t *testing.T) {
	const runs = 10
	l := launchers[0]
	l.check(t)
	stale := compiled(t, "tests/c/recovery/stale.c")
	t.Setenv("GOMPI_RECOVERY", "1")
	failed := 0
	for range runs {
		r := l.run(t, "-disable-auto-cleanup", "-n", "4", stale)
		if r.code == 255 && strings.Contains(r.out, "fn_finalize") && strings.Contains(r.out, "Broken pipe") {
			failed++
			continue
		}
		r.want(t, 9)
	}
	if failed > runs/2 {
		t.Errorf("hydra has failed in %d of %d runs", failed, runs)
	}
}
