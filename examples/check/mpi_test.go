package check

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// limit is the longest that a run may take; it only guards against a hang.
const limit = 2 * time.Minute

// outcome is what a program left behind.
type outcome struct {
	stdout, stderr string
	code           int // exit code
}

// tool gives the command of an environment variable, or of a file in build/bin.
func tool(t *testing.T, variable, file string) []string {
	t.Helper()
	if words := strings.Fields(os.Getenv(variable)); len(words) > 0 {
		return words
	}
	path, err := filepath.Abs(filepath.Join("..", "..", "build", "bin", file))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not set and %s is not built", variable, path)
	}
	watch(filepath.Join(filepath.Dir(path), "..", "lib", "libgompi.so"))
	return []string{path}
}

// watch looks at a file that only commands open, so that go test does not take a
// result from its cache when the file has changed.
func watch(path string) { _, _ = os.Stat(path) }

// compile builds an example and returns the path of the program.
func compile(t *testing.T, name string) string {
	t.Helper()
	source, program := filepath.Join("..", name+".c"), filepath.Join(t.TempDir(), name)
	watch(source)
	command := append(tool(t, "MPICC", "mpicc"), "-O2", "-o", program, source)
	if o := run(t, command...); o.code != 0 {
		t.Fatalf("%s exits with %d:\n%s", strings.Join(command, " "), o.code, o.stderr)
	}
	return program
}

// mpiexec runs a program on so many ranks.
func mpiexec(t *testing.T, ranks int, program ...string) outcome {
	t.Helper()
	command := append(tool(t, "MPIEXEC", "mpiexec"), "-n", strconv.Itoa(ranks))
	return run(t, append(command, program...)...)
}

func run(t *testing.T, command ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	c.WaitDelay = time.Minute
	ownGroup(c)
	err := c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s: still running after %v", strings.Join(command, " "), limit)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", strings.Join(command, " "), err)
	}
	return outcome{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}
