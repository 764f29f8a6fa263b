package p2p

import (
	"encoding/binary"
	"errors"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// GOMPI_CHECK=types: every message of the user's is preceded by a packet with its type signature, which the
// receiver compares with that of the receive that the message finds (MPI 5.0, 3.3.1). Without it there is one
// test of a nil pointer per message. Messages whose data is copied first (buffered mode,
// MPI_Sendrecv_replace) go as MPI_PACKED, which matches everything.

// Check is what an engine looks for in messages.
type Check struct {
	Types func(context uint32) bool // contexts in which type signatures are compared; nil for none
	// Matched, if not nil, is called with a posted receive that has found its message, before any data is
	// moved, with the engine's lock held.
	Matched func(*request.Request)
	Where   func() string // names the call of the program that the thread is in; may be nil
}

// signatures is what an engine that checks messages keeps; nil for one that does not.
type signatures struct {
	Check
	kept map[uint32]*signed // what unexpected messages consist of, by number
}

func newSignatures(c *Check) *signatures {
	if c == nil {
		return nil
	}
	return &signatures{*c, map[uint32]*signed{}}
}

// signed is the signature of a message, and how it is spelled.
type signed struct {
	datatype.Signature
	text string
}

const (
	spelling      = 300 // characters of a signature, about
	allElements   = 1<<63 - 1
	signatureHead = 24 // bytes ahead of the text in a packet
)

// ChecksTypes reports whether type signatures are checked.
func (c *core) ChecksTypes() bool { return c.signatures != nil && c.signatures.Types != nil }

// of is the signature of a send; nil when it is not checked.
func (s *signatures) of(r *request.Request) *signed {
	if s == nil || s.Types == nil || r.Key.Ctx&PartitionContexts != 0 || !s.Types(r.Key.Ctx) {
		return nil // partitions go as bytes, in pieces of any size
	}
	text := r.Buf.Spell(spelling)
	if s.Where != nil {
		text += " (" + s.Where() + ")"
	}
	return &signed{r.Buf.Signature(allElements), text}
}

// send sends the signature of r ahead of its first packet, unless that has been done; false when there is no
// room.
func (s *signatures) send(l *link, r *request.Request) bool {
	if r.Signed {
		return true
	}
	sig := s.of(r)
	if sig == nil {
		return true
	}
	n := signatureHead + len(sig.text)
	p, payload := l.Reserve(r.Peer, n)
	if p == nil {
		return false
	}
	b := shm.Bytes(payload, int64(n))
	any := uint64(0)
	if sig.Any {
		any = 1
	}
	binary.NativeEndian.PutUint64(b, uint64(sig.Elements))
	binary.NativeEndian.PutUint64(b[8:], sig.Hash)
	binary.NativeEndian.PutUint64(b[16:], any)
	copy(b[signatureHead:], sig.text)
	p.Kind, p.Flags = signature, 0
	if p.InBulk() {
		p.Data[0] = uint64(n)
	}
	l.Publish(r.Peer, p, n)
	r.Signed = true
	return true
}

// arriveSignature keeps the signature in a packet for the message that follows it.
func (c *core) arriveSignature(peer int, p *transport.Packet, payload uintptr) {
	n := size(p)
	if n < signatureHead {
		c.Malformed(peer, "a malformed packet: a type signature of %d bytes", n)
	}
	if c.signatures == nil {
		return
	}
	b := shm.Bytes(payload, n)
	c.peers[peer].signed = &signed{
		datatype.Signature{Elements: int64(binary.NativeEndian.Uint64(b)),
			Hash: binary.NativeEndian.Uint64(b[8:]), Any: b[16] != 0},
		string(b[signatureHead:]),
	}
}

// take is the signature of the message that has come from a peer; nil when it has none.
func (s *signatures) take(from *peer) *signed {
	if s == nil {
		return nil
	}
	sig := from.signed
	from.signed = nil
	return sig
}

// compare makes r fail when the message that it has found, whose status it has, consists of other elements
// than r waits for. A message that does not fit has failed already.
func (s *signatures) compare(r *request.Request, sig *signed) {
	if s == nil {
		return
	}
	if s.Matched != nil {
		s.Matched(r)
	}
	if e := (*mpierr.Error)(nil); sig != nil && errors.As(r.Err, &e) && e.Class == mpierr.ErrTruncate {
		r.Err = mpierr.New(e.Class, "%s; it consists of %s, and the receive wants %s", e.Text, sig.text, r.Buf.Spell(spelling))
	}
	if sig == nil || r.Err != nil || r.Buf.Signature(sig.Elements).Matches(sig.Signature) {
		return
	}
	r.Err = mpierr.New(mpierr.ErrType, "the message from rank %d with tag %d consists of %s; the receive wants %s",
		r.Status.Source, r.Status.Tag, sig.text, r.Buf.Spell(spelling))
}
