// Package manual tests the pages of the manual that make has left in the build tree: that all functions and
// commands have one, and that the programs that show pages have nothing to say against them.
package manual

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gompi/api"
)

const build = "../../build"

// folder is the folder with the pages; the test is skipped where nothing is built.
func folder(t *testing.T) string {
	t.Helper()
	path := filepath.Join(build, "share/man")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the manual is not built (run make): ", err)
	}
	return path
}

// page is the text of a page, that of another page where it only names that one.
func page(t *testing.T, name string, section int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("%s/man%d/%s.%d", folder(t), section, name, section))
	if err != nil {
		t.Error(err)
		return ""
	}
	if other, ok := strings.CutPrefix(string(text), ".so "); ok {
		text, err = os.ReadFile(filepath.Join(folder(t), strings.TrimSpace(other)))
		if err != nil {
			t.Error(err)
		}
	}
	return string(text)
}

func TestEachFunctionHasAPage(t *testing.T) {
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Functions {
		for _, n := range f.CNames() {
			name := api.Symbol("MPI_", n)
			text := page(t, name, 3)
			for _, want := range []string{".SH NAME\n", name, ".SH SYNOPSIS IN C\n", " " + name + "(", ".SH DESCRIPTION\n", ".SH STANDARD\n"} {
				if !strings.Contains(text, want) {
					t.Errorf("the page of %s has no %q", name, want)
				}
			}
			for _, p := range f.Params {
				if !strings.Contains(text, ".TP\n\\fB"+p.Name+"\\fP") {
					t.Errorf("the page of %s does not explain %s", name, p.Name)
				}
			}
		}
	}
}

// Each command that is there, by each of its names.
func TestEachCommandHasAPage(t *testing.T) {
	folder(t)
	commands, err := filepath.Glob(build + "/bin/*")
	if err != nil || len(commands) < 10 {
		t.Fatal("no commands are built: ", err)
	}
	for _, c := range commands {
		if text := page(t, filepath.Base(c), 1); !strings.Contains(text, ".SH OPTIONS\n.TP\n") {
			t.Errorf("the page of %s has no options", filepath.Base(c))
		}
	}
}

// What mpiexec explains when it is asked stands in its page.
func TestEachOptionIsInThePage(t *testing.T) {
	folder(t)
	help, err := exec.Command(build+"/bin/mpiexec", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(page(t, "mpiexec", 1), `\-`, "-")
	options := regexp.MustCompile(`(?m)^  (-\S+)`).FindAllStringSubmatch(string(help), -1)
	if len(options) < 40 {
		t.Fatalf("mpiexec --help has %d options", len(options))
	}
	for _, o := range options {
		if !strings.Contains(text, `\fB`+o[1]) {
			t.Errorf("the page of mpiexec has no %s", o[1])
		}
	}
}

// What a page says of errors follows from the sources.
func TestErrorsAreThoseOfTheSources(t *testing.T) {
	for name, want := range map[string][]string{
		"MPI_Send":        {"MPI_ERR_TAG", "must be from 0 to ... (MPI_TAG_UB)", "MPI_ERR_RANK", "error handler of comm"},
		"MPI_Recv":        {"MPI_ERR_TRUNCATE", "does not fit into a buffer"},
		"MPI_Dims_create": {"MPI_ERR_DIMS", "nnodes is ..., must be positive"},
		"MPI_Win_lock":    {"MPI_ERR_LOCKTYPE", "MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED", "error handler of the window"},
		"MPI_Info_set":    {"MPI_ERR_INFO_KEY"},
		"MPI_Attr_get":    {"MPI_ERR_COMM", "It is deprecated"},
	} {
		text := strings.Join(strings.Fields(page(t, name, 3)), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("the page of %s does not say %q", name, w)
			}
		}
	}
	for name, not := range map[string]string{"MPI_Comm_rank": "MPI_ERR_TAG", "MPI_File_read": "array_of_blocklengths", "MPI_Send": "MPI_ERR_TRUNCATE"} {
		if strings.Contains(page(t, name, 3), not) {
			t.Errorf("the page of %s says %s, which it cannot raise", name, not)
		}
	}
}

// pages are the files of all pages that do not only name another one.
func pages(t *testing.T) (files []string) {
	t.Helper()
	all, err := filepath.Glob(folder(t) + "/man?/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, []byte(".so ")) {
			files = append(files, file)
		}
	}
	if len(files) < 500 {
		t.Fatalf("there are %d pages", len(files))
	}
	return files
}

func TestMandocFindsNothing(t *testing.T) {
	silent(t, "mandoc", "-Tlint", "-W", "warning")
}

func TestGroffFindsNothing(t *testing.T) {
	silent(t, "groff", "-man", "-ww", "-z")
}

// silent runs a formatter over all pages, which has nothing to say.
func silent(t *testing.T, command ...string) {
	t.Helper()
	files := pages(t)
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skipf("%s is not installed (make test installs what it can)", command[0])
	}
	bad := filepath.Join(t.TempDir(), "bad.3")
	if err := os.WriteFile(bad, []byte(".TH BAD 3 2026-01-01 gompi\n.SH NAME\nbad \\- bad\n.nf\n.SH \"X\n.zz\n\\*[none]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _ := exec.Command(command[0], append(command[1:], bad)...).CombinedOutput(); len(out) == 0 {
		t.Errorf("%s finds nothing in a bad page", command[0])
	}
	out, err := exec.Command(command[0], append(command[1:], files...)...).CombinedOutput()
	if err != nil || len(out) != 0 {
		t.Errorf("%s: %v\n%.2000s", command[0], err, out)
	}
}
