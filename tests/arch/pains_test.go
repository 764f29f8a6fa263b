package arch

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// proof matches the name of a test in a table: a folder, and behind the last slash a test in Go or a program.
var proof = regexp.MustCompile("`((?:[a-z0-9_]+/)+)(\\w+)`")

// missing says what a test that a page names lacks, "" when it is there.
func missing(t *testing.T, folder, name string) string {
	t.Helper()
	if strings.HasPrefix(name, "Test") {
		files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
				return ""
			}
		}
		return "no test of that folder has that name"
	}
	list := path.Join(folder, "testlist")
	if !exists(path.Join(folder, name+".c")) || !exists(list) {
		return "there is no such program"
	}
	if !regexp.MustCompile(`(?m)^` + name + `\b`).Match(read(t, list)) {
		return "the testlist does not run it"
	}
	return ""
}

// Each trouble of docs/pains.md has a test that is there, or says that it has none.
func TestPainsAreTested(t *testing.T) {
	rows, numbered := 0, 0
	for line := range strings.Lines(string(read(t, "docs/pains.md"))) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(last, "---") || last == "proved by" {
			continue
		}
		rows++
		if len(cells) == 4 {
			numbered++
		}
		proofs := proof.FindAllStringSubmatch(last, -1)
		if len(proofs) == 0 && last != "none" {
			t.Errorf("no test: %s", line)
		}
		for _, p := range proofs {
			if why := missing(t, strings.TrimSuffix(p[1], "/"), p[2]); why != "" {
				t.Errorf("%s%s: %s", p[1], p[2], why)
			}
		}
	}
	if numbered != 25 || rows < 40 {
		t.Errorf("the page has %d troubles, %d of them with numbers", rows, numbered)
	}
	for name, want := range map[string]bool{"tests/launcher/TestTimeout": true, "tests/launcher/TestTimeou": false,
		"tests/c/quiet/blocked": true, "tests/c/quiet/ring": false, "tests/nowhere/TestTimeout": false} {
		folder, test := path.Split(name)
		if got := missing(t, strings.TrimSuffix(folder, "/"), test) == ""; got != want {
			t.Errorf("%s is there: %v", name, got)
		}
	}
}
