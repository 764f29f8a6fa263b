package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeCompiler stands in for a compiler wrapper. The "C" sources of the fake suite are shell scripts: to
// build one is to copy it, and one that holds the word REFUSED cannot be built.
const fakeCompiler = `#!/bin/sh
out= source=
for a; do case $prev in -o) out=$a;; esac; prev=$a; case $a in *.c) source=$a;; -E) echo header; exit;; -show) echo fake; exit;;
-fsyntax-only) exit 1;; esac; done
if [ -z "$source" ] || [ "$(basename "$source")" = ask.c ]; then
	printf '#!/bin/sh\nprintf "4.0\\nFake %s, of today\\n"\n' "$VERSION" >"$out"
elif grep -q REFUSED "$source"; then
	echo "/somewhere/$(basename $source):1:1: error: refused" >&2
	exit 1
else
	cp "$source" "$out"
fi
chmod +x "$out"
`

// fakeLauncher stands in for mpiexec: it runs the program once, and tells it how many ranks there should be.
const fakeLauncher = `#!/bin/sh
[ "$1" = -n ] || exit 99
RANKS=$2; export RANKS
shift 2
exec "$@"
`

// fakeSuite is a suite of shell scripts.
var fakeSuite = map[string]string{
	"maint/version.m4":            "m4_define([MPICH_VERSION_m4],[3.2.1])\n",
	"test/mpi/attr/Makefile.am":   "noinst_PROGRAMS = ranks\n",
	"test/mpi/attr/testlist":      "ranks 3 arg=x arg=y\nrefused 1\nnowhere 1 env=COLOUR=red\n",
	"test/mpi/attr/ranks.c":       "#!/bin/sh\n[ \"$RANKS $*\" = '3 x y' ] && echo ' No Errors'\n",
	"test/mpi/attr/refused.c":     "REFUSED\n",
	"test/mpi/attr/nowhere.c":     "#!/bin/sh\n[ $COLOUR = red ] && echo ' No Errors'; echo file >made-by-test\n",
	"test/mpi/basic/Makefile.am":  "",
	"test/mpi/basic/self.c":       "#!/bin/sh\necho anything\n",
	"test/mpi/basic/simple.c":     "#!/bin/sh\nexit 4\n",
	"test/mpi/basic/sendrecv.c":   "#!/bin/sh\n",
	"test/mpi/basic/srtest.c":     "#!/bin/sh\n",
	"test/mpi/basic/wtime.c":      "#!/bin/sh\n",
	"test/mpi/basic/patterns.c":   "#!/bin/sh\n",
	"test/mpi/init/Makefile.am":   "",
	"test/mpi/init/testlist":      "exits 2 resultTest=TestStatus\nslow 2 timeLimit=1\n",
	"test/mpi/init/exits.c":       "#!/bin/sh\nexit 1\n",
	"test/mpi/init/slow.c":        "#!/bin/sh\nsleep 60\n",
	"test/mpi/errors/Makefile.am": "",
}

// fake makes a repository with the fake suite and the fake implementation, and settings that use them. Its
// baseline is the same implementation under another name.
func fake(t *testing.T) *settings {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{"go.mod": "module fake\n", "bin/cc": fakeCompiler, "bin/run": fakeLauncher,
		"bin/basecc": "#!/bin/sh\nVERSION=base exec " + root + "/bin/cc \"$@\"\n"}
	for name, text := range fakeSuite {
		files["suite/"+name] = text
	}
	for _, s := range []string{"util/mtest", "util/mtest_common", "util/mtest_single", "util/mtest_thread", "util/dtypes", "util/run_mpitests", "dtpools/src/dtpools",
		"dtpools/src/dtpools_misc", "dtpools/src/dtpools_init_verify", "dtpools/src/dtpools_desc", "dtpools/src/dtpools_attr",
		"dtpools/src/dtpools_custom"} {
		files["suite/test/mpi/"+s+".c"] = ""
	}
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &settings{root: root, build: filepath.Join(root, "build"), cache: filepath.Join(root, "cache"), jobs: 2,
		suiteDir: filepath.Join(root, "suite"), subject: "fake",
		mpicc: filepath.Join(root, "bin/cc"), mpiexec: filepath.Join(root, "bin/run"),
		baseMpicc: filepath.Join(root, "bin/basecc"), baseMpiexec: filepath.Join(root, "bin/run")}
}

