package job

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// outputLimit is how much output is kept, in bytes; the rest is read and dropped.
	outputLimit = 64 << 10
	// termGrace is what processes get between SIGTERM and SIGKILL.
	termGrace = time.Second
	// exitGrace is what other processes of the job get to end after the command itself has ended.
	exitGrace = 10 * time.Second
	// pollInterval is the time between two looks at the process table.
	pollInterval = 20 * time.Millisecond
)

// Spec is a command to run.
type Spec struct {
	Argv  []string
	Dir   string
	Env   []string      // added to the environment of this process
	Limit time.Duration // after which the job is ended; positive
}

// Outcome is what became of a command.
type Outcome struct {
	Output   string // standard output and standard error, mixed, the first 64 KiB
	Exit     int    // exit status; 128 + number for a signal
	TimedOut bool
	Elapsed  time.Duration
	// names of processes that outlived the command by more than exitGrace and had to be ended
	Left []string
}

var jobs atomic.Int64 // numbers the jobs of this process

// Run runs the command to its end. The error says that it could not be started, or that ctx ended; the
// processes are gone in any case.
func Run(ctx context.Context, spec Spec) (Outcome, error) {
	if err := becomeSubreaper(); err != nil {
		return Outcome{}, err
	}
	mark := newMarker(fmt.Sprintf("%d-%d", os.Getpid(), jobs.Add(1)))
	r, w, err := os.Pipe()
	if err != nil {
		return Outcome{}, err
	}
	defer r.Close()
	cmd := exec.Command(spec.Argv[0], spec.Argv[1:]...)
	cmd.Dir = spec.Dir
	cmd.Env = append(append(os.Environ(), spec.Env...), mark.variable())
	cmd.Stdout, cmd.Stderr = w, w
	ownGroup(cmd)
	start := time.Now()
	err = startTracked(cmd)
	w.Close()
	if err != nil {
		return Outcome{}, err
	}
	output := collect(r)
	ended := make(chan struct{})
	go func() {
		waitTracked(cmd)
		close(ended)
	}()

	var o Outcome
	limit := time.NewTimer(spec.Limit)
	defer limit.Stop()
	select {
	case <-ended:
	case <-limit.C:
		o.TimedOut = true
		endAll(cmd, mark, ended)
	case <-ctx.Done():
		endAll(cmd, mark, ended)
	}
	o.Elapsed = time.Since(start)
	if ctx.Err() == nil && !o.TimedOut {
		o.Left = mark.awaitEnd(exitGrace)
	}
	mark.killAll()
	r.SetReadDeadline(time.Now().Add(termGrace)) // no one should hold the other end now
	o.Output = output()
	o.Exit = exitStatus(cmd)
	return o, ctx.Err()
}

// endAll ends a job whose command still runs: politely at first, so that launchers tidy up.
func endAll(cmd *exec.Cmd, mark marker, ended <-chan struct{}) {
	terminateGroup(cmd)
	select {
	case <-ended:
	case <-time.After(termGrace):
	}
	killGroup(cmd)
	mark.killAll()
	<-ended
}

// collect reads a stream in the background, keeps its beginning, and returns a function that waits for its
// end and gives what was kept.
func collect(r io.Reader) func() string {
	var wg sync.WaitGroup
	var kept []byte
	wg.Go(func() {
		kept, _ = io.ReadAll(io.LimitReader(r, outputLimit))
		io.Copy(io.Discard, r)
	})
	return func() string {
		wg.Wait()
		return string(kept)
	}
}
