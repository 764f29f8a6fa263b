package fortran

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The programs read and write what is theirs, and the library what they give it.
func TestAddressSanitizer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	needCompiler(t)
	folder := t.TempDir()
	for _, p := range cases {
		if strings.Contains(p.options, "-pie") { // the sanitizer wants a program of the usual kind
			continue
		}
		options := append(strings.Fields(p.options), "-g", "-fcheck=all,no-array-temps", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
		compile(t, folder, p.name, p.sources, options...)
		for _, np := range []string{"1", "3"} {
			out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./"+p.name)
			if err != nil || out != "" {
				t.Errorf("%s, np %s: %v\n%s", p.name, np, err, out)
			}
		}
	}
}

// Memcheck has nothing to say about them, and no memory is lost.
func TestValgrind(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	needCompiler(t)
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("no valgrind")
	}
	folder := t.TempDir()
	suppressions, _ := filepath.Abs("../../cmake/gompi.supp")
	for _, p := range cases {
		if !slices.Contains([]string{"old", "module", "sections", "pending", "partitions", "callbacks"}, p.name) {
			continue
		}
		compile(t, folder, p.name, p.sources, "-g", "-O1")
		var out string
		var err error
		// Some valgrinds do not know RDTSCP, by which Go's runtime now and then looks at the time.
		for range 5 {
			out, err = try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", "2", "valgrind", "-q",
				"--sigill-diagnostics=yes", "--error-exitcode=9", "--leak-check=full",
				"--show-leak-kinds=definite,possible", "--suppressions="+suppressions, "./"+p.name)
			if !cannotExecute(out) {
				break
			}
		}
		if cannotExecute(out) {
			t.Skip("valgrind cannot execute what this processor has")
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", p.name, err, out)
		}
	}
}

// cannotExecute reports whether valgrind has come to an instruction that it does not know.
func cannotExecute(out string) bool {
	return strings.Contains(out, "unhandled instruction") || strings.Contains(out, "Illegal opcode")
}
