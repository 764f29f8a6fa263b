package coll

import (
	"bytes"
	"encoding/binary"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// reasonBytes bounds what one rank tells the others of its failure.
const reasonBytes = 256

// FailTogether makes a failure of one rank one of all ranks of c, which all call it with their own error or
// nil. Those that have not failed learn from the first rank that has why, in an error of the same class; what
// says what that rank could not do. That a process has died goes before all that it has brought about.
func FailTogether(c *comm.Comm, own error, what string) error {
	const each = 4
	codes := make([]byte, each*c.Size())
	binary.NativeEndian.PutUint32(codes[each*c.Rank():], uint32(mpierr.CodeOf(own)))
	all := datatype.Raw(shm.Address(codes), each)
	err := Allgather(c, datatype.Buffer{Addr: datatype.InPlace, Type: all.Type}, all)
	for r := 0; r < c.Size() && err == nil; r++ {
		if class := binary.NativeEndian.Uint32(codes[each*r:]); class != 0 {
			err = reason(c, r, mpierr.Class(class), own, what)
		}
	}
	if own == nil || p2p.IsLoss(err) {
		return err
	}
	return own
}

// reason is the error with which rank r has failed, which that rank tells all others.
func reason(c *comm.Comm, r int, class mpierr.Class, own error, what string) error {
	text := make([]byte, reasonBytes)
	if r == c.Rank() {
		copy(text, mpierr.TextOf(own))
	}
	if err := Bcast(c, datatype.Raw(shm.Address(text), reasonBytes), r); err != nil {
		return err
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	return mpierr.New(class, "rank %d could not %s: %s", r, what, text)
}
