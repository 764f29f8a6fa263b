package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gompi/tests/conformance/report"
	"gompi/tests/conformance/source"
	"gompi/tests/conformance/suite"
	"gompi/tests/conformance/toolchain"
)

// exclusions are the tests that cannot count, each with its reason.
//
//go:embed exclusions.txt
var exclusions string

// additions are programs of the suite that it has no testlist for.
//
//go:embed additions.txt
var additions string

// conform makes a run from beginning to end.
func conform(ctx context.Context, s *settings, out io.Writer) error {
	say := func(text string) { fmt.Fprintln(out, text) }
	found, err := obtain(ctx, s, say)
	if err != nil || s.obtain {
		return err
	}
	catalogue, excluded, err := read(found, say)
	if err != nil {
		return err
	}
	tests, err := selected(s, catalogue, say)
	if err != nil {
		return err
	}
	say(fmt.Sprintf("MPICH %s's test suite: %d tests to run, %d at a time", found.Version, len(tests), s.jobs))

	r := &report.Report{Suite: found.Version, Tests: tests, Exclusions: excluded, Date: time.Now(),
		Cores: runtime.NumCPU()}
	r.Commit = commit(ctx, s.root)
	subject, err := toolchain.Open(ctx, s.mpicc, s.mpiexec, s.build)
	if err != nil {
		return err
	}
	if r.Baseline, err = baseline(ctx, s, found, catalogue, tests, out); err != nil {
		return err
	}
	if r.Baseline != nil && r.Baseline.Library == subject.Library {
		r.Baseline = nil // measured against itself
	}
	r.Subject.Library, r.Subject.Name = subject.Library, s.subject
	if r.Subject.Name == "" {
		r.Subject.Name = subject.Library
	}
	say(subject.Library + ": " + strings.Join(subject.Exec, " "))
	store := filepath.Join(s.build, fmt.Sprintf("run-%d.jsonl", os.Getpid())) // several runs may be under way
	defer os.Remove(store)
	start := time.Now()
	if r.Subject.Results, err = measure(ctx, s, subject, found, catalogue, tests, store, r.Baseline,
		out); err != nil {
		return err
	}
	r.Elapsed = time.Since(start)
	if err := os.Rename(store, filepath.Join(s.build, "last.jsonl")); err != nil {
		return err
	}
	return conclude(s, r, out)
}

// conclude shows the report and writes what is to be written.
func conclude(s *settings, r *report.Report, out io.Writer) error {
	if err := r.Print(out); err != nil {
		return err
	}
	if s.whole() {
		if err := publish(filepath.Join(s.root, "docs", "conformance.md"), r); err != nil {
			return err
		}
	}
	if s.record != "" {
		if err := recordPassing(s.record, r.Passing(quick)); err != nil {
			return err
		}
	}
	if s.check != "" {
		return checkPassing(s.check, r, out)
	}
	return nil
}

// obtain finds the suite.
func obtain(ctx context.Context, s *settings, say func(string)) (source.Suite, error) {
	if s.suiteDir != "" {
		return source.Open(s.suiteDir)
	}
	return source.Obtain(ctx, s.build, say)
}

// read reads the suite and takes out what cannot count.
func read(found source.Suite, say func(string)) (*suite.Catalogue, []suite.Exclusion, error) {
	catalogue, err := suite.Read(os.DirFS(found.Dir), strings.NewReader(additions))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", found.Dir, err)
	}
	excluded, err := suite.ParseExclusions(strings.NewReader(exclusions))
	if err != nil {
		return nil, nil, fmt.Errorf("exclusions.txt: %w", err)
	}
	for _, e := range catalogue.Exclude(excluded) {
		say(fmt.Sprintf("exclusions.txt: the suite has no test %q", e.Test))
	}
	return catalogue, excluded, nil
}

