package schedule

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// CopyOwn puts this rank's own contribution where it belongs, unless it stands there already. It fails as a
// message of the wrong length would.
func (x *Exchange) CopyOwn(dst, src datatype.Buffer) {
	if dst.InPlace() || src.InPlace() {
		return
	}
	if n, room := src.Bytes(), dst.Bytes(); n != room {
		x.Note(mpierr.New(mpierr.ErrTruncate, "this rank sends itself %d bytes and expects %d", n, room))
	}
	x.Copy(dst, src)
}

// CopyOwnForAll is CopyOwn for what is sent to others from there.
func (x *Exchange) CopyOwnForAll(dst, src datatype.Buffer) {
	x.CopyOwn(dst, src)
	x.PartFailed = x.PartFailed || IsLength(x.Err)
}

// Keep is CopyOwn for buffers of which it is not known that they are distinct.
func (x *Exchange) Keep(dst, src datatype.Buffer) error {
	if err := partition.Distinct(src, dst); err != nil {
		return err
	}
	x.CopyOwn(dst, src)
	return nil
}

// KeepForAll is Keep for what is sent to the others from there.
func (x *Exchange) KeepForAll(dst, src datatype.Buffer) error {
	err := x.Keep(dst, src)
	x.PartFailed = x.PartFailed || IsLength(x.Err)
	return err
}
