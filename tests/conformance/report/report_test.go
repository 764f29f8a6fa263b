package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gompi/tests/conformance/job"
	"gompi/tests/conformance/suite"
)

// side makes a side from results.
func side(name string, results ...Result) Side {
	s := Side{Name: name, Library: name + " 1.0", Results: map[string]Result{}}
	for _, r := range results {
		s.Results[r.Test] = r
	}
	return s
}

// sample is a report with one test of every fate.
func sample() *Report {
	base := side("MPICH", Result{Test: "attr/a 1"}, Result{Test: "attr/b 1"}, Result{Test: "coll/c 2", Kind: job.Time, Detail: "late"},
		Result{Test: "coll/d 2", Kind: job.Exit, Detail: "exit status 7"}, Result{Test: "coll/e 2"})
	return &Report{
		Subject: side("gompi", Result{Test: "attr/a 1"}, Result{Test: "attr/b 1", Kind: job.Output, Detail: "rank 3 | `got` 17"},
			Result{Test: "coll/c 2", Left: []string{"c"}, Seconds: 5}, Result{Test: "coll/d 2", Kind: job.Build, Detail: "undefined"},
			Result{Test: "coll/e 2", Kind: job.Output, Detail: "rank 4 | `got` 2"}),
		Part: "C", Baseline: &base, Suite: "4.0.2", Commit: "abc", Cores: 2, Elapsed: time.Minute,
		Tests: []suite.Test{{Folder: "attr", Program: "a", NP: 1}, {Folder: "attr", Program: "b", NP: 1},
			{Folder: "coll", Program: "c", NP: 2}, {Folder: "coll", Program: "d", NP: 2},
			{Folder: "coll", Program: "e", NP: 2}},
		Exclusions: []suite.Exclusion{{Test: "mpi_t/qmpi", Reason: "MPICH's own"}},
		Date:       time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC),
	}
}

func TestMarkdown(t *testing.T) {
	page := sample().Markdown()
	for _, want := range []string{
		"2025-03-04, commit abc, 2 cores, 1m0s.",
		"| attr | 1 | 2 | 2 |\n| coll | 1 | 1 | 3 |\n| all | 2 | 3 | 5 |\n",
		"### MPICH passes, gompi does not: 2\n\n- `attr/b 1`: output: `rank 3 | 'got' 17`\n",
		"### Neither passes: 1\n\n- `coll/d 2`: build: `undefined`\n",
		"### gompi passes, MPICH does not: 1\n\n- `coll/c 2`: time: `late`\n",
		"### Left processes behind: 1\n\n- `coll/c 2`: c\n",
		"- `mpi_t/qmpi`: MPICH's own\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks\n%s\nit is\n%s", want, page)
		}
	}
}

func TestPageKeepsWhatWasNotRun(t *testing.T) {
	parts := []string{"C", "Fortran", "C++"}
	page := Page("", map[string]string{"C": "## C\n\nold\n\n### x: 1\n", "C++": "## C++\n\nother\n"}, parts, 0)
	page = Page(page, map[string]string{"Fortran": "## Fortran\n\nnew\n"}, parts, 0)
	if want := "\n## C\n\nold\n\n### x: 1\n\n## Fortran\n\nnew\n\n## C++\n\nother\n"; !strings.HasSuffix(page, want) ||
		!strings.HasPrefix(page, "# Conformance\n") {
		t.Errorf("page\n%s", page)
	}
	if again := Page(page, nil, parts, 0); again != page {
		t.Errorf("page\n%s\nbecame\n%s", page, again)
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	if err := sample().Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 tests pass with MPICH and not with gompi, 1 fail with both, 1 pass with gompi alone.",
		"    2  output: rank N | `got` N  (attr/b 1)\n", "1 runs left processes behind"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks\n%s\nit is\n%s", want, b.String())
		}
	}
}

func TestWithoutBaseline(t *testing.T) {
	r := sample()
	r.Baseline = nil
	page := r.Markdown()
	if !strings.Contains(page, "### Failures: 3") || !strings.Contains(page, "| folder | gompi | total |") ||
		strings.Contains(page, "MPICH 1.0") {
		t.Error(page)
	}
	if got := r.Passing(5); !slices.Equal(got, []string{"attr/a 1", "coll/c 2"}) {
		t.Errorf("passing %q", got)
	}
	if got := r.Passing(4); !slices.Equal(got, []string{"attr/a 1"}) {
		t.Errorf("passing quickly %q", got)
	}
}

func TestStoreKeepsResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "deep", "store.jsonl")
	s, err := OpenStore(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Result{{Test: "a 1", Kind: job.Time, Detail: "late"}, {Test: "b 1", Seconds: 1.5}, {Test: "a 1"}} {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"Test":"c 1","Ki`) // a write that was cut off
	f.Close()
	if s, err = OpenStore(name); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(Result{Test: "d 1"}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = OpenStore(name); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r, ok := s.Get("a 1"); !ok || !r.Passed() {
		t.Errorf("a: %+v, %v", r, ok)
	}
	if r, _ := s.Get("b 1"); r.Seconds != 1.5 {
		t.Errorf("b: %+v", r)
	}
	if _, ok := s.Get("c 1"); ok {
		t.Error("half a line was taken")
	}
	if _, ok := s.Get("d 1"); !ok {
		t.Error("the result after half a line is lost")
	}
}
