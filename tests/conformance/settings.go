package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gompi/tests/conformance/suite"
)

// settings is what a run is asked to do.
type settings struct {
	root  string // of the repository
	build string // folder for everything that is made
	cache string // folder for what runs of other clones can use, too

	dirs  []string       // folders of the suite; none means all
	only  *regexp.Regexp // nil means all
	npMax int            // 0 means any
	share share
	jobs  int

	mpicc, mpiexec         string
	baseMpicc, baseMpiexec string // empty for no baseline
	suiteDir               string // empty: obtain the suite
	check, failing, record string // files; may be empty
	results                string // file that keeps the results from one run to the next; may be empty

	subject string // name in the report
	nodes   int    // over so many hosts mpiexec spreads ranks; 0 when they are all on this machine
	obtain  bool   // the suite is to be here, and nothing else
}

// names are the settings that there are.
var names = []string{"DIRS", "ONLY", "NP_MAX", "PART", "JOBS", "MPICC", "MPIEXEC", "BASELINE_MPICC",
	"BASELINE_MPIEXEC", "MPICH_SUITE", "CHECK", "FAILING", "RECORD", "RESULTS", "NODES", "OBTAIN"}

// jobsPerCore is how many tests run for each core where no time is compared: most of them wait for something.
const jobsPerCore = 4

// readSettings takes the settings from arguments NAME=value and, where there is none, from the environment.
func readSettings(args []string, getenv func(string) string) (*settings, error) {
	given := map[string]string{}
	for _, n := range names {
		given[n] = strings.TrimSpace(getenv(n))
	}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok || !slices.Contains(names, name) {
			return nil, fmt.Errorf("argument %q: want NAME=value with NAME one of %s", a, strings.Join(names, ", "))
		}
		given[name] = strings.TrimSpace(value)
	}
	root, err := repository()
	if err != nil {
		return nil, err
	}
	s := &settings{root: root, build: filepath.Join(root, "build", "conformance"), suiteDir: given["MPICH_SUITE"],
		check: given["CHECK"], failing: given["FAILING"], record: given["RECORD"], results: given["RESULTS"],
		jobs: runtime.NumCPU(), obtain: given["OBTAIN"] != ""}
	if s.judges() {
		s.jobs *= jobsPerCore
	}
	s.cache = filepath.Join(s.build, "cache")
	if dir, err := os.UserCacheDir(); err == nil {
		s.cache = filepath.Join(dir, "gompi", "mpich-suite")
	}
	if err := s.selection(given); err != nil {
		return nil, err
	}
	return s, s.implementations(given)
}

// selection reads which tests are to run, and how many at a time.
func (s *settings) selection(given map[string]string) error {
	s.dirs = strings.FieldsFunc(given["DIRS"], func(r rune) bool { return r == ',' || r == ' ' })
	for i, d := range s.dirs {
		s.dirs[i] = strings.TrimSuffix(d, "/")
		if slices.Contains(suite.Parts, d) {
			continue
		}
		if top, _, _ := strings.Cut(d, "/"); !slices.Contains(suite.Folders, top) {
			return fmt.Errorf("DIRS: %q is no folder of the suite and no language; there are %s", d,
				strings.Join(slices.Concat(suite.Parts, suite.Folders), ", "))
		}
	}
	if given["ONLY"] != "" {
		var err error
		if s.only, err = regexp.Compile(given["ONLY"]); err != nil {
			return fmt.Errorf("ONLY: %w", err)
		}
	}
	var err error
	s.share, err = parseShare(given["PART"], func() (string, error) { return head(context.Background(), s.root) })
	if err != nil {
		return err
	}
	for _, n := range []struct {
		name string
		to   *int
	}{{"NP_MAX", &s.npMax}, {"JOBS", &s.jobs}, {"NODES", &s.nodes}} {
		if text := given[n.name]; text != "" {
			v, err := strconv.Atoi(text)
			if err != nil || v < 1 {
				return fmt.Errorf("%s: %q is no positive number", n.name, text)
			}
			*n.to = v
		}
	}
	return nil
}

// implementations reads whose tests these are.
func (s *settings) implementations(given map[string]string) error {
	s.mpicc, s.mpiexec, s.subject = given["MPICC"], given["MPIEXEC"], ""
	if (s.mpicc == "") != (s.mpiexec == "") {
		return fmt.Errorf("MPICC and MPIEXEC belong together: set both or none")
	}
	if s.mpicc == "" {
		s.subject = "gompi"
		s.mpicc, s.mpiexec = filepath.Join(s.root, "build", "bin", "mpicc"), filepath.Join(s.root, "build", "bin", "mpiexec")
		if _, err := os.Stat(s.mpicc); err != nil {
			return fmt.Errorf("%s is not there: run make first", s.mpicc)
		}
	}
	s.baseMpicc, s.baseMpiexec = given["BASELINE_MPICC"], given["BASELINE_MPIEXEC"]
	switch {
	case s.baseMpicc == "none" || s.baseMpiexec == "none":
		s.baseMpicc, s.baseMpiexec = "", ""
	case (s.baseMpicc == "") != (s.baseMpiexec == ""):
		return fmt.Errorf("BASELINE_MPICC and BASELINE_MPIEXEC belong together: set both or none")
	case s.baseMpicc == "" && s.nodes == 0:
		s.baseMpicc, s.baseMpiexec = "mpicc.mpich", "mpiexec.mpich"
	}
	return nil
}

// judges reports whether the run is made to learn whether something fails that should pass.
func (s *settings) judges() bool { return s.check != "" || s.failing != "" }

// publishable reports whether the results of the run may be published, given that they are complete: those of
// the default implementation may.
func (s *settings) publishable() bool { return s.subject != "" && !s.judges() }

// page is the page of the documentation on which results are published.
func (s *settings) page() string {
	if s.nodes > 0 {
		return filepath.Join(s.root, "docs", "conformance-nodes.md")
	}
	return filepath.Join(s.root, "docs", "conformance.md")
}

// wants reports whether a test is selected.
func (s *settings) wants(t suite.Test) bool {
	if s.npMax > 0 && t.NP > s.npMax || s.only != nil && !s.only.MatchString(t.ID()) {
		return false
	}
	return len(s.dirs) == 0 || slices.ContainsFunc(s.dirs, func(d string) bool {
		return suite.Within(t.Folder, d) || suite.PartOf(t.Folder) == d
	})
}

// repository finds the root of the repository from the working directory upwards.
func repository() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not within the repository (no go.mod above it)", start)
		}
	}
}
