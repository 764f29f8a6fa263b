package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// stopSignals end the driver and, through it, what it runs.
func stopSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// execute runs a command to its end and returns what it wrote to its standard
// output, also where it failed. After `limit`, or when ctx ends, it stops the command and all
// processes that it has started. The error of a command that fails carries the last of what it said
// on its standard error.
func execute(ctx context.Context, limit time.Duration, environment []string,
	command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	mark := fmt.Sprintf("BENCH_LAUNCH=%d.%d", os.Getpid(), launches.Add(1))
	c.Env = append(append(os.Environ(), environment...), mark)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// Launchers clean up after themselves on SIGTERM; after WaitDelay it is
	// SIGKILL.
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = 3 * time.Second
	err := c.Run()
	if c.Process != nil && ctx.Err() != nil {
		killMarked(mark)
	}
	if err == nil {
		return stdout.String(), nil
	}
	name := filepath.Base(command[0])
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return stdout.String(), fmt.Errorf("%s did not end within %v: %s", name, limit, strings.Join(command, " "))
	case ctx.Err() != nil:
		return stdout.String(), fmt.Errorf("%s was stopped", name)
	}
	return stdout.String(), fmt.Errorf("%s: %w: %s", name, err, lastWords(stderr.String()))
}

// launches counts the commands, to name each.
var launches atomic.Int64

// killMarked kills all processes with a word in their environment, until none is left: ranks may
// outlive a launcher that was killed, in process groups of their own, and would disturb what is
// measured next.
func killMarked(mark string) {
	word := []byte("\x00" + mark + "\x00")
	for range 100 {
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		left := false
		for _, file := range files {
			environment, err := os.ReadFile(file)
			if err != nil || !bytes.Contains(append([]byte{0}, environment...), word) {
				continue
			}
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				left = true
			}
		}
		if !left {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// lastWords is the end of an error output, on one line.
func lastWords(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "without a word"
	}
	if len(text) > most {
		text = "..." + text[len(text)-most:]
	}
	return text
}
