package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// output is what a command writes, which is read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// growth is the usual resident memory of the largest process of a job in KiB: after it has come up, and at
// the end.
type growth struct {
	what       string
	start, end int
}

// long runs a program until then, samples the memory of its ranks, and asks what they wait for.
func (s *soak) long(program string, until time.Time) {
	const ranks = 4
	length := time.Until(until)
	trace := filepath.Join(s.folder, program+".json")
	cmd := s.command(length.Seconds(), ranks, program, "--trace", trace, "--trace-limit", "4")
	var out, said output
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		s.fail("%s: %v", program, err)
		return
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	random := rand.New(rand.NewPCG(s.seed, uint64(len(program))))
	samples := map[int][]int{}
	if _, err := s.ranksOf(cmd.Process.Pid, ranks); err != nil {
		s.fail("%s: its ranks are not to be found: %v", program, err)
	}
	last := until.Add(-2 * time.Second)
	for more := true; more; {
		select {
		case err := <-ended:
			if err != nil {
				s.fail("%s: %v\n%s", program, err, said.String())
			}
			more = false
		case <-time.After(time.Duration(200+random.IntN(1500)) * time.Millisecond):
			if time.Now().Before(last) && s.ctx.Err() == nil {
				s.ask(cmd.Process, ranks, random, samples)
			}
		}
	}
	s.judge(program, samples)
	s.count(program, out.String())
	for line := range strings.Lines(said.String()) {
		if !strings.Contains(line, "option --trace") && !isReport(line) {
			s.fail("%s has said: %s", program, line)
		}
	}
	if text, err := s.info("--trace", trace); err != nil {
		s.fail("%s: %v: %s", program, err, text)
	}
	_ = os.Remove(trace)
}

// isReport reports whether a line is one of those that the user has asked for.
func isReport(line string) bool {
	return strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "mpiexec: what the ranks wait for") ||
		strings.HasPrefix(line, "mpiexec: rank") && strings.Contains(line, " wait")
}

// states is a part of a report.
type states struct {
	Hung  bool
	Ranks []struct{ Pid int }
}

// attach asks a launcher.
func (s *soak) attach(pid int) (all states, err error) {
	text, err := exec.Command(filepath.Join(s.bin, "mpiexec"), "--attach", strconv.Itoa(pid), "--report-format",
		"json").CombinedOutput()
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return all, err
}

func (s *soak) info(args ...string) (string, error) {
	text, err := exec.Command(filepath.Join(s.bin, "gompi-info"), args...).CombinedOutput()
	return string(text), err
}

// ask asks what the ranks wait for, in one of the ways that there are, and samples their memory.
func (s *soak) ask(launcher *os.Process, ranks int, random *rand.Rand, samples map[int][]int) {
	s.asked++
	all, err := s.attach(launcher.Pid)
	if err != nil || len(all.Ranks) != ranks {
		s.fail("a report: %d ranks, %v", len(all.Ranks), err)
		return
	}
	if all.Hung {
		s.fail("a program that does not hang is called hung: %+v", all)
	}
	for _, r := range all.Ranks {
		if kib := resident(r.Pid); kib > 0 {
			samples[r.Pid] = append(samples[r.Pid], kib)
		}
	}
	if kib := resident(launcher.Pid); kib > 0 {
		samples[launcher.Pid] = append(samples[launcher.Pid], kib)
	}
	switch random.IntN(3) {
	case 0:
		_ = launcher.Signal(syscall.SIGUSR1)
	case 1:
		if text, err := s.info("--job", strconv.Itoa(launcher.Pid)); err != nil || !strings.HasPrefix(text, "  ranks") {
			s.fail("gompi-info --job: %v: %s", err, text)
		}
	}
}

// resident is the memory of a process in KiB, 0 when it is gone.
func resident(pid int) int {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// judge compares the memory in the last third of the time with that in the one before it, by when buffers
// have grown to what the program needs; shorter runs are not judged. The least counts: random messages are
// larger now and then, on a busy machine for some seconds, and what is lost stays.
func (s *soak) judge(program string, samples map[int][]int) {
	const few = 50
	g := growth{what: program}
	for pid, all := range samples {
		if len(all) < few {
			continue
		}
		middle, last := all[len(all)/3:len(all)*2/3], all[len(all)*2/3:]
		slices.Sort(middle)
		slices.Sort(last)
		g.start, g.end = max(g.start, middle[len(middle)/2]), max(g.end, last[len(last)/2])
		const slack = 16 << 10
		if from, to := middle[0], last[0]; to > from+from/10+slack {
			s.fail("%s: the memory of process %d has grown from %d to %d KiB", program, pid, from, to)
		}
	}
	if g.end > 0 {
		s.memory = append(s.memory, g)
	}
}

// count takes in what a program says of its work.
func (s *soak) count(program, text string) {
	found := false
	for line := range strings.Lines(text) {
		var a, b int64
		if n, _ := fmt.Sscanf(line, "%d messages of %d bytes", &a, &b); n == 2 {
			s.messages, s.bytes, found = s.messages+a, s.bytes+b, true
		} else if n, _ := fmt.Sscanf(line, "%d rounds", &a); n == 1 {
			s.rounds, found = s.rounds+a, true
		}
	}
	if !found {
		s.fail("%s does not say what it has done: %s", program, text)
	}
}
