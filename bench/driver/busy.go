package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"time"
)

// buildBusy compiles the program that computes without end.
func buildBusy(ctx context.Context, root, folder string) (string, error) {
	program := filepath.Join(folder, "busy")
	_, err := execute(ctx, time.Minute, nil, "cc", "-O2", "-o", program, filepath.Join(root, "bench", "raw", "busy.c"))
	return program, err
}

// startBusy runs so many of them; the function that it returns ends them. They see themselves when the driver
// ends without that.
func startBusy(program string, count int) (stop func(), err error) {
	var running []*exec.Cmd
	stop = func() {
		for _, c := range running {
			_ = c.Process.Kill() // it has not been waited for, so it is there
			_ = c.Wait()         // says that it was killed
		}
	}
	for range count {
		c := exec.Command(program)
		if err := c.Start(); err != nil {
			stop()
			return nil, err
		}
		running = append(running, c)
	}
	return stop, nil
}
