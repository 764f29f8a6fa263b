// Package packages makes packages of the build tree and uses them as their systems would: unpacks, compiles,
// runs. scripts/packages-test does the same with real systems, which takes longer.
package packages

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gompi/tests/programs"
)

const version = "0.1.0"

var (
	source, _ = filepath.Abs("../..")
	tree      = filepath.Join(source, "build")
	made      string // folder of the packages
	arch      string // Go's name of this machine's architecture
	machine   string // the kernel's
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	if _, err := os.Stat(tree + "/lib/libmpi_abi.so.1"); err != nil {
		fmt.Println("no library is built: run make")
		return 0
	}
	folder, err := os.MkdirTemp("", "gompi-packages-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	out, _ := exec.Command("go", "env", "GOARCH").Output()
	arch = strings.TrimSpace(string(out))
	machine = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]
	build := exec.Command("go", "build", "-trimpath", "-o", folder+"/packaging", ".")
	build.Dir = source + "/packaging"
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building packaging: %v\n%s", err, out)
		return 1
	}
	made = folder + "/made"
	if err := pack(folder+"/packaging", made); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// pack writes all packages of the build tree into a folder, uncompressed, which is quicker.
func pack(tool, folder string) error {
	command := exec.Command(tool, "-plain", "-sbom", "-version", version, "-sources", source, "-out", folder, arch+"="+tree)
	command.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("packaging: %w\n%s", err, out)
	}
	return nil
}

// only is the package that a pattern matches.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(made, pattern))
	if len(found) != 1 {
		t.Fatalf("%s matches %v, want one package", pattern, found)
	}
	return found[0]
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed (make test installs what it can)", program)
	}
}

func must(t *testing.T, env []string, command ...string) string {
	t.Helper()
	return programs.Must(t, ".", env, command...)
}

// use compiles programs with the wrappers of a folder and runs them with its launcher. The ending is that of
// the commands' names.
func use(t *testing.T, bin, ending string) {
	t.Helper()
	folder := t.TempDir()
	for _, p := range []struct{ wrapper, file, says string }{
		{"mpicc", "hello.c", "C: "}, {"mpicxx", "hello.cc", "C++: "}, {"mpifort", "hello.f90", "Fortran: "},
	} {
		if p.wrapper == "mpifort" {
			if _, err := exec.LookPath("gfortran"); err != nil {
				continue
			}
		}
		program := filepath.Join(folder, p.wrapper)
		must(t, nil, filepath.Join(bin, p.wrapper+ending), "projects/"+p.file, "-o", program)
		for _, np := range []string{"1", "3"} {
			said := must(t, nil, filepath.Join(bin, "mpiexec"+ending), "-n", np, program)
			if strings.Count(said, p.says+"rank ") != int(np[0]-'0') {
				t.Errorf("%s on %s ranks prints %q", p.file, np, said)
			}
		}
	}
}

func TestTarball(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a place")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	must(t, nil, "tar", "-xzf", only(t, "gompi-*-linux-*.tar.gz"), "-C", folder)
	top := filepath.Join(folder, "gompi-"+version+"-linux-"+machine)
	use(t, top+"/bin", "")
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(top, moved); err != nil {
		t.Fatal(err)
	}
	use(t, moved+"/bin", "")
	said := must(t, []string{"PATH=" + moved + "/bin:" + os.Getenv("PATH")}, "./build-projects", t.TempDir(),
		"make", "cmake-gompi")
	if strings.Contains(said, "FAIL") {
		t.Error(said)
	}
}

// The same tree gives the same bytes.
func TestReproducible(t *testing.T) {
	again := t.TempDir()
	if err := pack(filepath.Dir(made)+"/packaging", again); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(made)
	if err != nil || len(names) < 9 {
		t.Fatalf("%d packages, %v", len(names), err)
	}
	for _, name := range names {
		a, errA := os.ReadFile(filepath.Join(made, name.Name()))
		b, errB := os.ReadFile(filepath.Join(again, name.Name()))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from one making to the next (%v, %v)", name.Name(), errA, errB)
		}
	}
}
