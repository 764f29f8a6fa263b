package source

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gompi/tests/conformance/cache"
)

// write makes files below dir.
func write(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		name := filepath.Join(dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pairs[i+1]), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// use makes an entry of a cache.
func use(t *testing.T, dir string) *cache.Entry {
	t.Helper()
	e, err := cache.At(dir).Use(t.Context(), "suites", "debian")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestArchivesOfTheDistribution(t *testing.T) {
	dir := t.TempDir()
	write(t, dir,
		"sources.list", "# old\ndeb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian bookworm main contrib\ndeb http://other.example/apt stable main\n",
		"sources.list.d/a.sources", "Types: deb\n# a comment\nURIs: http://m.example/pool\nSuites: x x-updates\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n"+
			"Types: deb\nURIs: https://deb.node.example/n\nSuites: nodistro\nComponents: main\n\nEnabled: no\nTypes: deb\nURIs: http://off.example/debian\nSuites: y\nComponents: main\n",
	)
	a := apt{dir: filepath.Join(dir, "private"), settings: dir}
	if err := a.configure(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "private", "sources.list"))
	if err != nil {
		t.Fatal(err)
	}
	want := "deb-src [signed-by=/k.gpg] http://mirror.example/debian bookworm main contrib\n" +
		"deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.example/pool x main\n" +
		"deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.example/pool x-updates main\n"
	if string(got) != want {
		t.Errorf("sources\n%swant\n%s", got, want)
	}
}

func TestNoArchiveIsAnError(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "sources.list", "deb http://other.example/apt stable main\n")
	if err := (apt{dir: filepath.Join(dir, "p"), settings: dir}).configure(); err == nil ||
		!strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want one that names the place", err)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "holds no MPICH test suite") {
		t.Errorf("error %v", err)
	}
	write(t, dir, "test/mpi/util/mtest.c", "", "maint/version.m4", "m4_define([MPICH_VERSION_m4],[9.8.7])dnl\n")
	for _, d := range []string{dir, filepath.Join(dir, "test", "mpi")} {
		s, err := Open(d)
		if err != nil || s.Version != "9.8.7" || s.Dir != filepath.Join(dir, "test", "mpi") {
			t.Errorf("Open(%s) = %+v, %v", d, s, err)
		}
	}
}

// TestObtainFetchesOnce has a program of apt-get's name hand out a source package.
func TestObtainFetchesOnce(t *testing.T) {
	if _, err := os.Stat("/etc/apt"); err != nil {
		t.Skip("no apt here")
	}
	dir := t.TempDir()
	write(t, dir, "pkg/mpich-1.2/test/mpi/util/mtest.c", "", "pkg/mpich-1.2/maint/version.m4", "m4_define([MPICH_VERSION_m4],[1.2])",
		"pkg/mpich-1.2/src/big.c", "",
		"bin/apt-get", "#!/bin/sh\necho \"$*\" >>"+dir+"/calls\ncase \"$*\" in *source*) tar -cJf mpich_1.2.orig.tar.xz -C "+dir+"/pkg mpich-1.2;; esac\n")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	kept := use(t, filepath.Join(dir, "cache"))
	for range 2 {
		s, err := Obtain(t.Context(), kept, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		if s.Version != "1.2" {
			t.Errorf("version %q", s.Version)
		}
		if _, err := os.Stat(filepath.Join(s.Dir, "..", "..", "src")); err == nil {
			t.Error("more than the test suite was unpacked")
		}
	}
	calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
	if n := strings.Count(string(calls), "\n"); n != 2 {
		t.Errorf("%d calls of apt-get, want 2:\n%s", n, calls)
	}
	if left, _ := filepath.Glob(filepath.Join(kept.Dir, "fetch-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestObtainSaysWhatFailed(t *testing.T) {
	if _, err := os.Stat("/etc/apt"); err != nil {
		t.Skip("no apt here")
	}
	dir := t.TempDir()
	write(t, dir, "bin/apt-get", "#!/bin/sh\necho 'E: no network' >&2\nexit 100\n")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	_, err := Obtain(t.Context(), use(t, filepath.Join(dir, "cache")), func(string) {})
	if !errors.Is(err, ErrUnobtainable) || !strings.Contains(err.Error(), "E: no network") ||
		!strings.Contains(err.Error(), "MPICH_SUITE") {
		t.Errorf("error %v", err)
	}
}

// TestCompleteMakesWhatAutogenMakes has a checkout whose script turns f77 into f90.
func TestCompleteMakesWhatAutogenMakes(t *testing.T) {
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	const script = "open F, \">$ARGV[1]/testlist\"; print F \"@ARGV\"; close F;\n"
	write(t, dir, "test/mpi/util/mtest.c", "", "maint/version.m4", "MPICH_VERSION_m4],[5.1]", "test/mpi/maint/f77tof90", script,
		"test/mpi/f77/coll/testlist", "x 1\n", "test/mpi/f77/Makefile.am", "", "test/mpi/errors/f77/io/testlist", "y 1\n",
		"test/mpi/f90/coll/extra.f90", "extra", "test/mpi/include/mpitest.h", "#include \"mtest_mpix.h\"\n")
	found, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	key, err := found.Key()
	if err != nil {
		t.Fatal(err)
	}
	kept := use(t, filepath.Join(dir, "cache"))
	for range 2 {
		made, err := Complete(t.Context(), found, kept)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"f90/coll/testlist":      "f77/coll f90/coll Makefile.am Makefile.ap",
			"errors/f90/io/testlist": "errors/f77/io errors/f90/io Makefile.am Makefile.ap",
			"f90/coll/extra.f90":     "extra",
			"include/mtest_mpix.h":   "",
		} {
			if text, err := os.ReadFile(filepath.Join(made.Dir, name)); err != nil || string(text) != want {
				t.Errorf("%s: %q, %v; want %q", name, text, err, want)
			}
		}
		if made.Version != "5.1" || made.Dir == found.Dir {
			t.Errorf("%+v", made)
		}
		other := use(t, filepath.Join(dir, "other"))
		if again, err := Complete(t.Context(), made, other); err != nil || again.Dir != made.Dir {
			t.Errorf("what is complete was completed again: %+v, %v", again, err)
		}
	}
	if after, err := found.Key(); err != nil || after != key {
		t.Errorf("key %s before, %s after: the checkout was written to; %v", key, after, err)
	}
	write(t, dir, "test/mpi/util/mtest.c", "changed")
	if after, err := found.Key(); err != nil || after == key {
		t.Errorf("key %s of another suite, too; %v", after, err)
	}
}
