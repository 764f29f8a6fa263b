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

	"gompi/tests/conformance/cache"
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

// largest is how much memory a test may need to count, in gigabytes.
const largest = 4

// session is what the parts of a run have in common.
type session struct {
	*settings
	found     source.Suite
	suiteKey  string
	cache     cache.Cache
	catalogue *suite.Catalogue
	excluded  []suite.Exclusion
	subject   *toolchain.MPI
	base      *toolchain.MPI  // nil for none
	store     string          // file for the subject's results
	known     map[string]bool // tests that may fail
	skipped   int             // tests that are meant, and cannot run or cannot count
	out       io.Writer
}

// conform makes a run from beginning to end.
func conform(ctx context.Context, s *settings, out io.Writer) error {
	say := func(text string) { fmt.Fprintln(out, text) }
	run := &session{settings: s, out: out, cache: cache.At(s.cache)}
	release, err := run.obtain(ctx, say)
	if err != nil {
		return err
	}
	defer release()
	if s.obtain {
		return nil
	}
	if run.catalogue, run.excluded, err = read(run.found, say); err != nil {
		return err
	}
	tests, err := run.selected(say)
	if err != nil {
		return err
	}
	if s.failing != "" {
		if run.known, err = readFailing(s.failing); err != nil {
			return err
		}
	}
	which := ""
	if s.share.of > 0 {
		which = fmt.Sprintf(", part %v", s.share)
	}
	say(fmt.Sprintf("MPICH %s's test suite%s: %d tests to run, %d at a time", run.found.Version, which, len(tests), s.jobs))
	if run.subject, err = toolchain.Open(ctx, s.mpicc, s.mpiexec, max(1, s.nodes), s.build); err != nil {
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
		s.skipped += len(own)
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
	return s.judge(reports)
}

// obtain finds the suite, with all that belongs to it. release ends its use.
func (s *session) obtain(ctx context.Context, say func(string)) (release func(), err error) {
	var used []*cache.Entry
	release = func() {
		for _, e := range used {
			e.Close()
		}
	}
	use := func(key string) (*cache.Entry, error) {
		e, err := s.cache.Use(ctx, "suites", key)
		if err == nil {
			used = append(used, e)
		}
		return e, err
	}
	find := func() error {
		if s.suiteDir != "" {
			s.found, err = source.Open(s.suiteDir)
			return err
		}
		kept, err := use("debian")
		if err != nil {
			return err
		}
		s.found, err = source.Obtain(ctx, kept, say)
		return err
	}
	if err = find(); err == nil {
		s.suiteKey, err = s.found.Key()
	}
	if err == nil && s.suiteDir != "" {
		var kept *cache.Entry
		if kept, err = use(s.suiteKey); err == nil {
			s.found, err = source.Complete(ctx, s.found, kept)
		}
	}
	if err != nil {
		release()
	}
	return release, err
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
	excluded = append(excluded, catalogue.Larger(largest)...)
	if unknown := catalogue.Exclude(excluded); len(unknown) > 0 {
		say(fmt.Sprintf("exclusions.txt: %d entries, the first %q, are of another version of the suite",
			len(unknown), unknown[0].Test))
	}
	return catalogue, excluded, nil
}

// selected gives the tests that are to run.
func (s *session) selected(say func(string)) ([]suite.Test, error) {
	wanted := s.wants
	if s.check != "" {
		list, err := readPassing(s.check)
		if err != nil {
			return nil, err
		}
		listed := map[string]bool{}
		unknown := map[string]bool{}
		for _, name := range list {
			listed[name], unknown[name] = true, true
		}
		for _, t := range s.catalogue.Tests {
			delete(unknown, t.ID())
		}
		for _, name := range slices.Sorted(maps.Keys(unknown)) {
			say(fmt.Sprintf("%s: the suite has no test %q", s.check, name))
		}
		s.skipped += len(unknown)
		wanted = func(t suite.Test) bool { return s.wants(t) && listed[t.ID()] }
	} else {
		for _, t := range s.catalogue.Excluded {
			if s.wants(t) {
				s.skipped++
			}
		}
	}
	var tests []suite.Test
	for _, t := range s.catalogue.Tests {
		if wanted(t) {
			tests = append(tests, t)
		}
	}
	if tests = s.share.choose(tests); len(tests) == 0 {
		return nil, errors.New("no test is selected")
	}
	return tests, nil
}

// baseline finds the implementation to compare with. The result is nil where there is none here.
func baseline(ctx context.Context, s *settings, out io.Writer) (*toolchain.MPI, error) {
	if s.baseMpicc == "" || s.judges() {
		return nil, nil
	}
	if _, err := exec.LookPath(strings.Fields(s.baseMpicc)[0]); err != nil {
		fmt.Fprintf(out, "No baseline: %v (Debian: apt-get install mpich libmpich-dev)\n", err)
		return nil, nil
	}
	m, err := toolchain.Open(ctx, s.baseMpicc, s.baseMpiexec, 1, s.build)
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
		builder, err := toolchain.NewBuilder(ctx, m, s.found.Dir, s.suiteKey, s.cache)
		if err != nil {
			return nil, err
		}
		defer builder.Close()
		if base == nil {
			fmt.Fprintf(s.out, "%s: %d tests to run\n", m.Library, len(missing))
		}
		run := &runner{mpi: m, builder: builder, catalogue: s.catalogue, base: base, jobs: s.jobs,
			scratch: filepath.Join(s.build, "scratch"), keep: kept.Add, patient: s.judges(),
			mayFail: s.mayFail}
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
