package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that takes too long is stopped with all that it has started, also what has left its process group
// and session, and whose parent has gone.
func TestNothingOutlivesTheLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	_, err := execute(t.Context(), 500*time.Millisecond, nil, "/bin/sh", "-c",
		fmt.Sprintf("(setsid sh -c 'trap \"\" TERM; echo $$ >%s.new; mv %s.new %s; "+
			"while :; do sleep 1; done' &) ; sleep 60",
			file, file, file))
	if err == nil || !strings.Contains(err.Error(), "did not end within") {
		t.Fatalf("error %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z ")) {
		t.Errorf("process %d is still there: %s", pid, stat)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
