package main

import (
	"errors"
	"os"
	"syscall"
)

// replaceProcess runs the program at path in the place of this process and
// comes back only when that fails.
func replaceProcess(path string, command []string) error {
	err := syscall.Exec(path, command, os.Environ())
	if errors.Is(err, syscall.E2BIG) {
		return errors.New("the command line is too long for the system; put part of it into a file and pass @file")
	}
	return errors.New("cannot run " + path + ": " + err.Error())
}