func TestWholeRun(t *testing.T) {
	s := fake(t)
	var out bytes.Buffer
	if err := conform(t.Context(), s, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	page, err := os.ReadFile(filepath.Join(s.root, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## C\n\nThe C tests of MPICH's test suite (version 3.2.1, obtained when the target runs), built and run with fake and, on the same machine, with Fake base.",
		"| attr | 2 | 2 | 3 |\n| basic | 5 | 5 | 6 |\n| init | 1 | 1 | 2 |\n| all | 8 | 8 | 11 |\n",
		"- `attr/refused 1`: build: `refused.c:1:1: error: refused`\n",
		"- `basic/simple 2`: exit: `exit status 4`\n",
		"- `init/slow 2`: time: `not done after",
		"### Neither passes: 3\n",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks\n%s\nit is\n%s", want, page)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(s.build, "scratch")); len(left) > 0 {
		t.Errorf("%d working directories are left", len(left))
	}
	if !strings.Contains(out.String(), "build  attr/refused 1: refused.c:1:1: error: refused\n") {
		t.Errorf("output\n%s", out.String())
	}
}

func TestBaselineIsKept(t *testing.T) {
	s := fake(t)
	s.dirs = []string{"attr"}
	var out bytes.Buffer
	if err := conform(t.Context(), s, &out); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.root, "docs")); err == nil {
		t.Error("a run of a part was published")
	}
	if !strings.Contains(out.String(), "Fake base: 3 tests to run") {
		t.Errorf("no baseline was measured:\n%s", out.String())
	}
	s.dirs = []string{"attr", "basic"}
	out.Reset()
	if err := conform(t.Context(), s, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "Fake base: 6 tests to run") {
		t.Errorf("the second run should measure what is missing alone:\n%s", out.String())
	}
}

func TestRecordAndCheck(t *testing.T) {
	s := fake(t)
	list := filepath.Join(s.root, "passing.txt")
	s.dirs, s.record = []string{"attr", "basic"}, list
	var out bytes.Buffer
	if err := conform(t.Context(), s, &out); err != nil {
		t.Fatal(err)
	}
	if err := recordPassing(list, []string{"basic/renamed 3"}); err != nil {
		t.Fatal(err)
	}
	s.dirs, s.record, s.check = nil, "", list
	out.Reset()
	if err := conform(t.Context(), s, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got := out.String(); !strings.Contains(got, "7 tests to run") || !strings.Contains(got, `no test "basic/renamed 3"`) {
		t.Errorf("output\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(s.suiteDir, "test/mpi/basic/self.c"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := conform(t.Context(), s, &out); err == nil || !strings.Contains(out.String(), "has to pass, and fails: basic/self 1: exit: exit status 1\n6 passed, 1 failed, 1 skipped\n") {
		t.Errorf("error %v\n%s", err, out.String())
	}
}

// TestWholeRunThatJudges has all tests of two folders run, of which some are known to fail.
func TestWholeRunThatJudges(t *testing.T) {
	s := fake(t)
	s.dirs, s.failing = []string{"attr", "basic"}, filepath.Join(s.root, "failing.txt")
	for list, want := range map[string]string{
		"attr/refused 1: is refused\nbasic/simple: ends badly\nbasic/self 1: not any longer\n": "2 more fail that are known to\n" +
			"known to fail, and pass: basic/self 1\n7 passed, 0 failed, 0 skipped\n",
		"attr/refused 1: is refused\n": "has to pass, and fails: basic/simple 2: exit: exit status 4\n1 more fail that are known to\n" +
			"7 passed, 1 failed, 0 skipped\n",
	} {
		if err := os.WriteFile(s.failing, []byte(list), 0o644); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := conform(t.Context(), s, &out)
		if fails := strings.Contains(want, " 1 failed"); (err != nil) != fails || !strings.HasSuffix(out.String(), want) {
			t.Errorf("error %v\n%s\nwant at the end\n%s", err, out.String(), want)
		}
		if _, err := os.Stat(filepath.Join(s.root, "docs")); err == nil {
			t.Error("a run that judges was published")
		}
	}
}

func TestAnImplementationThatDoesNotWork(t *testing.T) {
	s := fake(t)
	s.mpiexec = "/bin/false"
	if err := conform(t.Context(), s, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "/bin/false -n 1 cannot run a program") {
		t.Errorf("error %v", err)
	}
	s.mpicc = "/bin/false"
	if err := conform(t.Context(), s, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "/bin/false cannot compile") {
		t.Errorf("error %v", err)
	}
	s.mpicc = "/nowhere/mpicc"
	if err := conform(t.Context(), s, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "/nowhere/mpicc") {
		t.Errorf("error %v", err)
	}
}
