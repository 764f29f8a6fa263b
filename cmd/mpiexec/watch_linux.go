package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"gompi/launch/process"
)

// watchedWord is the argument by which gompi-top starts the launcher of a job that it shows.
const watchedWord = "--gompi-watched"

// top is the program that shows what ranks do.
const top = "gompi-top"

// becomeTop goes on as the program that shows what the ranks do, which starts this one again for the same
// command line. It returns when that is not possible.
func becomeTop(name string, args []string) int {
	self, err := os.Executable()
	if err == nil {
		path := filepath.Join(filepath.Dir(self), top)
		argv := append([]string{path, "--run", "--", self, watchedWord}, args...)
		err = syscall.Exec(path, argv, os.Environ())
	}
	fmt.Fprintf(os.Stderr, "%s: option --watch: there is no %s beside mpiexec: %v\n", name, top, err)
	return process.ExitSetup
}
