// Package programs builds the programs of a Go test that runs them as users do.
package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Run builds each C file of testdata with the mpicc of the build tree and the options, and calls run with the
// folders of gompi's commands and of the programs, which have the names of their sources. The answer is the
// exit code of the test: what run returns; 0 where nothing is built to be tested; 1 after an error.
func Run(run func(bin, folder string) int, options ...string) int {
	bin, err := filepath.Abs("../../build/bin")
	if err == nil {
		_, err = os.Stat(filepath.Join(bin, "mpicc"))
	}
	if err != nil {
		fmt.Println("no library is built: run make")
		return 0
	}
	folder, err := os.MkdirTemp("", "gompi-programs")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	sources, _ := filepath.Glob("testdata/*.c")
	for _, source := range sources {
		out := filepath.Join(folder, strings.TrimSuffix(filepath.Base(source), ".c"))
		build := exec.Command(filepath.Join(bin, "mpicc"), append(options, "-Wall", "-o", out, source, "-lpthread")...)
		if text, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building %s: %v\n%s", source, err, text)
			return 1
		}
	}
	return run(bin, folder)
}
