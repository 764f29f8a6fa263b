package file

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// Collective accesses. The pages of a mapped file are the memory in which ranks put together what belongs
// together, so each does its own part; then they tell each other of failures. Only where pages cannot be
// shared, or a hint asks for it, do aggregators collect what interleaves (twophase.go).

// together carries out a collective access. own is what this rank has found wrong with the call; it takes
// part all the same, so that nobody waits for it.
func (f *File) together(p prepared, own error, dir Direction, st *request.Status) error {
	how := f.apart
	if f.aggregates(dir) {
		how = f.aggregate
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
	if f.size == 1 || f.atomic.Load() {
		return false
	}
	p := f.plan.Load()
	choice := p.twoPhaseRead
	if dir == Write {
		if choice = p.twoPhaseWrite; !f.readable {
			return false // what stands in gaps could not be kept
		}
	}
	return choice == enable || choice == automatic && (!f.mappable || p.mapping == disable)
}

// apart is do for ranks that work on the same part of the file: each begins at another offset, so that they
// do not write to the same cache lines at the same time. At the end they tell each other of failures.
func (f *File) apart(a *access) (int64, error) {
	a.rotate = a.n / int64(f.size) * int64(f.rank)
	n, err := f.do(a)
	return n, f.main.agree(err)
}

// ReadWriteAllAt is MPI_File_read_at_all and MPI_File_write_at_all.
func (f *File) ReadWriteAllAt(offset int64, b datatype.Buffer, dir Direction, st *request.Status) error {
	p, err := f.prepareAt(offset, b, dir)
	return f.together(p, err, dir, st)
}

// ReadWriteAll is MPI_File_read_all and MPI_File_write_all, at the individual file pointers.
func (f *File) ReadWriteAll(b datatype.Buffer, dir Direction, st *request.Status) error {
	p, err := f.prepareNext(b, dir)
	return f.together(p, err, dir, st)
}

// AbsentFromAll takes the part of a rank whose arguments for a collective access were wrong, so that the
// other ranks do not wait for it: they are told that the call has failed.
func (f *File) AbsentFromAll(dir Direction, err error) {
	var st request.Status
	_ = f.together(prepared{}, err, dir, &st) // the caller has the error
}

// AbsentFromOrdered is AbsentFromAll for an ordered access.
func (f *File) AbsentFromOrdered(dir Direction, err error) {
	var st request.Status
	_ = f.inOrder(datatype.Buffer{}, err, dir, &st) // the caller has the error
}

// AbsentFromOrderedBegin is AbsentFromAll for the begin of an ordered access.
func (f *File) AbsentFromOrderedBegin(err error) {
	_, _, _ = f.lineUp(datatype.Buffer{}, err, Read) // the caller has the error
}
