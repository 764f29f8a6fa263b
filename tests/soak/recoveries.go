package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// tally is what the jobs have done that go on without the ranks that were killed.
type tally struct {
	jobs, deaths    int
	rounds, repeats int64
}

// deadly are the signals that ranks are killed by.
var deadly = []syscall.Signal{syscall.SIGKILL, syscall.SIGABRT, syscall.SIGTERM, syscall.SIGSEGV}

// recoverOne starts a job that survives deaths, kills some of its ranks at random moments, and looks at
// whether the others come to the right answer.
func (s *soak) recoverOne(random *rand.Rand, folder string) error {
	const length = 4 * time.Second
	ranks := 2 + random.IntN(5)
	j, err := s.start(random, folder, length.Seconds(), ranks, survivor, "--enable-recovery")
	if err != nil {
		return err
	}
	for !strings.HasPrefix(j.out.String(), "begun\n") {
		select {
		case err := <-j.ended:
			return fmt.Errorf("it has ended before it has begun: %w: %s", err, j.said.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	deaths := 1 + random.IntN(ranks-1)
	var codes []int
	for _, victim := range random.Perm(ranks)[:deaths] {
		time.Sleep(time.Duration(random.Int64N(int64(length) / 2 / int64(deaths))))
		signal := deadly[random.IntN(len(deadly))]
		if err := syscall.Kill(j.pids[victim], signal); err != nil {
			j.stop()
			return fmt.Errorf("killing rank %d: %w", victim, err)
		}
		codes = append(codes, 128+int(signal))
	}
	if all, err := s.attach(j.cmd.Process.Pid); err == nil && all.Hung {
		s.fail("a job that goes on is called hung: %+v", all)
	}
	status, err := j.wait(length + inTime)
	if err != nil {
		return err
	}
	var exit *exec.ExitError
	if !errors.As(status, &exit) || !slices.Contains(codes, exit.ExitCode()) {
		return fmt.Errorf("%d of %d ranks were killed, and the job has ended with %v, want one of %v: %s", deaths, ranks, status, codes, j.said.String())
	}
	lines := j.lines()
	last := fmt.Sprintf("the job has ended without %d of its %d ranks", deaths, ranks)
	for _, line := range lines {
		if !strings.Contains(line, "the job goes on without it") && !strings.Contains(line, last) {
			return fmt.Errorf("it has said: %s", j.said.String())
		}
	}
	if len(lines) != deaths+1 {
		return fmt.Errorf("%d lines for %d deaths: %s", len(lines), deaths, j.said.String())
	}
	if err := s.rightAnswers(j, ranks-deaths); err != nil {
		return err
	}
	s.recovered.jobs++
	s.recovered.deaths += deaths
	return s.remains(j, true)
}

// rightAnswers counts the ranks that have come to the right answer.
func (s *soak) rightAnswers(j *job, living int) error {
	var rounds, repeats int64
	n := 0
	for line := range strings.Lines(j.out.String()) {
		var rank int
		if k, _ := fmt.Sscanf(line, "rank %d: %d rounds, %d repeated", &rank, &rounds, &repeats); k == 3 {
			n++
		}
	}
	if n != living {
		return fmt.Errorf("%d of %d ranks have come to the right answer: %s%s", n, living, j.out.String(), j.said.String())
	}
	s.recovered.rounds += rounds
	s.recovered.repeats += repeats
	return nil
}
