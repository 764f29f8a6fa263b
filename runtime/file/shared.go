package file

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Access by the shared file pointer, a word in the memory that the ranks of the file share (MPI 5.0, 14.4.4).

// alongShared advances the shared file pointer: one fetch-and-add, after which the access is alone with its
// part of the file.
func (f *File) alongShared(units int64) int64 {
	return int64(atomic.AddUint64(f.pointer(), uint64(units))) - units
}

// ReadWriteShared is MPI_File_read_shared and MPI_File_write_shared.
func (f *File) ReadWriteShared(b datatype.Buffer, dir Direction, st *request.Status) error {
	p, err := f.prepareShared(b, dir)
	if err != nil {
		return err
	}
	return f.alone(p, st)
}

func (f *File) prepareShared(b datatype.Buffer, dir Direction) (prepared, error) {
	if err := f.permit(dir); err != nil {
		return prepared{}, err
	}
	return f.claim(b, dir, f.alongShared)
}

// ReadWriteOrdered is MPI_File_read_ordered and MPI_File_write_ordered: the ranks access the file one behind
// the other, as if in the order of their ranks, but all at the same time. Offsets are computed at one
// meeting, whose last arrival advances the shared pointer for all; when a rank goes on, the pointer is where
// the next call will find it.
//
// What a rank has found wrong with its call is told at that meeting, to all. Nobody waits for the others'
// accesses, so a failure of the access itself is told by that rank alone.
func (f *File) ReadWriteOrdered(b datatype.Buffer, dir Direction, st *request.Status) error {
	return f.inOrder(b, f.permit(dir), dir, st)
}

func (f *File) inOrder(b datatype.Buffer, own error, dir Direction, st *request.Status) error {
	p, others, err := f.lineUp(b, own, dir)
	if err != nil {
		return err
	}
	return first(f.alone(p, st), others)
}

// lineUp finds this rank's offset among all in an ordered access. A rank with an error takes no room; others
// is what the other ranks are told of it.
func (f *File) lineUp(b datatype.Buffer, own error, dir Direction) (p prepared, others, err error) {
	var mine words
	p = prepared{view: f.view.Load(), buf: b, dir: dir}
	if own == nil {
		p.n, mine[1], own = p.view.extent(b)
	}
	mine[0] = int64(mpierr.CodeOf(own))
	o, err := f.main.meet(&mine, f.advanceAll)
	if err = first(own, err); err != nil {
		return p, nil, err
	}
	at := o[2]
	for r := range f.rank {
		at += f.main.word(r, 1)
	}
	p.at, err = p.view.streamOffset(at, p.n)
	return p, f.main.verdict(nil, o, nil), err
}

// advanceAll advances the shared pointer by what all ranks access. The outcome is the first failure, and
// where the pointer was.
func (f *File) advanceAll(l *lane) outcome {
	o, total := firstFailure(l), int64(0)
	for r := range l.n {
		total += l.word(r, 1)
	}
	o[2] = f.alongShared(total)
	return o
}
