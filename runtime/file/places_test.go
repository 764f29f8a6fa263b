package file_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	gort "runtime"
	"testing"

	"pgregory.net/rapid"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/file"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// Places in a view and the file pointers agree with the model for any view: where etypes lie, what positions
// are relative to, and where the file ends in the view.
func TestPlacesInViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	rapid.Check(t, func(rt *rapid.T) {
		l := drawLayout(rt, 2)
		size := rapid.Int64Range(0, 400).Draw(rt, "size")
		offsets := rapid.SliceOfN(rapid.Int64Range(-60, 60), 1, 10).Draw(rt, "offsets")
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			rt.Fatal(err)
		}
		testjob.Run(failing{t, rt}, 1, testjob.Options{}, func(p *runtime.Process) error {
			f, err := open(p, path, file.ReadWrite, nil)
			if err != nil {
				return err
			}
			if err := l.show(f, p.Rank, file.Native()); err != nil {
				return err
			}
			if err := seek(f, l, size, offsets); err != nil {
				return err
			}
			_, err = f.Close()
			return err
		})
	})
}

// seek moves the pointers and compares them with the model.
func seek(f *file.File, l *layout, size int64, offsets []int64) error {
	seen := l.seen(0, int(size)+1000*l.etype)
	end := int64(0) // in etypes, a last one counted that the file ends in
	for end*int64(l.etype) < int64(len(seen)) && seen[end*int64(l.etype)] < size {
		end++
	}
	now, shared := int64(0), int64(0)
	for i, offset := range offsets {
		whence := []file.Whence{file.FromStart, file.FromCurrent, file.FromEnd}[i%3]
		move := func(now *int64) mpierr.Class {
			to := offset + map[file.Whence]int64{file.FromCurrent: *now, file.FromEnd: end}[whence]
			if to < 0 {
				return mpierr.ErrArg
			}
			*now = to
			return 0
		}
		if err := class(f.SeekIndividual(offset, whence), move(&now)); err != nil {
			return fmt.Errorf("seek by %d from %d: %w", offset, whence, err)
		}
		if err := class(f.SeekShared(offset, whence), move(&shared)); err != nil {
			return fmt.Errorf("shared seek by %d from %d: %w", offset, whence, err)
		}
		at, _ := f.Position()
		both, _ := f.SharedPosition()
		if at != now || both != shared {
			return fmt.Errorf("the pointers are at %d and %d, want %d and %d", at, both, now, shared)
		}
		if got, err := f.ByteOffset(now); err != nil || got != seen[now*int64(l.etype)] {
			return fmt.Errorf("etype %d is at byte %d, want %d; %w", now, got, seen[now*int64(l.etype)], err)
		}
		if err := answers(f, now, shared, seen[now*int64(l.etype)]); err != nil {
			return err
		}
		if err := seekByRecord(f, offset, whence, now); err != nil {
			return err
		}
	}
	return nil
}

// recorded calls a function of package fast with the record of a file.
func recorded(f *file.File, call func(e *fast.Endpoint, handle uintptr) bool) bool {
	const handle = 9<<fast.KindShift | fast.FirstObject
	e := new(fast.Endpoint)
	if err := e.AddFile(fast.File{Handle: handle, State: f.State().Address()}); err != nil {
		return false
	}
	return call(e, handle)
}

// answers holds that the record of a file tells the same of it: its pointers, and where an etype is unless Go
// is to be asked.
func answers(f *file.File, now, shared, place int64) error {
	var got, both, at int64
	if !recorded(f, func(e *fast.Endpoint, h uintptr) bool {
		return fast.FileGetPosition(e, h, &got) && fast.FileGetPositionShared(e, h, &both)
	}) || got != now || both != shared {
		return fmt.Errorf("by the record the pointers are at %d and %d, want %d and %d", got, both, now, shared)
	}
	if recorded(f, func(e *fast.Endpoint, h uintptr) bool {
		return fast.FileGetByteOffset(e, h, now, &at)
	}) && at != place {
		return fmt.Errorf("by the record etype %d is at byte %d, want %d", now, at, place)
	}
	return nil
}

// seekByRecord holds that a seek by the record leads to the same place, from where it began.
func seekByRecord(f *file.File, offset int64, whence file.Whence, want int64) error {
	if whence == file.FromCurrent {
		if err := f.SeekIndividual(want-min(offset, want), file.FromStart); err != nil {
			return err
		}
		offset = min(offset, want)
	}
	recorded(f, func(e *fast.Endpoint, h uintptr) bool {
		return fast.FileSeek(e, h, offset, int32(whence))
	})
	if at, err := f.Position(); at != want || err != nil {
		return fmt.Errorf("a seek by the record leads to %d, want %d; %w", at, want, err)
	}
	return nil
}

