package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"gompi/tests/conformance/job"
)

// Result is what a test came to.
type Result struct {
	Test    string   // suite.Test.ID
	Kind    job.Kind `json:",omitempty"` // job.Passed, or in what way it failed
	Detail  string   `json:",omitempty"` // one line
	Seconds float64  // that the run took; 0 where there was none
	Left    []string `json:",omitempty"` // processes that it left behind
}

// Passed reports whether the test passed.
func (r Result) Passed() bool { return r.Kind == job.Passed }

// Store keeps results in a file, one JSON object per line, each written at once, so that an interrupted run
// loses nothing. It may be used from several goroutines.
type Store struct {
	mu      sync.Mutex
	file    *os.File
	results map[string]Result
}

// OpenStore opens the file and reads what is in it; it makes the file where there is none.
func OpenStore(name string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	s := &Store{results: map[string]Result{}}
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r Result
		if json.Unmarshal(sc.Bytes(), &r) == nil && r.Test != "" { // the last line may be cut off
			s.results[r.Test] = r
		}
	}
	s.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil && len(text) > 0 && text[len(text)-1] != '\n' {
		_, err = s.file.WriteString("\n")
	}
	return s, err
}

// Add keeps a result; it replaces an older one of the same test.
func (s *Store) Add(r Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[r.Test] = r
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// Get returns the result of a test and whether there is one.
func (s *Store) Get(test string) (Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.results[test]
	return r, ok
}

// Close closes the file.
func (s *Store) Close() error { return s.file.Close() }
