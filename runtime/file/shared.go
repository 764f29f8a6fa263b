package file

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Access by the shared file pointer (MPI 5.0, 14.4.4).

// sharedPointer is the shared file pointer, in etypes: a word in the memory that the ranks of the file share.
type sharedPointer struct {
	state   *fast.FileState
	barrier *fileBarrier
}

func (p *sharedPointer) load() int64 { return int64(atomic.LoadUint64(p.state.Shared)) }

func (p *sharedPointer) store(to int64) { atomic.StoreUint64(p.state.Shared, uint64(to)) }

// advance moves the pointer on by one fetch-and-add and returns where it was: after that an access is alone
// with its part of the file.
func (p *sharedPointer) advance(units int64) int64 {
	return int64(atomic.AddUint64(p.state.Shared, uint64(units))) - units
}

// seek moves the pointer to where target leads from the present position (collective). The last rank to come
// moves it, so all accesses that came before the call of their rank are done with it. check is what this rank
// finds wrong with the call.
func (p *sharedPointer) seek(offset int64, whence Whence, check error,
	target func(now int64) (int64, error)) error {
	var mine words
	mine[0], mine[1], mine[2] = int64(mpierr.CodeOf(check)), offset, int64(whence)
	o, err := p.barrier.wait(&mine, func(b *fileBarrier) outcome {
		o := firstFailure(b)
		if o[0] != 0 {
			return o
		}
		for r := range b.n {
			if b.word(r, 1) != offset || b.word(r, 2) != int64(whence) {
				return outcome{int64(mpierr.ErrNotSame), int64(r)}
			}
		}
		to, err := target(p.load())
		if err != nil {
			return outcome{int64(mpierr.CodeOf(err)), int64(b.rank)}
		}
		p.store(to)
		return outcome{}
	})
	switch {
	case check != nil || err != nil || o[0] == 0:
		return p.barrier.verdict(check, o, err)
	case mpierr.Class(o[0]) == mpierr.ErrNotSame:
		return mpierr.New(mpierr.ErrNotSame, "offset and whence must be the same on all ranks of the file's group")
	}
	return mpierr.New(mpierr.Class(o[0]), "offset %d with this whence leads out of the file", offset)
}

// orderedOffset advances the pointer by the units of all ranks (collective), and returns where this rank's
// begin: behind those of all lower ranks. own is what this rank finds wrong with its call; others is
// what other ranks have found wrong with theirs.
func (p *sharedPointer) orderedOffset(units int64, own error) (offset int64, others, err error) {
	b := p.barrier
	var mine words
	mine[0], mine[1] = int64(mpierr.CodeOf(own)), units
	o, err := b.wait(&mine, p.advanceAll)
	if err = first(own, err); err != nil {
		return 0, nil, err
	}
	offset = o[2]
	for r := range b.rank {
		offset += b.word(r, 1)
	}
	return offset, b.verdict(nil, o, nil), nil
}

// advanceAll advances the pointer by what all ranks access. The outcome is the first failure, and where the
// pointer was.
func (p *sharedPointer) advanceAll(b *fileBarrier) outcome {
	o, total := firstFailure(b), int64(0)
	for r := range b.n {
		total += b.word(r, 1)
	}
	o[2] = p.advance(total)
	return o
}

// SharedPosition is the shared file pointer, in etypes (MPI_File_get_position_shared).
func (f *File) SharedPosition() (int64, error) { return f.shared.load(), f.random() }

// SeekShared moves the shared file pointer (MPI_File_seek_shared, collective).
func (f *File) SeekShared(offset int64, whence Whence) error {
	check := f.random()
	if check == nil && whence != FromStart && whence != FromCurrent && whence != FromEnd {
		_, check = f.target(0, whence, 0)
	}
	return f.shared.seek(offset, whence, check, func(now int64) (int64, error) {
		return f.target(offset, whence, now)
	})
}

// ReadWriteOrdered is MPI_File_read_ordered and MPI_File_write_ordered: the ranks access the file one behind
// the other, as if in the order of their ranks, but all at the same time. Offsets are computed at one
// barrier, whose last arrival advances the shared pointer for all; when a rank goes on, the pointer is where
// the next call will find it.
//
// What a rank has found wrong with its call is told at that barrier, to all. Nobody waits for the others'
// accesses, so a failure of the access itself is told by that rank alone.
func (f *File) ReadWriteOrdered(b datatype.Buffer, dir Direction, st *request.Status) error {
	p, others, err := f.prepareOrdered(b, f.permit(dir), dir)
	if err != nil {
		return err
	}
	return first(f.accessRange(p, st), others)
}

// prepareOrdered is prepare for an ordered access. A rank with an error of its own takes no room; others is
// what other ranks have found wrong with their calls.
func (f *File) prepareOrdered(b datatype.Buffer, own error, dir Direction) (p prepared, others, err error) {
	p = prepared{view: f.view.Load(), buf: b, dir: dir}
	units := int64(0)
	if own == nil {
		p.n, units, own = p.view.extent(b)
	}
	offset, others, err := f.shared.orderedOffset(units, own)
	if err == nil {
		p.at, err = p.view.streamOffset(offset, p.n)
	}
	return p, others, err
}
