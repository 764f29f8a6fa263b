package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gompi/launch"
	"gompi/launch/ask"
	"gompi/launch/process"
)

// spec makes the job of the command line.
func (l *commandLine) spec(name string) (*launch.Spec, error) {
	s := &launch.Spec{Name: name, StdinRank: l.stdinRank, MergeStderr: l.merge, UniverseSize: l.universe,
		Timestamps: l.timestamps, ExitCodes: l.exitCodes, PrimaryOnly: l.primaryOnly,
		Recovery: l.recovery, SurvivorsDecide: l.survivorsDecide}
	own := os.Environ()
	if self, err := os.Executable(); err == nil {
		own = withLibrary(own, filepath.Join(filepath.Dir(filepath.Dir(self)), "lib", "libmpi_abi.so.1"))
	}
	if err := l.allot(); err != nil {
		return nil, err
	}
	if err := l.addPrograms(s, own); err != nil {
		return nil, err
	}
	if err := l.place(s); err != nil {
		return nil, err
	}
	if n := s.Size(); s.Hosts == nil && n > mostOnHost {
		return nil, fmt.Errorf("%d ranks in all; one machine can have %d", n, mostOnHost)
	} else if l.stdinRank >= n {
		return nil, fmt.Errorf("option --stdin: there is no rank %d among %d", l.stdinRank, n)
	}
	if n := s.Size(); l.strict && n > l.capacity() {
		return nil, fmt.Errorf("%d ranks, but %d slots (--nooversubscribe)", n, l.capacity())
	}
	if s.UniverseSize == 0 {
		s.UniverseSize = max(s.Size(), l.capacity()) // what one can expect to run at a time
	}
	if s.Hosts != nil {
		if err := l.reach(s); err != nil {
			return nil, err
		}
	}
	if l.timestamps && !l.hasLabel {
		l.label, l.hasLabel = "<%o>:", true // as with Open MPI
	}
	if err := l.addDebug(s); err != nil {
		return nil, err
	}
	l.addOutput(s)
	seconds := l.timeout
	if text := os.Getenv("MPIEXEC_TIMEOUT"); seconds == 0 && text != "" {
		var err error
		if seconds, err = parseSeconds(text); err != nil {
			return nil, fmt.Errorf("environment variable MPIEXEC_TIMEOUT: %w", err)
		}
	}
	if s.Debug == nil { // who holds ranks up knows why they do not go on
		s.ReportHang = l.hang.time()
	}
	s.ReportJSON = l.hang.form == ask.JSON
	s.Timeout = time.Duration(seconds * float64(time.Second))
	return s, nil
}

// addPrograms adds the programs with their environments, which begin with that of mpiexec.
func (l *commandLine) addPrograms(s *launch.Spec, own []string) error {
	for _, p := range l.programs {
		app := process.App{Argv: p.argv, Ranks: l.size(&p), Path: p.path, Dir: p.dir, Env: own}
		app.Env = build(own, l.globalEnv, p.env)
		if p.soft != "" {
			n, err := launch.SoftRanks(p.soft, app.Ranks)
			if err != nil {
				return fmt.Errorf("option -soft: %w", err)
			}
			app.Ranks = n
		}
		s.Apps = append(s.Apps, app)
	}
	return nil
}

// addOutput says where output goes, and what its lines begin with.
func (l *commandLine) addOutput(s *launch.Spec) {
	if l.hasLabel {
		s.Label = func(rank, host string, stderr bool) string { return expand(l.label, rank, host, stderr) }
	}
	if l.outFile != "" || l.errFile != "" {
		s.OutputFile = func(rank, host string, stderr bool) string {
			if stderr {
				return expand(l.errFile, rank, host, stderr)
			}
			return expand(l.outFile, rank, host, stderr)
		}
	}
}

// expand replaces %r by the rank, %o by stdout or stderr, %p by the launcher's process id, %h by the name of
// the host, "" being this machine, and %% by a percent sign.
func expand(pattern, rank, host string, stderr bool) string {
	if !strings.Contains(pattern, "%") {
		return pattern
	}
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' || i+1 == len(pattern) {
			out.WriteByte(pattern[i])
			continue
		}
		i++
		switch pattern[i] {
		case 'r':
			out.WriteString(rank)
		case 'o':
			if stderr {
				out.WriteString("stderr")
			} else {
				out.WriteString("stdout")
			}
		case 'p':
			out.WriteString(strconv.Itoa(os.Getpid()))
		case 'h':
			if host == "" {
				host, _ = os.Hostname()
			}
			out.WriteString(host)
		default:
			out.WriteByte('%')
		}
	}
	return out.String()
}

// checkPattern refuses a pattern that expand would not understand.
func checkPattern(pattern string) error {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			continue
		}
		i++
		if i == len(pattern) || !strings.ContainsRune("roph%", rune(pattern[i])) {
			return fmt.Errorf("%q: after %% may come r (rank), o (stdout or stderr), h (host), p (process id) or %%", pattern)
		}
	}
	return nil
}
