package file

import (
	"math"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Whence says what a new position is relative to, with the values of the standard ABI.
type Whence int

// What positions are relative to (MPI 5.0, 14.4.3).
const (
	FromCurrent = Whence(fast.SeekCurrent)
	FromEnd     = Whence(fast.SeekEnd)
	FromStart   = Whence(fast.SeekStart)
)

// target is the position, in etypes, that a seek leads to.
func (f *File) target(offset int64, whence Whence, now int64) (int64, error) {
	from := int64(0)
	switch whence {
	case FromStart:
	case FromCurrent:
		from = now
	case FromEnd:
		size, err := f.storage.system.size()
		if err != nil {
			return 0, err
		}
		v := f.view.Load()
		from = (v.before(size) + v.Unit - 1) / v.Unit
	default:
		return 0, mpierr.New(mpierr.ErrArg, "whence is %d, must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", whence)
	}
	if offset > 0 && from > math.MaxInt64-offset || from+offset < 0 {
		return 0, mpierr.New(mpierr.ErrArg, "offset %d leads from position %d out of the file", offset, from)
	}
	return from + offset, nil
}

// individualPointer is the file pointer of one rank, in etypes.
type individualPointer struct{ state *fast.FileState }

func (p individualPointer) load() int64 { return int64(atomic.LoadUint64(&p.state.Position)) }

func (p individualPointer) store(to int64) { atomic.StoreUint64(&p.state.Position, uint64(to)) }

// advance moves the pointer on and returns where it was.
func (p individualPointer) advance(units int64) int64 {
	return int64(atomic.AddUint64(&p.state.Position, uint64(units))) - units
}

// SeekIndividual moves the individual file pointer (MPI_File_seek).
func (f *File) SeekIndividual(offset int64, whence Whence) error {
	if err := f.random(); err != nil {
		return err
	}
	to, err := f.target(offset, whence, f.individual.load())
	if err == nil {
		f.individual.store(to)
	}
	return err
}

// Position is the individual file pointer, in etypes (MPI_File_get_position).
func (f *File) Position() (int64, error) { return f.individual.load(), f.random() }
