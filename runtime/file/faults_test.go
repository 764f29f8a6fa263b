package file_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	gort "runtime"
	"testing"

	"golang.org/x/sys/unix"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// ways are hints that force each way of an access.
func ways() map[string]map[string]string {
	return map[string]map[string]string{
		"automatic": nil,
		"calls": {"gompi_mapping": "disable", "romio_cb_read": "disable", "romio_cb_write": "disable",
			"romio_ds_read": "disable", "romio_ds_write": "disable"},
		"sieving": {"gompi_mapping": "disable", "romio_cb_read": "disable", "romio_cb_write": "disable",
			"romio_ds_read": "enable", "romio_ds_write": "enable"},
		"two-phase": {"romio_cb_read": "enable", "romio_cb_write": "enable"},
		"pages":     {"gompi_mapping": "enable"},
	}
}

// As if the disk were full: a collective write fails on all ranks and with the same class, whichever way it
// goes, and so does that of one rank alone.
func TestFullDisk(t *testing.T) {
	const ranks, size = 3, 300
	for name, hints := range ways() {
		t.Run(name, func(t *testing.T) {
			testjob.Run(t, ranks, testjob.Options{}, func(p *runtime.Process) error {
				f, err := open(p, "/dev/full", file.ReadWrite, hints)
				if err != nil {
					return err
				}
				if err := everyOther(f, p.Rank, ranks, file.Native()); err != nil {
					return err
				}
				var st request.Status
				mem := bytes.Repeat([]byte{1}, size)
				defer gort.KeepAlive(mem)
				b := datatype.Raw(shm.Address(mem), size)
				for range 2 {
					err := f.ReadWriteAll(file.Explicit, 0, b, file.Write, &st)
					if err := class(err, mpierr.ErrNoSpace); err != nil {
						return err
					}
				}
				err = f.ReadWrite(file.Explicit, 0, b, file.Write, &st)
				if err := class(err, mpierr.ErrNoSpace); err != nil {
					return err
				}
				if err := f.ReadWriteAll(file.Explicit, 0, b, file.Read, &st); err != nil {
					return err
				}
				if st.Bytes != size || !bytes.Equal(mem, make([]byte, size)) {
					return fmt.Errorf("read %d bytes %v", st.Bytes, head(mem))
				}
				_, err = f.Close()
				return err
			})
		})
	}
}

// asSomebody runs f as a user with no rights of its own, as far as files are concerned.
func asSomebody(f func() error) error {
	const nobody = 65534
	if os.Geteuid() != 0 {
		return f()
	}
	if err := unix.Setfsuid(nobody); err != nil {
		return err
	}
	defer func() { _ = unix.Setfsuid(0) }() // it cannot fail
	return f()
}

// A file that may be written but not read can be written in every way, and the gaps stay as they are.
func TestWriteOnlyByRights(t *testing.T) {
	const ranks, size, gap = 2, 100, 0xEE
	for name, hints := range ways() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			before := bytes.Repeat([]byte{gap}, 3*ranks*size)
			if err := os.WriteFile(path, before, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, 0o222); err != nil {
				t.Fatal(err)
			}
			for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
				if err := os.Chmod(d, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			testjob.Run(t, ranks, testjob.Options{}, func(p *runtime.Process) error {
				var f *file.File
				if err := asSomebody(func() (err error) {
					if _, err = open(p, path, file.ReadWrite, hints); err == nil {
						return fmt.Errorf("the file can be read")
					}
					if e := class(err, mpierr.ErrAccess); e != nil {
						return e
					}
					f, err = open(p, path, file.WriteOnly, hints)
					return err
				}); err != nil {
					return err
				}
				// One rank more than there are: its bytes are the gaps.
				if err := everyOther(f, p.Rank, ranks+1, file.Native()); err != nil {
					return err
				}
				mem := bytes.Repeat([]byte{byte(p.Rank)}, size)
				defer gort.KeepAlive(mem)
				b := datatype.Raw(shm.Address(mem), size)
				var st request.Status
				if err := f.ReadWriteAll(file.Explicit, 0, b, file.Write, &st); err != nil {
					return err
				}
				if err := f.ReadWrite(file.Explicit, size, b, file.Write, &st); err != nil {
					return err
				}
				err := f.ReadWrite(file.Explicit, 0, b, file.Read, &st)
				if err := class(err, mpierr.ErrAccess); err != nil {
					return err
				}
				_, err = f.Close()
				return err
			})
			if err := os.Chmod(path, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range got {
				want := byte(i / 5 % (ranks + 1))
				if want == ranks {
					want = gap
				}
				if b != want {
					t.Fatalf("byte %d of the file is %d, want %d", i, b, want)
				}
			}
		})
	}
}

// Where the process may not make a file longer than so much, what fits is written and the rest is an error,
// which the status does not hide.
func TestFileSizeLimit(t *testing.T) {
	const limit, room, size = 1 << 30, 10_000, 9_000 // other files of the process have to be below the limit
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_FSIZE, &old) }()
	for name, hints := range ways() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
				f, err := open(p, path, file.Create|file.ReadWrite, hints)
				if err != nil {
					return err
				}
				mem := bytes.Repeat([]byte{byte(1 + p.Rank)}, size)
				defer gort.KeepAlive(mem)
				b := datatype.Raw(shm.Address(mem), size)
				var st request.Status
				err = f.ReadWriteAll(file.Explicit, limit-room+int64(p.Rank*size), b, file.Write, &st)
				if err := class(err, mpierr.ErrQuota); err != nil {
					return err
				}
				for _, err := range []error{f.SetSize(limit + 1), f.Preallocate(limit + 1)} {
					if err := class(err, mpierr.ErrQuota); err != nil {
						return err
					}
				}
				if n, err := f.Size(); err != nil || n > limit {
					return fmt.Errorf("size %d, %w", n, err)
				}
				_, err = f.Close()
				return err
			})
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got, want := make([]byte, size), bytes.Repeat([]byte{1}, size)
			if _, err := f.ReadAt(got, limit-room); err != nil || !bytes.Equal(got, want) {
				t.Errorf("what fits differs from byte %d on: %v", difference(got, want), err)
			}
		})
	}
}
