package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
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

// session is what the parts of a run have in common.
type session struct {
	*settings
	found     source.Suite
	catalogue *suite.Catalogue
	excluded  []suite.Exclusion
	subject   *toolchain.MPI
	base      *toolchain.MPI // nil for none
	store     string         // file for the subject's results
	out       io.Writer
}

// conform makes a run from beginning to end.
func conform(ctx context.Context, s *settings, out io.Writer) error {
	say := func(text string) { fmt.Fprintln(out, text) }
	run := &session{settings: s, out: out}
	var err error
	if run.found, err = obtain(ctx, s, say); err != nil || s.obtain {
		return err
	}
	if run.catalogue, run.excluded, err = read(run.found, say); err != nil {
		return err
	}
	tests, err := selected(s, run.catalogue, say)
	if err != nil {
		return err
	}
	say(fmt.Sprintf("MPICH %s's test suite: %d tests to run, %d at a time", run.found.Version, len(tests), s.jobs))
	if run.subject, err = toolchain.Open(ctx, s.mpicc, s.mpiexec, s.build); err != nil {
		return err
	}
	if run.base, err = baseline(ctx, s, out); err != nil {
		return err
	}
	if run.base != nil && run.base.Library == run.subject.Library {
		run.base = nil // it would be measured against itself
	}
	say(run.subject.Library + ": " + strings.Join(run.subject.Exec, " "))
	if run.store = s.results; run.store == "" {
		run.store = filepath.Join(s.build, fmt.Sprintf("run-%d.jsonl", os.Getpid())) // several runs may be under way
		defer os.Remove(run.store)
	}
	var reports []*report.Report
	for _, part := range suite.Parts {
		r, err := run.part(ctx, part, tests)
		if err != nil {
			return err
		}
		if r != nil {
			reports = append(reports, r)
		}
	}
	if len(reports) == 0 {
		return errors.New("no test can be built")
	}
	if s.results == "" {
		if err := os.Rename(run.store, filepath.Join(s.build, "last.jsonl")); err != nil {
			return err
		}
	}
	return run.conclude(reports)
}

// part runs those tests that belong to a part of the suite. The report is nil where there are none, or where
// none can be built here.
func (s *session) part(ctx context.Context, part string, tests []suite.Test) (*report.Report, error) {
	own := slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool {
		return suite.PartOf(t.Folder) != part
	})
	if len(own) == 0 {
		return nil, nil
	}
	reason, err := s.subject.Lacks(ctx, part)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		fmt.Fprintf(s.out, "%d tests of %s are left out: %s\n", len(own), part, reason)
		return nil, nil
	}
	r := &report.Report{Part: part, Suite: s.found.Version, Tests: own, Date: time.Now(), Nodes: s.nodes,
		Cores: runtime.NumCPU(), Commit: commit(ctx, s.root)}
	r.Exclusions = slices.DeleteFunc(slices.Clone(s.excluded), func(e suite.Exclusion) bool {
		return suite.PartOf(path.Dir(strings.Fields(e.Test)[0])) != part
	})
	if s.base != nil {
		name, _, _ := strings.Cut(s.base.Library, " ")
		store := filepath.Join(s.build, fmt.Sprintf("baseline-%s-%s.jsonl", s.found.Version, s.base.Key))
		results, err := s.measure(ctx, s.base, own, store, nil)
		if err != nil {
			return nil, err
		}
		r.Baseline = &report.Side{Name: name, Library: s.base.Library, Results: results}
	}
	r.Subject.Library, r.Subject.Name = s.subject.Library, s.settings.subject
	if r.Subject.Name == "" {
		r.Subject.Name = s.subject.Library
	}
	start := time.Now()
	r.Subject.Results, err = s.measure(ctx, s.subject, own, s.store, r.Baseline)
	if s.results == "" {
		r.Elapsed = time.Since(start)
	}
	return r, err
}

// conclude shows the reports and writes what is to be written.
func (s *session) conclude(reports []*report.Report) error {
	for _, r := range reports {
		if err := r.Print(s.out); err != nil {
			return err
		}
	}
	if err := s.publish(s.page(), reports); err != nil {
		return err
	}
	if s.record != "" {
		var passed []string
		for _, r := range reports {
			passed = append(passed, r.Passing(quick)...)
		}
		if err := recordPassing(s.record, passed); err != nil {
			return err
		}
	}
	if s.check != "" {
		return checkPassing(s.check, reports, s.out)
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

// baseline finds the implementation to compare with. The result is nil where there is none here.
func baseline(ctx context.Context, s *settings, out io.Writer) (*toolchain.MPI, error) {
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
	return m, nil
}

// measure runs the tests that the file named store has no result of yet, and returns all results. Those of
// the baseline are kept from one run to the next in this way.
func (s *session) measure(ctx context.Context, m *toolchain.MPI, tests []suite.Test, store string,
	base *report.Side) (map[string]report.Result, error) {
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
		builder, err := toolchain.NewBuilder(ctx, m, s.found.Dir, filepath.Join(s.build, "bin"))
		if err != nil {
			return nil, err
		}
		if base == nil {
			fmt.Fprintf(s.out, "%s: %d tests to run\n", m.Library, len(missing))
		}
		run := &runner{mpi: m, builder: builder, catalogue: s.catalogue, base: base, jobs: s.jobs,
			scratch: filepath.Join(s.build, "scratch"), keep: kept.Add}
		if err := run.all(ctx, missing, newProgress(s.out, len(missing))); err != nil {
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

// publish writes the results of the parts that were run as a whole into the page of the documentation, and
// leaves those of the others there as they are.
func (s *session) publish(name string, reports []*report.Report) error {
	parts := map[string]string{}
	for _, r := range reports {
		all := 0
		for _, t := range s.catalogue.Tests {
			if suite.PartOf(t.Folder) == r.Part {
				all++
			}
		}
		if s.publishable() && len(r.Tests) == all {
			parts[r.Part] = r.Markdown()
		}
	}
	if len(parts) == 0 {
		return nil
	}
	page, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(report.Page(string(page), parts, suite.Parts, s.nodes)), 0o644)
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
