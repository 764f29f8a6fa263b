package hangs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lineOf is the number of the line of a source that contains text.
func lineOf(t *testing.T, source, text string) int {
	t.Helper()
	all, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(all), text)
	if !found {
		t.Fatalf("%s has no %q", source, text)
	}
	return strings.Count(before, "\n") + 1
}

// TestPlaces has a program with debugging information, whose table names the lines of the calls.
func TestPlaces(t *testing.T) {
	t.Parallel()
	build := exec.Command(filepath.Join(filepath.Dir(mpiexec), "mpicc"), "-g", "-o", filepath.Join(programs, "placed"),
		"testdata/messages.c", "-lpthread")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	line := lineOf(t, "testdata/messages.c", "MPI_Recv(data, 1, MPI_INT, from, tag, WORLD, IGNORE)")
	want := fmt.Sprintf("MPI_Recv at messages.c:%d ", line)
	for _, options := range [][]string{nil, {"--pretend-nodes", "2"}, {"--trace", "placed.json"}} {
		table, cause := report(t, 3, "placed tag", options...)
		if text := strings.Join(table, "\n"); !strings.Contains(text, want) ||
			cause != "rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7" {
			t.Errorf("%q: no %s\n%s\n%s", options, want, text, cause)
		}
	}
}
