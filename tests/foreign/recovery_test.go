package foreign

import "testing"

// Where hydra lets a job go on after a death it sends SIGUSR1 to those that live, which does not end them.
// At times it ends them all itself, as it does programs of its own. Its exit code is made of the signals that
// have ended ranks.
func TestRecovery(t *testing.T) {
	l := launchers[0]
	l.check(t)
	stale := compiled(t, "tests/c/recovery/stale.c")
	t.Setenv("GOMPI_RECOVERY", "1")
	for range 10 {
		l.run(t, "-disable-auto-cleanup", "-n", "4", stale).want(t, 9)
	}
}
