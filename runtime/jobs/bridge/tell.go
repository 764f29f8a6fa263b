package bridge

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"runtime"
	"slices"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// Layout of what processes tell each other of an error, in bytes: its class, 0 for none, a digest of the
// call's name, the length of the text and the text.
const (
	errorDigest = 4
	errorLength = errorDigest + digestSize
	errorText   = errorLength + 4
	ErrorSize   = 320
)

// digestSize is the length of a digest in bytes.
const digestSize = 16

// digestOf tells names apart. Nobody has a reason to deceive it.
func digestOf(name string) []byte {
	h := fnv.New128a()
	h.Write([]byte(name))
	return h.Sum(make([]byte, 0, digestSize))
}

// EncodeError is an error, nil for none, of a call of that name, in ErrorSize bytes.
func EncodeError(name string, err error) []byte {
	b := make([]byte, ErrorSize)
	copy(b[errorDigest:], digestOf(name))
	if err == nil {
		return b
	}
	text := err.Error()
	var e *mpierr.Error
	if errors.As(err, &e) {
		text = e.Text
	}
	binary.NativeEndian.PutUint32(b, uint32(mpierr.CodeOf(err)))
	binary.NativeEndian.PutUint32(b[errorLength:], uint32(copy(b[errorText:], text)))
	return b
}

// DecodeError is the error that EncodeError has written; another one if the names differ.
func DecodeError(b []byte, name string) error {
	if !slices.Equal(b[errorDigest:errorLength], digestOf(name)) {
		return mpierr.New(mpierr.ErrOther, "stringtag %q cannot be told apart from another one, which is used at the same time; use another one", name)
	}
	class := mpierr.Class(binary.NativeEndian.Uint32(b))
	if class == 0 {
		return nil
	}
	if !class.Predefined() {
		class = mpierr.ErrOther
	}
	return mpierr.New(class, "%s", b[errorText:errorText+binary.NativeEndian.Uint32(b[errorLength:])])
}

// Confer exchanges errors with a process of another job, in x under a tag, where it is rank with. Both must
// go by the same name. err is why they could not.
func (bs *Bridges) Confer(x p2p.Context, with, tag, process int, name string, own error) (heard, err error) {
	in := make([]byte, ErrorSize)
	if err := bs.Call(x, with, tag, process, EncodeError(name, own), in); err != nil {
		return nil, err
	}
	return DecodeError(in, name), nil
}

// BeyondCIDs is added to the number of a context that belongs to no CID.
const BeyondCIDs = 1 << 31

// Raw is bytes as the engine takes them.
func Raw(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }

// Exchange sends out and receives in at once.
func Exchange(e *p2p.Engine, x *p2p.Context, out []byte, to int, in []byte, from, tag int) error {
	err := e.Sendrecv(x, Raw(out), to, tag, Raw(in), from, tag, nil)
	runtime.KeepAlive(out)
	runtime.KeepAlive(in)
	return err
}
