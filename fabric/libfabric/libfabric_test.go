package libfabric

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A library that takes a signal as it is loaded does not keep it.
func TestSignals(t *testing.T) {
	if path, asked := os.LookupEnv("TEST_LIBFABRIC_SIGNALS"); asked {
		_, err := Open(path)
		t.Log("says: ", err)
		if p, err := os.FindProcess(os.Getpid()); err != nil || p.Signal(syscall.SIGTERM) != nil {
			t.Fatal("no signal could be sent")
		}
		time.Sleep(time.Minute)
	}
	folder := t.TempDir()
	library := build(t, folder, "taking", `#include <signal.h>
#include <unistd.h>
static void taken(int sig) { (void)sig; _exit(77); }
__attribute__((constructor)) static void take(void) { signal(SIGTERM, taken); }
`)
	test := exec.Command(os.Args[0], "-test.run", "^TestSignals$", "-test.v")
	test.Env = append(os.Environ(), "TEST_LIBFABRIC_SIGNALS="+library)
	out, err := test.CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("%v\n%s", err, out)
	}
}

// build compiles a shared library.
func build(t *testing.T, folder, name, text string) string {
	source, library := filepath.Join(folder, name+".c"), filepath.Join(folder, name+".so")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}

// A library that cannot be used is one line that says what was tried and what would help. Each is opened by a
// process of its own, because the first that can be used stays.
func TestUnusable(t *testing.T) {
	if path, asked := os.LookupEnv("TEST_LIBFABRIC"); asked {
		_, err := Open(path)
		if err == nil {
			t.Fatal("it was opened")
		}
		t.Log("says: " + err.Error())
		return
	}
	folder := t.TempDir()
	const all = "int fi_getinfo, fi_freeinfo, fi_dupinfo, fi_fabric, fi_strerror;\n"
	for _, c := range []struct{ what, path, says string }{
		{"absent", folder + "/none.so", "none.so: cannot open shared object file"},
		{"another library", build(t, folder, "other", "int x;"), "other.so is no libfabric"},
		{"too old", build(t, folder, "old", all+"unsigned fi_version(void) { return 1 << 16 | 6; }"),
			"old.so is libfabric 1.6, which is too old: 1.9 or later is needed"},
	} {
		t.Run(c.what, func(t *testing.T) {
			test := exec.Command(os.Args[0], "-test.run", "^TestUnusable$", "-test.v")
			test.Env = append(os.Environ(), "TEST_LIBFABRIC="+c.path)
			out, err := test.CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.says) || !strings.Contains(string(out), "libfabric1") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
