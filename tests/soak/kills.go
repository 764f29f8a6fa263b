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
const inTime = time.Minute

// jobs starts jobs that are ended, or lose ranks, at random moments, until then.
func (s *soak) jobs(until time.Time) {
	random := rand.New(rand.NewPCG(s.seed, 99))
	for number := 0; time.Until(until) > inTime/4 && s.ctx.Err() == nil; number++ {
		what, err := "recovery", error(nil)
		if random.IntN(2) == 0 {
			err = s.inFolder(number, func(folder string) error { return s.recoverOne(random, folder) })
		} else {
			how := ends[random.IntN(len(ends))]
			what = how.name
			err = s.inFolder(number, func(folder string) error { return s.killOne(random, folder, how) })
			s.ended[what]++
		}
		if err != nil {
			s.fail("%s: %v", what, err)
		}
	}
}

// inFolder runs one of the jobs in a folder of its own.
func (s *soak) inFolder(number int, job func(folder string) error) error {
	folder := filepath.Join(s.folder, fmt.Sprint("job", number))
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	return job(folder)
}

// job is a program that runs, with its calls recorded.
type job struct {
	cmd           *exec.Cmd
	folder, trace string
	out, said     output // what it writes
	ended         chan error
	pids          []int // of its ranks
}

// start starts a job and waits until its ranks run.
func (s *soak) start(random *rand.Rand, folder string, seconds float64, ranks int, program string,
	options ...string) (*job, error) {
	j := &job{folder: folder, trace: filepath.Join(folder, "run.json"), ended: make(chan error, 1)}
	options = append(options, "--trace", j.trace, "--trace-limit", "4")
	if random.IntN(3) == 0 {
		options = append(options, "--pretend-nodes", "2")
	}
	j.cmd = s.command(seconds, ranks, program, options...)
	j.cmd.Env = append(j.cmd.Env, "TMPDIR="+folder)
	j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.said
	if err := j.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { j.ended <- j.cmd.Wait() }()
	var err error
	if j.pids, err = s.ranksOf(j.cmd.Process.Pid, ranks); err != nil {
		j.stop()
		return nil, fmt.Errorf("its ranks are not to be found: %w: %s", err, j.said.String())
	}
	return j, nil
}

// stop ends a job that is of no use any more.
func (j *job) stop() {
	_ = j.cmd.Process.Kill()
	<-j.ended
}

// wait is how the job ends within a time.
func (j *job) wait(within time.Duration) (status error, err error) {
	select {
	case status = <-j.ended:
		return status, gone(j.pids, time.Now().Add(inTime))
	case <-time.After(within):
		j.stop()
		return nil, fmt.Errorf("the job lives %s later: %s", within, j.said.String())
	}
}

// killOne starts a job and ends it.
func (s *soak) killOne(random *rand.Rand, folder string, how end) error {
	ranks := 2 + random.IntN(3)
	j, err := s.start(random, folder, 100, ranks, programs[random.IntN(len(programs))])
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
	victim := j.cmd.Process.Pid
	if !how.launcher {
		victim = j.pids[random.IntN(ranks)]
	}
	if err := syscall.Kill(victim, how.signal); err != nil {
		return err
	}
	status, err := j.wait(inTime)
	if err != nil {
		return err
	}
	return s.verdict(how, status, j)
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
func (s *soak) verdict(how end, status error, j *job) error {
	var exit *exec.ExitError
	said := j.said.String()
	if !errors.As(status, &exit) {
		return fmt.Errorf("the job has ended with %v: %s", status, said)
	}
	code := exit.ExitCode()
	killed := how.launcher && how.signal == syscall.SIGKILL
	if want := 128 + int(how.signal); !killed && code != want {
		return fmt.Errorf("exit code %d, want %d: %s", code, want, said)
	}
	if lines := len(j.lines()); lines > 1 || !how.launcher && lines != 1 {
		return fmt.Errorf("%d lines: %s", lines, said)
	}
	return s.remains(j, !killed)
}

// lines is what the job has said on standard error, without what concerns its recording.
func (j *job) lines() (all []string) {
	for line := range strings.Lines(j.said.String()) {
		if !strings.Contains(line, "option --trace") {
			all = append(all, line)
		}
	}
	return all
}

// remains looks at what a job has left: its recording, which has to be whole, and nothing else.
func (s *soak) remains(j *job, whole bool) error {
	left, err := os.ReadDir(j.folder)
	if err != nil || len(left) > 1 {
		return fmt.Errorf("left behind: %v, %w", left, err)
	}
	if !whole || strings.Contains(j.said.String(), "nothing was recorded") {
		return nil
	}
	if text, err := s.info("--trace", j.trace); err != nil {
		return fmt.Errorf("the trace: %w: %s", err, text)
	}
	return nil
}
