package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth gives the number of columns of the terminal that the file is; 0 where it is none.
func terminalWidth(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	if size.Col == 0 {
		return 80
	}
	return int(size.Col)
}
