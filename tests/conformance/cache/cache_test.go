package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// entries lists what a cache holds of a kind.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	return names
}

func TestOldEntriesGo(t *testing.T) {
	dir := t.TempDir()
	c := At(dir)
	held, err := c.Use(t.Context(), "programs", "held")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for i := range Kept + 2 {
		e, err := c.Use(t.Context(), "programs", fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(e.Dir, "program"), nil, 0o755); err != nil {
			t.Fatal(err)
		}
		past := time.Now().Add(time.Duration(i-100) * time.Hour)
		os.Chtimes(filepath.Join(e.Dir, userFile), past, past)
		e.Close()
	}
	past := time.Now().Add(-1000 * time.Hour)
	os.Chtimes(filepath.Join(held.Dir, userFile), past, past)
	again, err := c.Use(t.Context(), "programs", "2") // used last from now on
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	newest, err := c.Use(t.Context(), "programs", "new")
	if err != nil {
		t.Fatal(err)
	}
	newest.Close()
	want := []string{"2", "4", "5", "held", "new"}
	if got := entries(t, filepath.Join(dir, "programs")); !slices.Equal(got, want) {
		t.Errorf("entries %q, want %q: the newest, and the one in use", got, want)
	}
}

func TestFolderIsFilledOnce(t *testing.T) {
	dir := t.TempDir()
	var calls atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			e, err := At(dir).Use(t.Context(), "suites", "key")
			if err != nil {
				t.Error(err)
				return
			}
			defer e.Close()
			folder, err := e.Folder(t.Context(), "suite", func(dir string) error {
				calls.Add(1)
				time.Sleep(10 * time.Millisecond) // others come meanwhile
				return os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644)
			})
			if err != nil {
				t.Error(err)
			}
			if text, err := os.ReadFile(filepath.Join(folder, "file")); err != nil || string(text) != "x" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
	wg.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("filled %d times", n)
	}
}

func TestNothingStaysOfAFolderThatIsNotFilled(t *testing.T) {
	e, err := At(t.TempDir()).Use(t.Context(), "suites", "key")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	// A process was killed when it had half of it.
	if err := os.MkdirAll(filepath.Join(e.Dir, "suite.partial", "half"), 0o755); err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("wrong")
	if _, err := e.Folder(t.Context(), "suite", func(string) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
	folder, err := e.Folder(t.Context(), "suite", func(dir string) error {
		if left := entries(t, dir); len(left) > 0 {
			t.Errorf("the folder holds %q", left)
		}
		return nil
	})
	if err != nil || filepath.Base(folder) != "suite" {
		t.Errorf("folder %s, %v", folder, err)
	}
}
