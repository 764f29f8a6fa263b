package libfabric

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Sleeps end by the descriptor and by the bell, and none misses either.
func TestSleeper(t *testing.T) {
	for _, sanitizer := range []string{"thread", "address,undefined"} {
		t.Run(sanitizer, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "check")
			if out, err := exec.Command("gcc", "-O1", "-g", "-Wall", "-Wextra", "-fsanitize="+sanitizer, "-pthread",
				"-o", program, "testdata/sleeper_check.c", "sleeper.c").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			limited, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			if out, err := exec.CommandContext(limited, program).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
