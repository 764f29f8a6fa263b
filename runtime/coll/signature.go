package coll

import (
	"encoding/binary"
	"runtime"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// GOMPI_CHECK=types in collective calls: each rank tells the next one what its data consists of. Where all
// blocks of a call have to be alike, a rank that finds something else before it than it has itself knows that
// the call is wrong.

// record is what a rank tells of types: elements, hash, whether it matches anything, and the text up to a 0.
const (
	recordText   = 400
	record       = 3*8 + recordText
	longestTypes = recordText - 100 // about how long the text may get
)

// tellTypes writes what the data of a buffer consists of.
func tellTypes(to []byte, b datatype.Buffer) {
	s := b.Signature(1<<63 - 1)
	binary.NativeEndian.PutUint64(to, uint64(s.Elements))
	binary.NativeEndian.PutUint64(to[8:], s.Hash)
	if s.Any {
		to[16] = 1
	}
	copy(to[24:record-1], b.Spell(longestTypes))
}

// typesIn is what another rank has told.
func typesIn(b []byte) (s datatype.Signature, text string) {
	s = datatype.Signature{Elements: int64(binary.NativeEndian.Uint64(b)),
		Hash: binary.NativeEndian.Uint64(b[8:]), Any: b[16] != 0}
	return s, word(b[24:record])
}

// Alike compares the type signatures of a call whose blocks consist of the same elements on all ranks (MPI
// 5.0, 6.1): gives is one block that this rank contributes, wants one that it gets; in place, what stands in
// its stead. It does nothing unless types are checked. The error, of class MPI_ERR_TYPE, is to be reported
// when the call has been carried out all the same, since others take part in it.
func Alike(c *comm.Comm, gives, wants datatype.Buffer) error {
	e := c.Engine()
	if !e.ChecksTypes() || c.Inter() || c.Size() == 1 {
		return nil
	}
	if gives.InPlace() {
		gives = wants
	}
	if wants.InPlace() {
		wants = gives
	}
	out, in := make([]byte, record), make([]byte, record)
	tellTypes(out, gives)
	n, me := c.Size(), c.Coll.Rank
	left, right := (me+n-1)%n, (me+1)%n
	err := e.Sendrecv(&c.Coll, datatype.Raw(shm.Address(out), record), right, p2p.TagUB,
		datatype.Raw(shm.Address(in), record), left, p2p.TagUB, nil)
	runtime.KeepAlive(out)
	if err != nil {
		return err
	}
	theirs, text := typesIn(in)
	if theirs.Matches(wants.Signature(1<<63 - 1)) {
		return nil
	}
	return mpierr.New(mpierr.ErrType, "the data of rank %d consists of %s, where rank %d has %s", left, text, me, wants.Spell(longestTypes))
}
