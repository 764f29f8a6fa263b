package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/shm"
)

// Call is what all ranks of a communicator have to say alike when they call a blocking collective operation.
type Call struct {
	Name string // of the function
	Root int    // 0 where there is none
	Op   *op.Op // nil where there is none

	// Data is what has the same size on all ranks: the message, or the block of one rank. Its type is nil
	// where sizes may differ.
	Data datatype.Buffer
}

// bytes is the size that all ranks have to have; any where they may differ.
func (call *Call) bytes() int64 {
	if call.Data.Type == nil {
		return -1
	}
	return call.Data.Bytes()
}

// What a rank tells of its call: the root, the size, and behind them the two names, each to the end of its
// part.
const (
	recordBytes = 8
	recordOp    = 16
	recordCall  = 64
	callRecord  = 112
)

// Agree tells the other ranks of an intracommunicator what this one calls, and finds out whether they call
// the same (GOMPI_CHECK=collectives). If they do not, all ranks get an error before any data has moved: of
// class MPI_ERR_OP or MPI_ERR_ROOT when the operation or the root differs, of class MPI_ERR_OTHER when the
// function does, of class MPI_ERR_COUNT when the size of the data does. Operations of the program's own count
// as the same.
func Agree(c *comm.Comm, call Call) error {
	if c.Inter() || c.Size() == 1 {
		return nil
	}
	t := join(c, tagAgree)
	own, all := t.raw(callRecord), t.raw(callRecord*int64(c.Size()))
	mine := shm.Bytes(own.Addr, callRecord)
	clear(mine)
	*shm.Word64(own.Addr) = uint64(call.Root)
	*shm.Word64(own.Addr + recordBytes) = uint64(call.bytes())
	if call.Op != nil {
		copy(mine[recordOp:recordCall], call.Op.Name())
	}
	copy(mine[recordCall:], call.Name)
	err := t.Allgather(own, datatype.Buffer{Addr: all.Addr, Count: callRecord, Type: all.Type})
	for r := 0; r < t.size && err == nil && t.err == nil; r++ {
		err = call.differs(r, mine, shm.Bytes(all.Addr+uintptr(r*callRecord), callRecord))
	}
	return t.close(err)
}

// differs compares this rank's call with that of rank r, by what each has told.
func (call *Call) differs(r int, mine, theirs []byte) error {
	switch name, o := word(theirs[recordCall:]), word(theirs[recordOp:recordCall]); {
	case name != word(mine[recordCall:]):
		return mpierr.New(mpierr.ErrOther, "rank %d calls %s where this rank calls %s", r, name, call.Name)
	case o != word(mine[recordOp:recordCall]):
		return mpierr.New(mpierr.ErrOp, "rank %d calls %s with %s where this rank has %s", r, name, o, call.Op.Name())
	}
	if root := int(*shm.Word64(shm.Address(theirs))); root != call.Root {
		return mpierr.New(mpierr.ErrRoot, "the root that rank %d gives is %d, where this rank has %d", r, root, call.Root)
	}
	if n := int64(*shm.Word64(shm.Address(theirs) + recordBytes)); n != call.bytes() {
		return mpierr.New(mpierr.ErrCount, "rank %d has data of %d bytes for %s where this rank has %d", r, n, call.Name, call.bytes())
	}
	return nil
}

// word is the text up to the first byte that is 0.
func word(text []byte) string {
	for i, b := range text {
		if b == 0 {
			return string(text[:i])
		}
	}
	return string(text)
}
