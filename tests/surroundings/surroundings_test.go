// Package surroundings tests jobs where containers, runners of CI and odd machines put them: without a
// network, without a name, with little memory for /dev/shm, where the kernel refuses copies between
// processes, with more ranks than processors. A job works there as anywhere, without an option, and says
// nothing.
package surroundings

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// bin and folder are where the commands and the programs of testdata are.
var bin, folder string

func TestMain(m *testing.M) {
	os.Exit(programs.Run(func(commands, built string) int {
		bin, folder = commands, built
		return m.Run()
	}, "-D_GNU_SOURCE"))
}

// fine runs a command line of exchange with so many ranks, within others if there are any, and wants nothing
// but its line.
func fine(t *testing.T, n int, before []string, launcher []string, arguments ...string) {
	t.Helper()
	command := append(append([]string{}, before...), filepath.Join(bin, "mpiexec"), "-n", strconv.Itoa(n))
	command = append(append(command, launcher...), filepath.Join(folder, "exchange"))
	r := programs.Try(t, t.TempDir(), nil, append(command, arguments...)...)
	if r.Code != 0 || r.Stdout != "fine "+strconv.Itoa(n)+"\n" || r.Stderr != "" {
		t.Errorf("%q: exit code %d\n%s%s", append(command, arguments...), r.Code, r.Stdout, r.Stderr)
	}
}

// isolated is the command that runs another one in namespaces of its own; the test is skipped where there can
// be none.
func isolated(t *testing.T, options, script string) []string {
	t.Helper()
	command := []string{"unshare", options, "sh", "-c", script + ` && exec "$@"`, "sh"}
	if out, err := exec.Command(command[0], append(command[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("%q: %v %s", command, err, out)
	}
	return command
}

func TestHere(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7} {
		fine(t, n, nil, nil, "1", t.TempDir())
	}
}

// No user, but root of a container.
func TestRoot(t *testing.T) {
	fine(t, 3, isolated(t, "-r", "test $(id -u) = 0"), nil, "1", t.TempDir())
	fine(t, 3, isolated(t, "-r", "test $(id -u) = 0"), []string{"--allow-run-as-root"})
}

// Docker gives a container 64 MiB of /dev/shm; here there is less, or none that can be written. A window of
// shared memory takes 96 MiB.
func TestLittleSharedMemoryFolder(t *testing.T) {
	for _, options := range []string{"size=64k", "ro"} {
		fine(t, 3, isolated(t, "-rm", "mount -t tmpfs -o "+options+" none /dev/shm"), nil, "96")
	}
}

// The own name leads nowhere.
func TestNameDoesNotResolve(t *testing.T) {
	fine(t, 3, isolated(t, "-ru", "hostname no-such-host.invalid"), nil, "1")
}

// There is no network, not even the loopback interface.
func TestNoNetwork(t *testing.T) {
	fine(t, 3, isolated(t, "-rn", "test ! -s /proc/net/route"), nil, "1")
}

// All at once, as in the sandbox in which packages are built.
func TestSandbox(t *testing.T) {
	command := isolated(t, "-rnum", "hostname no-such-host.invalid && mount -t tmpfs -o size=64k none /dev/shm")
	fine(t, 4, append(command, "env", "-i", "PATH=/nonexistent", "HOME=/nonexistent", "TMPDIR=/nonexistent"), nil, "96")
}

// The kernel refuses copies between processes: to the whole job, or to some ranks.
func TestSingleCopyRefused(t *testing.T) {
	refuse := filepath.Join(folder, "refuse")
	if code := programs.Try(t, ".", nil, refuse, "all", "true").Code; code == 77 {
		t.Skip("no filters of system calls here")
	} else if code != 0 {
		t.Fatalf("refuse ends with %d", code)
	}
	for _, n := range []int{2, 3, 4} {
		fine(t, n, []string{refuse, "all"}, nil, "1")
		fine(t, n, nil, []string{refuse, "odd"}, "1")
	}
}

// Each rank is in a user namespace of its own, as with a container for each rank.
func TestUserNamespaces(t *testing.T) {
	isolated(t, "-r", "true")
	fine(t, 3, nil, []string{"unshare", "-r"}, "1")
}

// More ranks than processors need no option, and those of other launchers are taken.
func TestMoreRanksThanProcessors(t *testing.T) {
	fine(t, 16, []string{"taskset", "-c", firstProcessor(t)}, nil, "1")
	for _, option := range []string{"--oversubscribe", "-oversubscribe", "--overload-allowed", "--use-hwthread-cpus"} {
		fine(t, 7, []string{"taskset", "-c", firstProcessor(t)}, []string{option}, "1")
	}
	fine(t, 7, []string{"taskset", "-c", firstProcessor(t)}, []string{"--map-by", ":OVERSUBSCRIBE"}, "1")
}

// firstProcessor is a processor that this process may use.
func firstProcessor(t *testing.T) string {
	t.Helper()
	list := programs.Must(t, ".", nil, "taskset", "-cp", strconv.Itoa(os.Getpid()))
	list = strings.TrimSpace(list[strings.LastIndexByte(list, ':')+1:])
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '-' })[0]
}

// Binding to cores of which there are too few, in a set of processors that somebody else has chosen, ends no
// job.
func TestBindingWhereThereIsLittle(t *testing.T) {
	for _, kind := range []string{"core", "hwthread", "socket", "numa", "none"} {
		fine(t, 4, []string{"taskset", "-c", firstProcessor(t)}, []string{"--bind-to", kind}, "1")
	}
}

// A folder for temporary files with a name longer than that of a socket may be.
func TestLongTemporaryFolder(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("a-long-name/", 20))
	if err := os.MkdirAll(long, 0o755); err != nil {
		t.Fatal(err)
	}
	fine(t, 3, []string{"env", "TMPDIR=" + long}, nil, "1", long)
	left, err := os.ReadDir(long)
	if err != nil || len(left) != 0 {
		t.Errorf("left in TMPDIR: %v %v", left, err)
	}
}

// The library is one file that needs libc, and its size is what README.md says.
func TestLibraryIsSmallAndAlone(t *testing.T) {
	path := filepath.Join(bin, "../lib/libgompi.so")
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range needed {
		if !strings.HasPrefix(name, "libc.so.") && !strings.HasPrefix(name, "ld-linux-") {
			t.Errorf("the library needs %s", name)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`One library of ([0-9.]+) MB`).FindSubmatch(page)
	if m == nil {
		t.Fatal("README.md does not say how large the library is")
	}
	said, err := strconv.ParseFloat(string(m[1]), 64)
	if mb := float64(info.Size()) / 1e6; err != nil || mb < said-0.8 || mb > said+0.8 {
		t.Errorf("the library has %.1f MB, and README.md says %s", mb, m[1])
	}
}

// There is nothing to find out of the machine: no processors, no devices, no control groups are listed.
func TestNothingToScan(t *testing.T) {
	fine(t, 4, isolated(t, "-rm", "mount -t tmpfs none /sys"), nil, "1")
}
