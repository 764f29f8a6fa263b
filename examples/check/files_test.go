package check

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The log reads the same whatever the timing, and a second run goes on where the first has stopped.
func TestOrderedLog(t *testing.T) {
	program := compile(t, "ordered_log")
	const ranks, steps = 5, 4
	path := filepath.Join(t.TempDir(), "log.txt")
	var want []string
	for range 2 {
		if o := mpiexec(t, ranks, program, path, fmt.Sprint(steps)); o.code != 0 {
			t.Fatalf("exit code %d\n%s", o.code, o.stderr)
		}
		for step := range steps {
			for rank := range ranks {
				if rank != 1 || step%2 == 0 {
					want = append(want, fmt.Sprintf("step %d  rank %d  ", step, rank))
				}
			}
		}
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(log), "\n"), "\n")
		if len(lines) != len(want) {
			t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), log)
		}
		for i, line := range lines {
			if !strings.HasPrefix(line, want[i]) {
				t.Errorf("line %d is %q, want %q...", i, line, want[i])
			}
		}
	}
}

// The picture is the same, bit for bit, on any number of ranks.
func TestMosaic(t *testing.T) {
	program := compile(t, "mosaic")
	dir := t.TempDir()
	var first []byte
	for _, ranks := range []int{1, 4, 6} {
		path := filepath.Join(dir, fmt.Sprint("picture", ranks))
		if o := mpiexec(t, ranks, program, path+".owners", path, "150", "16"); o.code != 0 {
			t.Fatalf("%d ranks: exit code %d\n%s", ranks, o.code, o.stderr)
		}
		picture, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(picture) != 17+150*150 {
			t.Errorf("%d ranks: the picture has %d bytes", ranks, len(picture))
		}
		if first == nil {
			first = picture
		}
		if !bytes.Equal(picture, first) {
			t.Errorf("the picture of %d ranks is another one", ranks)
		}
	}
}
