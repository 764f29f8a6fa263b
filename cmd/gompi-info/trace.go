package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"gompi/launch/timeline"
)

// picture shows the profile of a recorded run, as text or as a page.
func picture(file, page string, out io.Writer) error {
	if file == "" {
		return errors.New("--html goes with --trace")
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	run, err := timeline.Load(in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if page == "" {
		return run.Profile().Text(out)
	}
	f, err := os.Create(page)
	if err != nil {
		return err
	}
	return timeline.WriteFile(f, run.HTML)
}
