package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gompi/launch"
	"gompi/launch/process"
	"gompi/launch/timeline"
)

// trace is what the command line says of recording the run.
type trace struct {
	file    string
	limit   int    // MiB for each rank; 0 for the default
	library string // what is preloaded
}

func (l *commandLine) setTrace(a []string) error {
	if a[0] == "" {
		return errors.New("the name of the file is empty")
	}
	l.trace.file = a[0]
	return nil
}

func (l *commandLine) setTraceLimit(a []string) error {
	n, err := strconv.Atoi(a[0])
	if err != nil || n < 1 || n > 1<<20 {
		return fmt.Errorf("%q is no number of MiB", a[0])
	}
	l.trace.limit = n
	return nil
}

// possible reports why the run cannot be recorded.
func (t *trace) possible(s *launch.Spec, l *commandLine) error {
	switch {
	case t.file == "" && t.limit != 0:
		return errors.New("option --trace-limit: there is no --trace")
	case t.file == "":
		return nil
	case s.Hosts != nil || l.bySrun(s) != nil:
		return errors.New("option --trace: ranks on other hosts cannot be recorded, whose clocks differ from the one here")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("option --trace: %w", err)
	}
	prefix := filepath.Dir(filepath.Dir(self))
	found, _ := filepath.Glob(filepath.Join(prefix, "lib", "*-linux-gnu", traceLibrary))
	for _, folder := range []string{"lib", "lib64", "lib/gompi"} {
		found = append(found, filepath.Join(prefix, folder, traceLibrary))
	}
	for _, path := range found {
		if _, err := os.Stat(path); err == nil {
			t.library = path
			return nil
		}
	}
	return fmt.Errorf("option --trace: %s is not below %s", traceLibrary, prefix)
}

const traceLibrary = "libgompi-trace.so"

// defaultTraceLimit is what a rank may record, in MiB.
const defaultTraceLimit = 32

// run runs the job and writes what has been recorded. The ranks write to memory of this process, so that what
// a rank has done is there when it has been killed.
func (t *trace) run(s *launch.Spec) int {
	fail := func(err error) int {
		fmt.Fprintf(os.Stderr, "%s: option --trace: %v\n", s.Name, err)
		return process.ExitSetup
	}
	out, err := os.OpenFile(t.file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return fail(err)
	}
	if t.limit == 0 {
		t.limit = defaultTraceLimit
	}
	records, err := timeline.NewRecords(int64(t.limit) << 20 * int64(s.Size()))
	if err != nil {
		timeline.Discard(out)
		return fail(err)
	}
	for i := range s.Apps {
		s.Apps[i].Env = t.environment(s.Apps[i].Env, records.Path())
	}
	code := launch.Run(s)
	run, wrong := records.Read()
	if wrong != nil {
		fmt.Fprintf(os.Stderr, "%s: option --trace: %v\n", s.Name, wrong)
	}
	if run == nil {
		timeline.Discard(out)
		return max(code, process.ExitSetup)
	}
	if err = timeline.WriteFile(out, run.Write); err != nil {
		return max(code, fail(fmt.Errorf("no trace is kept: %w", err)))
	}
	if len(run.Processes) == 0 {
		fmt.Fprintf(os.Stderr, "%s: option --trace: nothing was recorded: no program has called the MPI library\n", s.Name)
	}
	for _, p := range run.Processes {
		if p.Lost > 0 {
			fmt.Fprintf(os.Stderr, "%s: option --trace: of rank %s the first %d calls are missing; --trace-limit makes room for more\n",
				s.Name, p.Name(), p.Lost)
		}
	}
	return code
}

// environment has the library preloaded behind what is preloaded already: the sanitizers want to be first.
func (t *trace) environment(env []string, records string) []string {
	out := make([]string, 0, len(env)+3)
	preload := t.library
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "LD_PRELOAD" && value != "":
			preload = value + ":" + preload
		case name == "LD_PRELOAD", name == "GOMPI_TRACE_FILE", name == "GOMPI_TRACE_LIMIT":
		default:
			out = append(out, v)
		}
	}
	out = append(out, "GOMPI_TRACE_LIMIT="+strconv.Itoa(t.limit))
	return append(out, "LD_PRELOAD="+preload, "GOMPI_TRACE_FILE="+records)
}
