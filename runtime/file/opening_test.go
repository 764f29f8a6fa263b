package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/file"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// open opens a file on all ranks of the world.
func open(p *runtime.Process, path string, mode file.Mode, hints map[string]string) (*file.File, error) {
	i := new(info.Info)
	for k, v := range hints {
		if err := i.Set(k, v); err != nil {
			return nil, err
		}
	}
	return file.Open(p.Files, p.World, path, mode, i)
}

// class says what is wrong with an error that should be of a class.
func class(err error, want mpierr.Class) error {
	if mpierr.CodeOf(err) != int(want) {
		return fmt.Errorf("error %v, want class %d", err, int(want))
	}
	return nil
}

// A file that one rank cannot open is open on none. Rank 0 takes a file away that it has made for that, and
// no other one.
func TestOpenedByAllOrNone(t *testing.T) {
	for _, c := range []struct {
		mode   file.Mode
		before bool // the file is there
		after  bool
	}{
		{file.ReadWrite, true, true},
		{file.ReadWrite | file.Create, true, true},
		{file.ReadWrite | file.Exclusive, true, true},
		{file.WriteOnly | file.Exclusive, true, true},
		{file.ReadWrite | file.Create | file.Exclusive, false, false},
		{file.ReadWrite | file.DeleteOnClose, true, true},
	} {
		t.Run(fmt.Sprint(c.mode), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if c.before {
				if err := os.WriteFile(path, []byte("of the user"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			testjob.Run(t, 3, testjob.Options{}, func(p *runtime.Process) error {
				name := path
				if p.Rank == 1 {
					name = filepath.Join(path+"-elsewhere", "file")
				}
				_, err := open(p, name, c.mode, nil)
				return class(err, mpierr.ErrNoSuchFile)
			})
			if _, err := os.Stat(path); (err == nil) != c.after {
				t.Errorf("the file afterwards: %v", err)
			}
		})
	}
}