// selected gives the tests that are to run.
func selected(s *settings, c *suite.Catalogue, say func(string)) ([]suite.Test, error) {
	wanted := s.wants
	if s.check != "" {
		list, err := readPassing(s.check)
		if err != nil {
			return nil, err
		}
		listed := map[string]bool{}
		for _, name := range list {
			listed[name] = true
		}
		for _, t := range c.Tests {
			delete(listed, t.ID())
		}
		for _, name := range slices.Sorted(maps.Keys(listed)) {
			say(fmt.Sprintf("%s: the suite has no test %q", s.check, name))
		}
		wanted = func(t suite.Test) bool { return s.wants(t) && slices.Contains(list, t.ID()) }
	}
	var tests []suite.Test
	for _, t := range c.Tests {
		if wanted(t) {
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		return nil, errors.New("no test is selected")
	}
	return tests, nil
}

// baseline gives the results of the implementation to compare with: those kept from before, and what is
// missing of them measured now. The result is nil where there is no such implementation here.
func baseline(ctx context.Context, s *settings, found source.Suite, c *suite.Catalogue, tests []suite.Test,
	out io.Writer) (*report.Side, error) {
	if s.baseMpicc == "" || s.check != "" {
		return nil, nil
	}
	if _, err := exec.LookPath(strings.Fields(s.baseMpicc)[0]); err != nil {
		fmt.Fprintf(out, "No baseline: %v (Debian: apt-get install mpich libmpich-dev)\n", err)
		return nil, nil
	}
	m, err := toolchain.Open(ctx, s.baseMpicc, s.baseMpiexec, s.build)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	if strings.HasPrefix(m.Library, "MPICH") { // it always polls
		if err := m.SleepWhenIdle(ctx, s.build); err != nil {
			fmt.Fprintf(out, "The baseline will take long: %v\n", err)
		}
	}
	name, _, _ := strings.Cut(m.Library, " ")
	store := filepath.Join(s.build, fmt.Sprintf("baseline-%s-%s.jsonl", found.Version, m.Key))
	results, err := measure(ctx, s, m, found, c, tests, store, nil, out)
	return &report.Side{Name: name, Library: m.Library, Results: results}, err
}

// measure runs the tests that the file named store has no result of yet, and returns all results.
func measure(ctx context.Context, s *settings, m *toolchain.MPI, found source.Suite, c *suite.Catalogue,
	tests []suite.Test, store string,
	base *report.Side, out io.Writer) (map[string]report.Result, error) {
	kept, err := report.OpenStore(store)
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	var missing []suite.Test
	for _, t := range tests {
		if _, ok := kept.Get(t.ID()); !ok {
			missing = append(missing, t)
		}
	}
	if len(missing) > 0 {
		builder, err := toolchain.NewBuilder(ctx, m, found.Dir, filepath.Join(s.build, "bin"))
		if err != nil {
			return nil, err
		}
		if base == nil {
			fmt.Fprintf(out, "%s: %d tests to run\n", m.Library, len(missing))
		}
		run := &runner{mpi: m, builder: builder, catalogue: c, base: base, jobs: s.jobs,
			scratch: filepath.Join(s.build, "scratch"), keep: kept.Add}
		if err := run.all(ctx, missing, newProgress(out, len(missing))); err != nil {
			return nil, err
		}
	}
	results := map[string]report.Result{}
	for _, t := range tests {
		if r, ok := kept.Get(t.ID()); ok {
			results[t.ID()] = r
		}
	}
	return results, nil
}

// publish writes the page of the documentation.
func publish(name string, r *report.Report) error {
	var page bytes.Buffer
	if err := r.WriteMarkdown(&page); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, page.Bytes(), 0o644)
}

// commit names the commit that is checked out, and whether there are changes that it does not hold.
func commit(ctx context.Context, root string) string {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	id, err := git("rev-parse", "--short", "HEAD")
	if err != nil {
		return "unknown"
	}
	if changed, err := git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"); err != nil || changed != "" {
		id += " with local changes"
	}
	return id
}
