package file

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// Collective accesses. The pages of a mapped file are the memory in which ranks put together what belongs
// together, so each does its own part; then they tell each other of failures. Only where pages cannot be
// shared, or a hint asks for it, do aggregators collect what interleaves (twophase.go).

// accessAll carries out a collective access. own is what this rank has found wrong with the call; it takes
// part all the same, so that nobody waits for it.
func (f *File) accessAll(p prepared, own error, dir Direction, st *request.Status) error {
	how := f.besideAndAgree
	if f.aggregates(dir) {
		how = f.aggregators.carryOut
	}
	if own != nil {
		*st = request.Empty
		_, err := how(&access{write: dir == Write, err: own})
		return err
	}
	return f.carryOut(p, st, how)
}

// aggregates reports whether a collective access is one with aggregators, on all ranks alike.
func (f *File) aggregates(dir Direction) bool {
	if f.size == 1 || f.storage.atomic() {
		return false
	}
	p := f.storage.hints.Load()
	choice := p.twoPhaseRead
	if dir == Write {
		if choice = p.twoPhaseWrite; !f.storage.readable {
			return false // what stands in gaps could not be kept
		}
	}
	return choice == enable || choice == automatic && (!f.storage.mappable || p.mapping == disable)
}

// beside is for ranks that work on the same part of the file: each begins at another offset, so that they do
// not write to the same cache lines at the same time.
func (f *File) beside(a *access) (int64, error) {
	a.rotate = a.n / int64(f.size) * int64(f.rank)
	return f.storage.do(a)
}

// besideAndAgree is beside for ranks that tell each other of failures at the end.
func (f *File) besideAndAgree(a *access) (int64, error) {
	n, err := f.beside(a)
	return n, f.barrier.agree(err)
}

// ReadWriteAll is MPI_File_read_all, MPI_File_write_all and those with _at.
func (f *File) ReadWriteAll(from Positioning, offset int64, b datatype.Buffer, dir Direction,
	st *request.Status) error {
	p, err := f.prepare(from, offset, b, dir)
	return f.accessAll(p, err, dir, st)
}

// Absent takes the part of a rank whose arguments for a collective access were wrong, so that the other ranks
// do not wait for it: they are told that the call has failed. The caller has the error.
func (f *File) Absent(from Positioning, dir Direction, wrong error) {
	if from == Ordered {
		_, _, _ = f.prepareOrdered(datatype.Buffer{}, wrong, dir)
		return
	}
	var st request.Status
	_ = f.accessAll(prepared{}, wrong, dir, &st)
}
