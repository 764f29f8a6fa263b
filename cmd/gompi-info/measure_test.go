package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gompi/tests/programs"
)

// built is a folder with this command and, if wanted, the launcher.
func built(t *testing.T, commands ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range commands {
		if err := programs.Executable(filepath.Join(folder, name), "gompi/cmd/"+name); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Two processes measure every way for every size, and name the quickest.
func TestMeasure(t *testing.T) {
	folder := built(t, "gompi-info", "mpiexec")
	c := exec.Command(filepath.Join(folder, "gompi-info"), "--measure")
	c.WaitDelay = time.Minute
	watchdog := time.AfterFunc(2*time.Minute, func() { c.Process.Kill() })
	defer watchdog.Stop()
	text, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out := string(text)
	if !strings.Contains(out, "8 bytes take ") {
		t.Errorf("no latency in\n%s", out)
	}
	for _, n := range copySizes {
		if strings.Count(out, bytes(int(n))+" copied") != 1 {
			t.Errorf("no line for copies of %s in\n%s", bytes(int(n)), out)
		}
	}
	for _, c := range collectives {
		if strings.Count(out, "\n"+c.name+" ")+strings.Count(out, " "+c.name+" ") != len(blockSizes) &&
			!strings.Contains(out, "goes through shared memory") {
			t.Errorf("%s is not measured for each size in\n%s", c.name, out)
		}
	}
	lines := strings.Split(out, "\n")
	for _, n := range sizes {
		at := slices.IndexFunc(lines, func(l string) bool {
			return strings.HasPrefix(strings.TrimSpace(l), bytes(n)+" ")
		})
		if at < 0 {
			t.Errorf("no line for %s in\n%s", bytes(n), out)
			continue
		}
		rates := strings.Fields(lines[at])[2:]
		best, name := 0.0, ""
		for i, c := range columns {
			if rate, err := strconv.ParseFloat(rates[i], 64); err == nil && rate > best {
				best, name = rate, c.name
			} else if err != nil && rates[i] != "-" {
				t.Errorf("%q is no rate: %s", rates[i], lines[at])
			}
		}
		quickest := strings.TrimSuffix(rates[len(columns)], ",")
		named := slices.IndexFunc(columns, func(c column) bool { return c.name == quickest })
		if named < 0 || rates[named] != strconv.FormatFloat(best, 'f', 1, 64) { // rates are rounded
			t.Errorf("the quickest is %s: %s", name, lines[at])
		}
	}
}

// Without a launcher beside it the command says so.
func TestMeasureNeedsLauncher(t *testing.T) {
	folder := built(t, "gompi-info")
	out, err := exec.Command(filepath.Join(folder, "gompi-info"), "--measure").CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), "gompi-info: the launcher is not beside") ||
		strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v: %q", err, out)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("it leaves %v behind: %v", entries, err)
	}
}
