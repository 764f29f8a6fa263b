package file_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	gort "runtime"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// forbidden is memory that nobody may read or write.
func forbidden(t testing.TB, n int) uintptr {
	t.Helper()
	mem, err := unix.Mmap(-1, 0, n, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(mem) })
	return shm.Address(mem)
}

// everyOther is the view in which the ranks see blocks of a file in turns.
func everyOther(f *file.File, rank, ranks int, rep *file.Representation) error {
	const length = 5
	l := layout{etype: 1, extent: length * ranks}
	for r := range ranks {
		l.blocks = append(l.blocks, block{r * length, length, r})
	}
	return l.show(f, rank, rep)
}

// A rank whose buffer is no memory fails, and the other ranks of a collective access are told or go on: the
// file can be used by all of them afterwards.
func TestBadMemory(t *testing.T) {
	const ranks, bad, size = 3, 1, 300
	hints := map[string]map[string]string{
		"pages":     {"romio_cb_read": "disable", "romio_cb_write": "disable"},
		"calls":     {"gompi_mapping": "disable", "romio_cb_read": "disable", "romio_cb_write": "disable"},
		"sieving":   {"gompi_mapping": "disable", "collective_buffering": "false", "romio_ds_write": "enable"},
		"two-phase": {"romio_cb_read": "enable", "romio_cb_write": "enable", "cb_nodes": "2"},
	}
	calls := map[string]func(p *runtime.Process, f *file.File, b datatype.Buffer, dir file.Direction) error{
		"at all": func(p *runtime.Process, f *file.File, b datatype.Buffer, dir file.Direction) error {
			return f.ReadWriteAll(file.Explicit, 0, b, dir, new(request.Status))
		},
		"split": func(p *runtime.Process, f *file.File, b datatype.Buffer, dir file.Direction) error {
			if err := f.Begin(file.Explicit, 0, b, dir); err != nil {
				return err
			}
			return f.End(file.Explicit, b.Addr, dir, new(request.Status))
		},
		"start all": func(p *runtime.Process, f *file.File, b datatype.Buffer, dir file.Direction) error {
			r, err := f.StartAll(file.Explicit, 0, b, dir)
			if err != nil {
				return err
			}
			return p.Engine.Wait(r, nil)
		},
	}
	nowhere := forbidden(t, 4096)
	for name, h := range hints {
		for how, call := range calls {
			for _, rep := range []*file.Representation{file.Native(), file.External()} {
				t.Run(fmt.Sprintf("%s/%s/%s", name, how, rep.Name), func(t *testing.T) {
					path := filepath.Join(t.TempDir(), "file")
					old := bytes.Repeat([]byte{7}, ranks*size)
					if err := os.WriteFile(path, old, 0o600); err != nil {
						t.Fatal(err)
					}
					testjob.Run(t, ranks, testjob.Options{}, func(p *runtime.Process) error {
						defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
						f, err := open(p, path, file.ReadWrite, h)
						if err != nil {
							return err
						}
						if err := everyOther(f, p.Rank, ranks, rep); err != nil {
							return err
						}
						for _, dir := range []file.Direction{file.Write, file.Read} {
							mem := bytes.Repeat([]byte{byte(p.Rank)}, size)
							defer gort.KeepAlive(mem)
							b := datatype.Raw(shm.Address(mem), size)
							if p.Rank == bad {
								b = datatype.Raw(nowhere, size)
							}
							err := call(p, f, b, dir)
							if got := mpierr.CodeOf(err); p.Rank == bad && got != int(mpierr.ErrBuffer) ||
								p.Rank != bad && got != 0 && got != int(mpierr.ErrBuffer) {
								return fmt.Errorf("write %v: %v", dir, err)
							}
							// What was read is converted when the ranks have parted.
							parted := dir == file.Read && rep != file.Native()
							if how == "at all" && err == nil && !parted {
								return fmt.Errorf("write %v: this rank has not heard of the failure", dir)
							}
						}
						if err := coll.Barrier(p.World); err != nil {
							return err
						}
						return rewriteAll(p, f, size)
					})
				})
			}
		}
	}
}

// rewriteAll writes a part of the file on all ranks and reads it back.
func rewriteAll(p *runtime.Process, f *file.File, size int) error {
	var st request.Status
	out, in := bytes.Repeat([]byte{byte(100 + p.Rank)}, size), make([]byte, size)
	defer gort.KeepAlive(out)
	b := datatype.Raw(shm.Address(out), int64(size))
	if err := f.ReadWriteAll(file.Explicit, 0, b, file.Write, &st); err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	b.Addr = shm.Address(in)
	if err := f.ReadWriteAll(file.Explicit, 0, b, file.Read, &st); err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	if !bytes.Equal(in, out) {
		return fmt.Errorf("afterwards the file holds %v, want %v", head(in), head(out))
	}
	_, err := f.Close()
	return err
}
