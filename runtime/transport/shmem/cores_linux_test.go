package shmem

import (
	"os"
	"path/filepath"
	"testing"
)

// The processors that a control group allows, rounded up; 0 where it sets no limit or says nothing that can
// be read.
func TestQuotaOfControlGroup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cpu.max")
	for text, want := range map[string]int{"200000 100000\n": 2, "150000 100000\n": 2, "5000 100000\n": 1, "max 100000\n": 0,
		"": 0, "100000": 0, "100000 0\n": 0, "1 2 3\n": 0} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := groupQuota(file); got != want {
			t.Errorf("%q allows %d processors, want %d", text, got, want)
		}
	}
	if got := groupQuota(file + ".none"); got != 0 {
		t.Errorf("a group without the file allows %d processors", got)
	}
	if got := Cores(); got < 1 {
		t.Errorf("there are %d processors", got)
	}
}
