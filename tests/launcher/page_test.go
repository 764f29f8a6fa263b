package launcher

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// optionsOf are the options of MPICH's and Open MPI's launchers that a row of the page names, and whether it
// says that they are refused.
func optionsOf(row string) (options []string, refused bool) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
	if len(cells) != 3 {
		return nil, false
	}
	for _, m := range regexp.MustCompile("`(-[^`]*)`").FindAllStringSubmatch(cells[0]+cells[1], -1) {
		options = append(options, m[1])
	}
	return options, strings.HasPrefix(strings.TrimSpace(cells[2]), "refused")
}

// Each option that the page for users of other MPIs names is taken, or refused, as it says.
func TestOptionsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/from-mpich-and-openmpi.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Options of mpiexec")
	table, _, _ = strings.Cut(table, "\n## ")
	folder := t.TempDir()
	fill := strings.NewReplacer("DIR", folder, "OUT", filepath.Join(folder, "out"), "FILE", filepath.Join(folder, "hosts"),
		"RANKS", filepath.Join(folder, "ranks"), "PROGRAMS", filepath.Join(folder, "programs"))
	for name, text := range map[string]string{"hosts": "localhost slots=4\n", "ranks": "rank 0=localhost slot=0\n", "programs": "-n 1 true\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tried := 0
	for row := range strings.Lines(table) {
		options, refused := optionsOf(row)
		for _, option := range options {
			tried++
			args := strings.Fields(fill.Replace(option))
			if !strings.Contains(option, "PROGRAMS") {
				args = append(args, "true")
			}
			switch r := run(t, "", args...); {
			case refused && (r.code == 0 || !strings.Contains(r.err, "mpiexec: option -")):
				t.Errorf("%s is not refused: exit code %d, %q", option, r.code, r.err)
			case !refused && r.code != 0:
				t.Errorf("%s is refused: %s", option, r.err)
			}
		}
	}
	if tried < 100 {
		t.Errorf("the page names %d options", tried)
	}
}
