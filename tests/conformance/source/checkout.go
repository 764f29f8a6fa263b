package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"gompi/tests/conformance/cache"
)

// A release of MPICH holds more of the suite than a checkout: its autogen makes the programs of f90 from
// those of f77, by a script in Perl that comes with the suite, and a header with names for what MPICH has
// ahead of the standard, which is empty for other implementations.

// extensions is that header.
const extensions = "include/mtest_mpix.h"

// Key condenses the suite's files, by name and content.
func (s Suite) Key() (string, error) {
	sum := sha256.New()
	root := os.DirFS(s.Dir)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		fmt.Fprintf(sum, "%q %d\n", name, len(text))
		sum.Write(text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil))[:16], err
}

// Complete gives a suite with all that autogen makes. One that lacks something stays as it is: a copy in an
// entry of a cache, which is this suite's own, is completed. Without Perl the programs of f90 stay away.
func Complete(ctx context.Context, s Suite, kept *cache.Entry) (Suite, error) {
	folders, err := unconverted(s.Dir)
	if err != nil {
		return Suite{}, err
	}
	_, err = os.Stat(filepath.Join(s.Dir, extensions))
	if err == nil && len(folders) == 0 {
		return s, nil
	}
	dir, err := kept.Folder(ctx, "mpich", func(dir string) error {
		suite := filepath.Join(dir, "test", "mpi")
		if err := os.CopyFS(suite, os.DirFS(s.Dir)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(suite, "include"), 0o755); err != nil {
			return err
		}
		header, err := os.OpenFile(filepath.Join(suite, extensions), os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		header.Close()
		return convert(ctx, suite, folders)
	})
	return Suite{Dir: filepath.Join(dir, "test", "mpi"), Version: s.Version}, err
}

// conversion is a folder of Fortran 77 and the one that is made of it.
type conversion struct{ from, to string }

// unconverted finds folders of f77 that have no counterpart with a testlist in f90. There are none where the
// suite lacks the script that converts.
func unconverted(dir string) ([]conversion, error) {
	if _, err := os.Stat(filepath.Join(dir, "maint", "f77tof90")); err != nil {
		return nil, nil
	}
	var list []conversion
	for _, top := range []string{"", "errors"} {
		entries, err := os.ReadDir(filepath.Join(dir, top, "f77"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			x := conversion{filepath.Join(top, "f77", e.Name()), filepath.Join(top, "f90", e.Name())}
			lists, _ := filepath.Glob(filepath.Join(dir, x.from, "testlist*"))
			made, _ := filepath.Glob(filepath.Join(dir, x.to, "testlis*[^p]")) // testlist.ap is a part that is added
			if e.IsDir() && len(lists) > 0 && len(made) == 0 {
				list = append(list, x)
			}
		}
	}
	return list, nil
}

// convert has the suite's script make folders of f90.
func convert(ctx context.Context, dir string, folders []conversion) error {
	perl, err := exec.LookPath("perl")
	if err != nil {
		return nil
	}
	for _, x := range folders {
		if err := os.MkdirAll(filepath.Join(dir, x.to), 0o755); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, perl, "maint/f77tof90", x.from, x.to, "Makefile.am", "Makefile.ap")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("maint/f77tof90 %s: %w\n%s", x.from, err, lastLines(string(out), 5))
		}
	}
	return nil
}
