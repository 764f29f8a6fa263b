package wrappers

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// announced executes RDTSCP if the processor says that it has it, as Go's runtime does where threads wait for
// one of its locks.
const announced = `#include <cpuid.h>
int main(void)
{
	unsigned a, b, c, d;
	if (__get_cpuid(0x80000001, &a, &b, &c, &d) && (d & 1u << 27))
		__builtin_ia32_rdtscp(&a);
	return 0;
}
`

// keepsItsWord skips the test where valgrind itself announces an instruction that it cannot execute: some
// of its versions do, on processors without RDTSCP. No program with Go's runtime gets through there.
func keepsItsWord(t *testing.T, folder string) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		return
	}
	write(t, folder, "announced.c", announced, 0o644)
	must(t, folder, "cc", "-o", "announced", "announced.c")
	must(t, folder, "./announced")
	if r := try(t, folder, nil, "valgrind", "-q", "./announced"); strings.Contains(r.Stderr, "Illegal opcode") {
		t.Skip("valgrind announces RDTSCP on this processor and cannot execute it")
	}
}

// With the suppressions that gompi brings along, memcheck has nothing to say about
// a correct program, and still finds the mistakes of another.
func TestValgrind(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	needs(t, "valgrind")
	tree := product(t)
	folder := t.TempDir()
	keepsItsWord(t, folder)
	program, _ := filepath.Abs("testdata/memory.c")
	must(t, folder, tree+"/bin/mpicc", "-g", "-O1", "-o", "memory", program)
	for _, c := range []struct{ np, mistake, want string }{
		{"2", "", ""},
		{"2", "read", "Invalid read"},
		{"1", "leak", "4,711 bytes"},
	} {
		command := []string{tree + "/bin/mpiexec", "-n", c.np, "valgrind", "-q", "--error-exitcode=9", "--leak-check=full",
			"--show-leak-kinds=definite,possible", "--suppressions=" + source + "/cmake/gompi.supp", "./memory"}
		if c.mistake != "" {
			command = append(command, c.mistake)
		}
		r := try(t, folder, nil, command...)
		said := withoutWarnings(r.Stderr)
		switch {
		case c.mistake == "" && (r.Code != 0 || said != "" || !strings.Contains(r.Stdout, "sum "+c.np)):
			t.Errorf("exit code %d\n%s%s", r.Code, r.Stdout, r.Stderr)
		case c.mistake != "" && (r.Code != 9 || !strings.Contains(said, c.want)):
			t.Errorf("%s: exit code %d, want 9 and %q\n%s", c.mistake, r.Code, c.want, said)
		}
	}
}

// withoutWarnings leaves out what valgrind says about the change of stacks, which
// no suppression reaches and which is no error.
func withoutWarnings(text string) string {
	var kept []string
	for _, line := range strings.SplitAfter(text, "\n") {
		if !strings.Contains(line, "Warning: ") && !strings.Contains(line, "to suppress, use: --max-stackframe") &&
			!strings.Contains(line, "further instances of this message") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
