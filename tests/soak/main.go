// Soak runs programs for long while everything happens to them that may happen: all checks are on, calls are
// recorded, reports on hangs are asked for at random, and other jobs beside them are killed, or lose ranks
// and go on. Every byte that arrives is checked by the programs, and the memory of their processes has to
// stay as it is. "make soak" and "make soak-hour" start it.
//
// Settings come from the environment:
//
//	SOAK_SECONDS  how long (default 60)
//	SOAK_SEED     repeats a run, as far as time allows (default: a new one)
//	SOAK_REPORT   the page to write; none by default
//
// The exit status is 0 when nothing was wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// soak is one run.
type soak struct {
	ctx         context.Context // ends when the user interrupts the run
	bin, folder string
	length      time.Duration
	seed        uint64

	mu    sync.Mutex
	wrong int // how many things were

	rounds, messages, bytes int64
	asked                   int
	memory                  []growth
	ended                   map[string]int // jobs, by how they were ended
	recovered               tally
}

// programs are what runs: each as a long job for a part of the time, and all of them to be killed.
var programs = []string{"p2p", "coll"}

// survivor is the program of the jobs that go on without the ranks that are killed.
const survivor = "recovery"

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	s, err := begin(ctx)
	if err == nil {
		defer os.RemoveAll(s.folder)
		err = s.run()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v\n", err)
		os.Exit(1)
	}
}

// begin reads the settings and builds the programs.
func begin(ctx context.Context) (*soak, error) {
	bin, err := filepath.Abs("build/bin")
	if err != nil {
		return nil, err
	}
	s := &soak{ctx: ctx, bin: bin, seed: rand.Uint64() >> 32, ended: map[string]int{}}
	seconds := uint64(60)
	for name, value := range map[string]*uint64{"SOAK_SECONDS": &seconds, "SOAK_SEED": &s.seed} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		if *value, err = strconv.ParseUint(text, 10, 32); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	s.length = time.Duration(seconds) * time.Second
	if s.folder, err = os.MkdirTemp("", "gompi-soak"); err != nil {
		return nil, err
	}
	for _, p := range append(programs, survivor) {
		build := exec.Command(filepath.Join(bin, "mpicc"), "-O1", "-Itests/c", "-o", filepath.Join(s.folder, p),
			"tests/c/"+p+"/soak.c", "-lpthread")
		if text, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building tests/c/%s/soak.c: %w\n%s", p, err, text)
		}
	}
	return s, nil
}

// run is the whole of it.
func (s *soak) run() error {
	fmt.Printf("everything at once for %s, SOAK_SEED=%d\n", s.length, s.seed)
	start := time.Now()
	var lanes sync.WaitGroup
	lanes.Go(func() {
		for i, p := range programs {
			s.long(p, start.Add(s.length*time.Duration(i+1)/time.Duration(len(programs))))
		}
	})
	lanes.Go(func() { s.jobs(start.Add(s.length)) })
	lanes.Wait()
	if s.ctx.Err() != nil {
		return errors.New("interrupted")
	}
	text := s.page(time.Since(start))
	fmt.Print(text)
	if path := os.Getenv("SOAK_REPORT"); path != "" && s.wrong == 0 {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	if s.wrong > 0 {
		return fmt.Errorf("%d things were wrong, SOAK_SEED=%d", s.wrong, s.seed)
	}
	return nil
}

// fail tells at once that something was wrong, and counts it. It may be called from anywhere.
func (s *soak) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong++
	fmt.Fprintf(os.Stderr, "soak: %s: %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}

// command starts mpiexec with all checks on.
func (s *soak) command(seconds float64, ranks int, program string, options ...string) *exec.Cmd {
	args := append([]string{"-n", strconv.Itoa(ranks), "--timeout", strconv.Itoa(int(seconds) + 120)}, options...)
	args = append(args, filepath.Join(s.folder, program), strconv.FormatFloat(seconds, 'f', 1, 64),
		strconv.FormatUint(s.seed, 10))
	cmd := exec.CommandContext(s.ctx, filepath.Join(s.bin, "mpiexec"), args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env = append(os.Environ(), "GOMPI_CHECK=all", "TMPDIR="+s.folder)
	return cmd
}
