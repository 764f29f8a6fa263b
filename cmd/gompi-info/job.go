package main

import (
	"io"

	"gompi/launch/ask"
)

// waits shows what the ranks of the launcher with that process id wait for.
func waits(pid int, inJSON bool, out io.Writer) error {
	form := ask.Text
	if inJSON {
		form = ask.JSON
	}
	text, err := ask.Ask(pid, form)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}
