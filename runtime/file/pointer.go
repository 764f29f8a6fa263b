package file

import (
	"math"
	"sync/atomic"

	"gompi/runtime/mpierr"
)

// Whence says what a new position is relative to, with the values of the standard ABI.
type Whence int

// What positions are relative to (MPI 5.0, 14.4.3).
const (
	FromCurrent Whence = 401
	FromEnd     Whence = 402
	FromStart   Whence = 403
)

// target is the position, in etypes, that a seek leads to.
func (f *File) target(offset int64, whence Whence, now int64) (int64, error) {
	from := int64(0)
	switch whence {
	case FromStart:
	case FromCurrent:
		from = now
	case FromEnd:
		size, err := f.system.size()
		if err != nil {
			return 0, err
		}
		v := f.view.Load()
		from = (v.before(size) + v.unit - 1) / v.unit
	default:
		return 0, mpierr.New(mpierr.ErrArg, "whence is %d, must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", whence)
	}
	if offset > 0 && from > math.MaxInt64-offset || from+offset < 0 {
		return 0, mpierr.New(mpierr.ErrArg, "offset %d leads from position %d out of the file", offset, from)
	}
	return from + offset, nil
}

// SeekIndividual moves the individual file pointer (MPI_File_seek).
func (f *File) SeekIndividual(offset int64, whence Whence) error {
	if err := f.random(); err != nil {
		return err
	}
	to, err := f.target(offset, whence, f.position.Load())
	if err == nil {
		f.position.Store(to)
	}
	return err
}

// Position is the individual file pointer, in etypes (MPI_File_get_position).
func (f *File) Position() (int64, error) { return f.position.Load(), f.random() }

func (f *File) sharedPosition() int64 { return int64(atomic.LoadUint64(f.pointer())) }

// SharedPosition is the shared file pointer, in etypes (MPI_File_get_position_shared).
func (f *File) SharedPosition() (int64, error) { return f.sharedPosition(), f.random() }

// SeekShared moves the shared file pointer (MPI_File_seek_shared, collective). The last rank to come moves
// it, so all accesses that came before the call of their rank are done with it.
func (f *File) SeekShared(offset int64, whence Whence) error {
	check := f.random()
	if check == nil && whence != FromStart && whence != FromCurrent && whence != FromEnd {
		_, check = f.target(0, whence, 0)
	}
	var mine words
	mine[0], mine[1], mine[2] = int64(mpierr.CodeOf(check)), offset, int64(whence)
	o, err := f.main.meet(&mine, func(l *lane) outcome {
		o := firstFailure(l)
		if o[0] != 0 {
			return o
		}
		for r := range l.n {
			if l.word(r, 1) != offset || l.word(r, 2) != int64(whence) {
				return outcome{int64(mpierr.ErrNotSame), int64(r)}
			}
		}
		to, err := f.target(offset, whence, f.sharedPosition())
		if err != nil {
			return outcome{int64(mpierr.CodeOf(err)), int64(f.rank)}
		}
		atomic.StoreUint64(f.pointer(), uint64(to))
		return outcome{}
	})
	switch {
	case check != nil || err != nil || o[0] == 0:
		return f.main.verdict(check, o, err)
	case mpierr.Class(o[0]) == mpierr.ErrNotSame:
		return mpierr.New(mpierr.ErrNotSame, "offset and whence must be the same on all ranks of the file's group")
	}
	return mpierr.New(mpierr.Class(o[0]), "offset %d with this whence leads out of the file", offset)
}
