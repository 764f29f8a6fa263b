package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gompi/tests/conformance/job"
	"gompi/tests/conformance/report"
	"gompi/tests/conformance/suite"
	"gompi/tests/conformance/toolchain"
)

// Time limits. A test that hangs costs its limit, so that a test which another implementation is known to end
// early gets a multiple of that time rather than the suite's generous limits.
const (
	suiteLimit    = 90 * time.Second // of a test whose testlist names none; the suite's own runner gives 180
	patientLimit  = time.Hour        // the least where a slow test is to be no failure
	leastLimit    = 20 * time.Second // for a test that the baseline passes
	hopelessLimit = 30 * time.Second // for a test that the baseline fails, too, or that is known to fail
	baseMultiple  = 10               // of the baseline's time, for a test that takes it little
	baseShare     = 60 * time.Second // and twice its time with this on top, for one that takes it long
	launcherExtra = 15 * time.Second // for a launcher that is to end the job itself
)

// runner runs tests with one MPI.
type runner struct {
	mpi       *toolchain.MPI
	builder   *toolchain.Builder
	catalogue *suite.Catalogue
	base      *report.Side // for the time limits; may be nil
	patient   bool         // see patientLimit
	mayFail   func(suite.Test) bool
	jobs      int
	scratch   string // folder for working directories
	keep      func(report.Result) error
	large     sync.Mutex // held by the test with much memory that runs
}

// muchMemory is what a test needs, in gigabytes, that is not to run beside others of its kind.
const muchMemory = 1

// all runs the tests, several at a time.
func (r *runner) all(ctx context.Context, tests []suite.Test, p *progress) error {
	if err := os.MkdirAll(r.scratch, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan suite.Test)
	var wg sync.WaitGroup
	for range r.jobs {
		wg.Go(func() {
			for t := range next {
				p.begin(t)
				res, err := r.one(ctx, t)
				if err == nil {
					err = r.keep(res)
				}
				if err != nil {
					cancel(err)
					continue
				}
				p.end(t, res)
			}
		})
	}
	for _, t := range tests {
		if ctx.Err() != nil {
			break
		}
		next <- t
	}
	close(next)
	wg.Wait()
	p.done()
	return context.Cause(ctx)
}

// one builds and runs one test. The error says that the run cannot go on, not that the test failed.
func (r *runner) one(ctx context.Context, t suite.Test) (report.Result, error) {
	res := report.Result{Test: t.ID()}
	program, err := r.builder.Program(ctx, t, r.catalogue.Recipe(t))
	if refused, ok := errors.AsType[*toolchain.BuildError](err); ok {
		res.Kind, res.Detail = job.Build, refused.Complaint
		return res, nil
	}
	if err != nil {
		return res, fmt.Errorf("%s: %w", t.ID(), err)
	}
	dir, err := os.MkdirTemp(r.scratch, "run-")
	if err != nil {
		return res, err
	}
	defer os.RemoveAll(dir)
	if err := os.Symlink(program, filepath.Join(dir, t.Program)); err != nil {
		return res, err
	}
	if t.MemoryGB >= muchMemory {
		r.large.Lock()
		defer r.large.Unlock()
	}
	o, err := job.Run(ctx, r.spec(t, dir))
	if err != nil {
		return res, fmt.Errorf("%s: %w", t.ID(), err)
	}
	res.Kind, res.Detail = job.Judge(t.Rule, o)
	res.Detail = anonymous(res.Detail, dir)
	res.Seconds = o.Elapsed.Seconds()
	res.Left = o.Left
	return res, nil
}

// spec is the command that runs a test in a directory of its own.
func (r *runner) spec(t suite.Test, dir string) job.Spec {
	argv := append([]string{}, r.mpi.Exec...)
	argv = append(argv, "-n", strconv.Itoa(t.NP))
	argv = append(argv, t.MpiexecArgs...)
	argv = append(argv, "./"+t.Program)
	argv = append(argv, t.Args...)
	s := job.Spec{Argv: argv, Dir: dir, Env: append(slices.Clone(t.Env), r.mpi.Env...), Limit: r.limit(t)}
	for _, e := range t.Env { // a time that a test counts on, by the name that gompi gives it
		if v, ok := strings.CutPrefix(e, "MPIR_CVAR_CH3_COMM_CONNECT_TIMEOUT="); ok {
			s.Env = append(s.Env, "GOMPI_CONNECT_TIMEOUT="+v)
		}
	}
	if t.NP > runtime.NumCPU() {
		s.Env = append(s.Env, r.mpi.Crowded...)
	}
	// the launcher itself is to end this one, as it would end any under the suite's runner
	if t.Rule == suite.NonZero && t.Limit > 0 {
		s.Env = append(s.Env, "MPIEXEC_TIMEOUT="+strconv.Itoa(int(t.Limit.Seconds())))
		s.Limit = t.Limit + launcherExtra
	}
	return s
}

// limit is the time that a test gets.
func (r *runner) limit(t suite.Test) time.Duration {
	limit := t.Limit
	if limit == 0 {
		limit = suiteLimit
	}
	switch {
	case r.mayFail != nil && r.mayFail(t):
		return min(limit, hopelessLimit)
	case r.patient:
		return max(limit, patientLimit)
	case r.base == nil:
		return limit
	}
	b, ok := r.base.Results[t.ID()]
	switch {
	case !ok:
		return limit
	case !b.Passed():
		return min(limit, hopelessLimit)
	}
	took := time.Duration(b.Seconds * float64(time.Second))
	return min(limit, max(leastLimit, min(baseMultiple*took, baseShare+2*took)))
}

// speaker is who gompi says is speaking, in front of what it says.
var speaker = regexp.MustCompile(`^gompi: (?:rank \d+ of \d+ \(pid \d+\)|pid \d+): `)

// suitePath is a folder of the suite in front of the name of a file.
var suitePath = regexp.MustCompile(`[^\s:]*/test/mpi/`)

// anonymous takes out of a line what differs from run to run and from machine to machine: folders, the
// machine's name, process ids.
func anonymous(line, dir string) string {
	line = suitePath.ReplaceAllString(speaker.ReplaceAllString(line, ""), "")
	line = strings.ReplaceAll(line, dir+"/", "./")
	if host, err := os.Hostname(); err == nil && len(host) > 3 {
		line = strings.ReplaceAll(line, host, "host")
	}
	return line
}
