package toolchain

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gompi/tests/conformance/cache"
	"gompi/tests/conformance/suite"
)

// compiler stands in for a compiler wrapper: it copies the last C file to the output, notes its arguments,
// and refuses what says so.
const compiler = `#!/bin/sh
echo "$*" >>"$0.calls"
for a; do case $prev in -o) out=$a;; esac; prev=$a; case $a in *.c) source=$a;; -E) echo "header $HEADER"; exit;; -fsyntax-only) grep -q Remove; exit;; esac; done
[ -n "$out" ] || exit 1
if [ -n "$source" ] && grep -q REFUSED "$source"; then
	echo "In file included from x:" >&2; echo "/a/b/p.c:3:4: error: no such thing" >&2
	exit 1
fi
printf '#!/bin/sh\nprintf "4.1\\nSome Version:   1.2, of today\\nbuilt by hand\\n"\n' >"$out"
chmod +x "$out"
`

// open makes an implementation from the compiler and a launcher that is one line of shell.
func open(t *testing.T, launcher string) (*MPI, string, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "cc"), compiler)
	write(t, filepath.Join(dir, "run"), "#!/bin/sh\n"+launcher+"\n")
	m, err := Open(t.Context(), filepath.Join(dir, "cc")+" -m64", filepath.Join(dir, "run")+" --quiet", 1, dir)
	return m, dir, err
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestOpenAsksTheLibrary(t *testing.T) {
	m, dir, err := open(t, `[ "$1 $2 $3" = "--quiet -n 1" ] && exec "$4"`)
	if err != nil {
		t.Fatal(err)
	}
	if m.Library != "Some 1.2" || m.Version != "4.1" || len(m.CC) != 2 || m.CC[1] != "-m64" {
		t.Errorf("%+v", m)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "ask-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	key := m.Key
	t.Setenv("HEADER", "changed")
	if key2, err := m.key(t.Context()); err != nil || key2 == key {
		t.Errorf("key %s with another mpi.h, %s before; %v", key2, key, err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	if _, _, err := open(t, "echo no slots >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "exit status 3: no slots") {
		t.Errorf("error %v", err)
	}
	if _, _, err := open(t, "echo hello"); err == nil || !strings.Contains(err.Error(), `printed "hello\n"`) {
		t.Errorf("error %v", err)
	}
	if _, err := Open(t.Context(), "", "x", 1, t.TempDir()); err == nil || !strings.Contains(err.Error(), "no command") {
		t.Errorf("error %v", err)
	}
}

func TestProgram(t *testing.T) {
	m, dir, err := open(t, `exec "$4"`)
	if err != nil {
		t.Fatal(err)
	}
	suiteDir := filepath.Join(dir, "suite")
	for _, s := range append([]string{"coll/one.c", "coll/two.c"}, commonSupport...) {
		write(t, filepath.Join(suiteDir, s), "")
	}
	for _, s := range []string{singleSupport, threadSupport, dtypesSupport, driverSupport} {
		write(t, filepath.Join(suiteDir, s), "")
	}
	write(t, filepath.Join(suiteDir, "coll/bad.c"), "REFUSED")
	write(t, filepath.Join(suiteDir, "dtpools/src/dtpools_custom.c"), "REFUSED")
	calls := func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "cc.calls"))
		os.Remove(filepath.Join(dir, "cc.calls"))
		return string(text)
	}
	for round := range 2 {
		b, err := NewBuilder(t.Context(), m, suiteDir, "suite", cache.At(filepath.Join(dir, "cache")))
		if err != nil {
			t.Fatal(err)
		}
		config, err := os.ReadFile(filepath.Join(b.dir, "include", "mpitestconf.h"))
		if err != nil || !strings.Contains(string(config), "MPIX_Delete_error_class MPI_Remove_error_class") || strings.Contains(string(config), "MPI_INTEGER16") {
			t.Errorf("configuration %s, %v", config, err)
		}
		calls()
		recipe := suite.Recipe{Sources: []string{"one.c", "two.c"}, Defines: []string{"-DX"}, Threads: true, Dtypes: true}
		for range 2 {
			path, err := b.Program(t.Context(), suite.Test{Folder: "coll", Program: "both"}, recipe)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
		made := calls()
		if n := strings.Count(made, "\n"); n != 1-round {
			t.Errorf("round %d: %d calls of the compiler:\n%s", round, n, made)
		}
		if round > 0 {
			continue
		}
		for _, want := range []string{"-m64 ", "-DX", "coll/one.c", "coll/two.c", "mtest_thread.o", "dtypes.o", "libsupport.a", "-DMTEST_USE_THREAD"} {
			if !strings.Contains(made, want) {
				t.Errorf("the command lacks %s: %s", want, made)
			}
		}
		members, err := exec.Command("ar", "t", b.library()).Output()
		if err != nil || strings.Contains(string(members), "dtpools_custom.o") || !strings.Contains(string(members), "dtpools_attr.o") {
			t.Errorf("the library should hold the support code that could be built: %s, %v", members, err)
		}
		_, err = b.Program(t.Context(), suite.Test{Folder: "coll", Program: "bad"},
			suite.Recipe{Sources: []string{"bad.c"}})
		if refused, ok := errors.AsType[*BuildError](err); !ok || refused.Complaint != "p.c:3:4: error: no such thing" {
			t.Errorf("error %v", err)
		}
	}
}

func TestFirstComplaint(t *testing.T) {
	for output, want := range map[string]string{
		"x: In function 'main':\n/a/b.c:1: error: bad\nmore":                                              "b.c:1: error: bad",
		"/usr/bin/ld: /tmp/cc1.o: in function `main':\nx.c:(.text+0x1): undefined reference to `MPI_X'\n": "undefined reference to `MPI_X'",
		"/a/b.f90:17:27:\n\n   17 | type(x) y\n      | 1\nError: no type 'x'\n/a/b.f90:9:1:\n":            "b.f90:17:27: Error: no type 'x'",
		"strange\nwords": "strange",
		"":               "exit 1",
	} {
		if got := firstComplaint(output, errors.New("exit 1")); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

// TestSleepWhenIdle needs a compiler that makes a shared library.
func TestSleepWhenIdle(t *testing.T) {
	if _, err := command("cc"); err != nil {
		t.Skip(err)
	}
	m := &MPI{CC: []string{"cc"}, Key: "k"}
	dir := t.TempDir()
	if err := m.SleepWhenIdle(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if want := "LD_PRELOAD=" + filepath.Join(dir, "idle-k.so"); len(m.Crowded) != 1 || m.Crowded[0] != want {
		t.Errorf("environment %q, want %q", m.Crowded, want)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files, want the library alone", len(files))
	}
}
