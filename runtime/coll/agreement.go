package coll

import (
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/tool"
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
	// Gives is what a rank contributes to data whose elements have the same types on all ranks, and takes
	// part in the comparison of types; no type where nothing is compared (GOMPI_CHECK=types).
	Gives datatype.Buffer

	// InPlace is whether the rank passes MPI_IN_PLACE, where all have to do so or none.
	InPlace bool
	Where   string // the call of the program: "MPI_Bcast at ring.c:12"; may be ""
}

// tell writes what the rank says of the call.
func (call *Call) tell(to []byte) {
	clear(to)
	*shm.Word64(shm.Address(to)) = uint64(call.Root)
	*shm.Word64(shm.Address(to) + recordBytes) = uint64(call.bytes())
	if call.InPlace {
		to[recordPlace] = 1
	}
	if call.Gives.Type != nil {
		to[recordTyped] = 1
		tellTypes(to[recordTypes:], call.Gives)
	}
	if call.Op != nil {
		copy(to[recordOp:recordCall-1], call.Op.Name())
	}
	copy(to[recordCall:recordWhere-1], call.Name)
	copy(to[recordWhere:recordTypes-1], call.Where)
}

// AgreeLater is Agree that does not wait, for calls that do not: differ is called for each rank that does not
// call the same, when it has told so, with the engine's lock held. All ranks of the communicator call it, in
// the order of their other collective operations.
func AgreeLater(c *comm.Comm, call Call, differ func(rank int, err error)) error {
	if c.Inter() || c.Size() == 1 {
		return nil
	}
	mine, all := make([]byte, callRecord), make([]byte, callRecord*c.Size())
	call.tell(mine)
	part := func(r int) []byte { return all[r*callRecord:][:callRecord] }
	compare := op.New("GOMPI_CHECK", true, func(op.Vectors) {
		for r := range c.Size() {
			told := word(part(r)[recordCall:]) != "" // or it has failed before
			if r != c.Rank() && told {
				if err := call.differs(r, mine, part(r)); err != nil {
					differ(r, err)
				}
			}
		}
	})
	r, err := Begin(c, func(t *Team) error {
		t.Plan.Fence()
		for r := range t.Size {
			if r != t.Rank {
				t.Plan.Together(t.Exchange, schedule.Recv, datatype.Raw(shm.Address(part(r)), callRecord), r)
				t.Plan.Together(t.Exchange, schedule.Send, datatype.Raw(shm.Address(mine), callRecord), r)
			}
		}
		t.Apply(compare, datatype.Raw(shm.Address(all), 1), datatype.Raw(shm.Address(mine), 1))
		return nil
	})
	if err != nil {
		return err
	}
	return c.Engine().Free(r)
}

// bytes is the size that all ranks have to have; any where they may differ.
func (call *Call) bytes() int64 {
	if call.Data.Type == nil {
		return -1
	}
	return call.Data.Bytes()
}

// What a rank tells of its call: the root, the size, whether it is in place, and behind them the names, each
// to the end of its part.
const (
	recordBytes = 8
	recordPlace = 16
	recordTyped = 17 // 1 where there are types
	recordOp    = 24
	recordCall  = 72
	recordWhere = 120
	recordTypes = 320
	callRecord  = recordTypes + record
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
	t := join(c, schedule.TagAgree)
	own, all := t.Raw(callRecord), t.Raw(callRecord*int64(c.Size()))
	mine := shm.Bytes(own.Addr, callRecord)
	call.tell(mine)
	t.Operation = tool.Allgather
	q := t.asked(question{op: t.Operation, at: messages, bytes: callRecord, ranks: t.Size,
		oneNode: t.Comm.OnOneNode()})
	q.over(t.Comm.Layout())
	t.choose(q)
	err := t.allgather(own, datatype.Buffer{Addr: all.Addr, Count: callRecord, Type: all.Type})
	for r := 0; r < t.Size && err == nil && t.Err == nil; r++ {
		err = call.differs(r, mine, shm.Bytes(all.Addr+uintptr(r*callRecord), callRecord))
	}
	return t.close(err)
}

// differs compares this rank's call with that of rank r, by what each has told.
func (call *Call) differs(r int, mine, theirs []byte) error {
	name, o := word(theirs[recordCall:recordWhere]), word(theirs[recordOp:recordCall])
	whole, at := name, "" // with the place of the call, if it is known
	if where := word(theirs[recordWhere:]); where != "" {
		whole, at = where, " ("+where+")"
	}
	switch {
	case name != word(mine[recordCall:recordWhere]):
		return mpierr.New(mpierr.ErrOther, "rank %d calls %s where this rank calls %s", r, whole, call.Name)
	case o != word(mine[recordOp:recordCall]):
		return mpierr.New(mpierr.ErrOp, "rank %d calls %s with %s where this rank has %s", r, whole, o, call.Op.Name())
	}
	if root := int(*shm.Word64(shm.Address(theirs))); root != call.Root {
		return mpierr.New(mpierr.ErrRoot, "the root that rank %d gives is %d%s, where this rank has %d", r, root, at, call.Root)
	}
	if n := int64(*shm.Word64(shm.Address(theirs) + recordBytes)); n != call.bytes() {
		return mpierr.New(mpierr.ErrCount, "rank %d has data of %d bytes for %s where this rank has %d", r, n, whole, call.bytes())
	}
	switch {
	case theirs[recordPlace] > mine[recordPlace]:
		return mpierr.New(mpierr.ErrBuffer, "rank %d passes MPI_IN_PLACE to %s, which this rank does not do", r, whole)
	case theirs[recordPlace] < mine[recordPlace]:
		return mpierr.New(mpierr.ErrBuffer, "this rank passes MPI_IN_PLACE, which rank %d does not do in %s", r, whole)
	}
	if theirs[recordTyped] == 0 || call.Gives.Type == nil {
		return nil
	}
	if s, text := typesIn(theirs[recordTypes:]); !s.Matches(call.Data.Signature(1<<63 - 1)) {
		return mpierr.New(mpierr.ErrType, "the data of rank %d in %s consists of %s, where this rank has %s", r, whole, text, call.Data.Spell(longestTypes))
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