// Places that no file has are refused, and a view without data has no place but its begin.
func TestPlacesOutOfFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		f, err := open(p, path, file.Create|file.ReadWrite, nil)
		if err != nil {
			return err
		}
		if err := everyOther(f, p.Rank, 2, file.Native()); err != nil {
			return err
		}
		mem := make([]byte, 8)
		defer gort.KeepAlive(mem)
		b := datatype.Raw(shm.Address(mem), 8)
		var st request.Status
		for _, at := range []int64{-1, math.MinInt64, math.MaxInt64, math.MaxInt64 / 2, math.MaxInt64 - 8} {
			for _, dir := range []file.Direction{file.Read, file.Write} {
				if err := class(f.ReadWrite(file.Explicit, at, b, dir, &st), mpierr.ErrArg); err != nil {
					return fmt.Errorf("access at %d: %w", at, err)
				}
				if err := class(f.ReadWriteAll(file.Explicit, at, b, dir, &st), mpierr.ErrArg); err != nil {
					return fmt.Errorf("collective access at %d: %w", at, err)
				}
			}
			got, err := f.ByteOffset(at)
			if err := class(err, mpierr.ErrArg); err != nil {
				return fmt.Errorf("etype %d is at byte %d: %w", at, got, err)
			}
		}
		if n, err := f.Size(); n != 0 || err != nil {
			return fmt.Errorf("the file has %d bytes, %w", n, err)
		}
		none, err := datatype.Contiguous(0, b.Type, false)
		if err != nil {
			return err
		}
		none.Commit()
		if err := f.SetView(7, b.Type, none, file.Native(), nil, nil); err != nil {
			return err
		}
		if err := class(f.ReadWrite(file.Explicit, 0, b, file.Write, &st), mpierr.ErrIO); err != nil {
			return err
		}
		if err := class(f.ReadWriteOrdered(b, file.Write, &st), mpierr.ErrIO); err != nil {
			return err
		}
		b = datatype.Raw(shm.Address(mem), 0)
		if err := f.ReadWrite(file.Explicit, 0, b, file.Write, &st); err != nil {
			return err
		}
		if at, err := f.ByteOffset(3); at != 7 || err != nil {
			return fmt.Errorf("the view without data begins at %d, %w", at, err)
		}
		if err := class(f.SeekIndividual(0, file.FromEnd), 0); err != nil {
			return err
		}
		_, err = f.Close()
		return err
	})
}

// A sequential file is read and written by the shared pointer alone, and its view begins where that stands,
// also where the view before had no data.
func TestSequential(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		f, err := open(p, path, file.Create|file.WriteOnly|file.Sequential, nil)
		if err != nil {
			return err
		}
		mem := []byte{byte(p.Rank), 2, 3, 4}
		defer gort.KeepAlive(mem)
		b := datatype.Raw(shm.Address(mem), 4)
		var st request.Status
		for _, err := range []error{
			f.ReadWrite(file.Explicit, 0, b, file.Write, &st),
			f.ReadWrite(file.Individual, 0, b, file.Write, &st),
			f.SeekIndividual(0, file.FromStart), f.SeekShared(0, file.FromStart), f.SetSize(3)} {
			if err := class(err, mpierr.ErrUnsupportedOperation); err != nil {
				return err
			}
		}
		if err := class(f.ReadWrite(file.Shared, 0, b, file.Read, &st), mpierr.ErrAccess); err != nil {
			return err
		}
		if err := f.ReadWriteOrdered(b, file.Write, &st); err != nil {
			return err
		}
		none, err := datatype.Contiguous(0, b.Type, false)
		if err != nil {
			return err
		}
		none.Commit()
		if err := class(f.SetView(8, b.Type, b.Type, file.Native(), nil, nil), mpierr.ErrDisp); err != nil {
			return err
		}
		for _, filetype := range []*datatype.Type{b.Type, none, b.Type} {
			err := f.SetView(file.DisplacementCurrent, b.Type, filetype, file.Native(), nil, nil)
			if err != nil {
				return err
			}
			if disp, _, _, _ := f.View(); disp != 8 {
				return fmt.Errorf("the view begins at byte %d, want 8", disp)
			}
		}
		if err := f.ReadWriteOrdered(b, file.Write, &st); err != nil {
			return err
		}
		if _, err = f.Close(); err != nil {
			return err
		}
		got, err := os.ReadFile(path)
		if want := "\x00\x02\x03\x04\x01\x02\x03\x04"; err != nil || string(got) != want+want {
			return fmt.Errorf("the file holds %v, %w", got, err)
		}
		return nil
	})
}
