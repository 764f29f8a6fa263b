package main

import (
	"io"

	"gompi/launch"
)

// waits shows what the ranks of the launcher with that process id wait for.
func waits(pid int, inJSON bool, out io.Writer) error {
	form := launch.Text
	if inJSON {
		form = launch.JSON
	}
	text, err := launch.Ask(pid, form)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}
