package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// end is a way by which a job is ended from outside.
type end struct {
	name     string
	launcher bool // it is the launcher that gets the signal
	signal   syscall.Signal
}

var ends = []end{
	{"rank killed", false, syscall.SIGKILL},
	{"rank crashed", false, syscall.SIGABRT},
	{"rank terminated", false, syscall.SIGTERM},
	{"launcher terminated", true, syscall.SIGTERM},
	{"launcher interrupted", true, syscall.SIGINT},
	{"launcher killed", true, syscall.SIGKILL},
}

// inTime is how long a job may take to end, on a machine that is busy.
const inTime = 20 * time.Second

// kills starts jobs and ends them at random moments, until then.
func (s *soak) kills(until time.Time) {
	random := rand.New(rand.NewPCG(s.seed, 99))
	for number := 0; time.Until(until) > inTime/4; number++ {
		how := ends[random.IntN(len(ends))]
		if err := s.killOne(random, number, how); err != nil {
			s.fail("%s: %v", how.name, err)
		}
		s.ended[how.name]++
	}
}

// killOne starts a job and ends it.
func (s *soak) killOne(random *rand.Rand, number int, how end) error {
	folder := filepath.Join(s.folder, fmt.Sprint("job", number))
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	trace := filepath.Join(folder, "run.json")
	options := []string{"--trace", trace, "--trace-limit", "4"}
	if random.IntN(3) == 0 {
		options = append(options, "--pretend-nodes", "2")
	}
	ranks := 2 + random.IntN(3)
	cmd := s.command(100, ranks, programs[random.IntN(len(programs))], options...)
	cmd.Env = append(cmd.Env, "TMPDIR="+folder)
	var said output
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stop := time.AfterFunc(3*inTime, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()

	pids, err := s.ranksOf(cmd.Process.Pid, ranks)
	if err != nil {
		_ = cmd.Process.Kill()
		<-ended
		return fmt.Errorf("its ranks are not to be found: %w: %s", err, said.String())
	}
	time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
	victim := cmd.Process.Pid
	if !how.launcher {
		victim = pids[random.IntN(ranks)]
	}
	if err := syscall.Kill(victim, how.signal); err != nil {
		return err
	}
	at := time.Now()
	var status error
	select {
	case status = <-ended:
	case <-time.After(inTime):
		return fmt.Errorf("the job lives %s later: %s", inTime, said.String())
	}
	if err := gone(pids, at.Add(inTime)); err != nil {
		return err
	}
	return s.verdict(how, status, said.String(), folder, trace)
}

// ranksOf waits until the ranks run, and is their processes.
func (s *soak) ranksOf(launcher, ranks int) (pids []int, err error) {
	for end := time.Now().Add(inTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var all states
		if all, err = s.attach(launcher); err != nil {
			continue
		}
		pids = pids[:0]
		for _, r := range all.Ranks {
			if r.Pid > 0 {
				pids = append(pids, r.Pid)
			}
		}
		if len(pids) == ranks {
			return pids, nil
		}
	}
	return nil, fmt.Errorf("%d of %d, %w", len(pids), ranks, err)
}

// gone waits until the processes are gone.
func gone(pids []int, until time.Time) error {
	for _, pid := range pids {
		for syscall.Kill(pid, 0) == nil && !zombie(pid) {
			if time.Now().After(until) {
				return fmt.Errorf("process %d is left behind", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}

// zombie reports whether a process has ended, and whoever has inherited it has not looked yet.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}

// verdict looks at what a job that was ended has said and left behind.
func (s *soak) verdict(how end, status error, said, folder, trace string) error {
	var exit *exec.ExitError
	if !errors.As(status, &exit) {
		return fmt.Errorf("the job has ended with %v: %s", status, said)
	}
	code := exit.ExitCode()
	killed := how.launcher && how.signal == syscall.SIGKILL
	if want := 128 + int(how.signal); !killed && code != want {
		return fmt.Errorf("exit code %d, want %d: %s", code, want, said)
	}
	lines, nothing := 0, strings.Contains(said, "nothing was recorded")
	for line := range strings.Lines(said) {
		if !strings.Contains(line, "option --trace") {
			lines++
		}
	}
	if lines > 1 || !how.launcher && lines != 1 {
		return fmt.Errorf("%d lines: %s", lines, said)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 1 {
		return fmt.Errorf("left behind: %v, %w", left, err)
	}
	if killed || nothing {
		return nil
	}
	if text, err := s.info("--trace", trace); err != nil {
		return fmt.Errorf("the trace: %w: %s", err, text)
	}
	return nil
}
