//fast:go

package fast

import (
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"gompi/shm"
)

// What package p2p does with the table of unexpected messages.

var _ = [1]struct{}{}[unsafe.Sizeof(Unexpected{})-messageSize]

// makeMessages makes the table as it is at first.
func (t *UnexpectedTable) makeMessages() error {
	if err := t.moreMessages(); err != nil {
		return err
	}
	return t.makeMessageBins(FirstBins)
}

var errTooMany = errors.New("there are too many of them")

// moreMessages makes another chunk of messages.
func (t *UnexpectedTable) moreMessages() error {
	if t.MessagesMade == maxMessages {
		return &shm.NoMemory{What: "unexpected messages", Bytes: maxMessages * messageSize, Err: errTooMany}
	}
	base, err := shm.Private(chunkMessages * messageSize)
	if err == nil {
		t.Messages[t.MessagesMade/chunkMessages] = (*Unexpected)(at(base))
		t.MessagesMade += chunkMessages
	}
	return err
}

// NewMessage is the number of a message that is not filed, with room for data of its size; an error, which is
// a *shm.NoMemory, where there is no memory.
func (t *UnexpectedTable) NewMessage(size uint64) (i uint32, data uintptr, err error) {
	if t.FreeMessage == t.MessagesMade {
		if err := t.moreMessages(); err != nil {
			return 0, 0, err
		}
	}
	if t.Unexpected >= t.MostFiled {
		t.moreMessageBins()
	}
	i = t.FreeMessage
	if data, err = t.roomFor(t.Message(i), size); err != nil {
		return 0, 0, err
	}
	m := t.use()
	m.Size, m.Data = size, data
	return i, data, nil
}

// roomFor is memory for the data of a message.
func (t *UnexpectedTable) roomFor(m *Unexpected, size uint64) (uintptr, error) {
	switch {
	case size <= InlineSize:
		return m.own(), nil
	case size > mostPiece:
		return shm.Private(uintptr(size))
	}
	return t.Buffers.must(pieceClass(uint32(size)))
}

// RoomHere is memory for the data of a message that is AtSender.
func (t *UnexpectedTable) RoomHere(i uint32) (data uintptr, err error) {
	m := t.Message(i)
	return t.roomFor(m, m.Size)
}

// LeaveThere gives back what RoomHere has given.
func (t *UnexpectedTable) LeaveThere(i uint32, data uintptr) {
	switch m := t.Message(i); {
	case m.Size <= InlineSize:
	case m.Size > mostPiece:
		shm.Unmap(data, int64(m.Size))
	default:
		t.Buffers.give(pieceClass(uint32(m.Size)), data)
	}
}

// Discard gives a message's record and memory back.
func (t *UnexpectedTable) Discard(i uint32) {
	if m := t.Message(i); m.Flags&AtSender == 0 && m.Size > mostPiece {
		shm.Unmap(m.Data, int64(m.Size))
	}
	t.DropMessage(i)
}

// FileAll files all messages under keys of the kind of a key, too.
func (t *UnexpectedTable) FileAll(src, tag int32) {
	kind := keyKind(src, tag)
	all := t.InOrder()
	t.AskedFor[kind], t.AskedFor[0] = 1, 1
	for _, i := range all {
		t.fileUnder(i, kind)
	}
}

// InOrder is the messages that are filed, in the order in which they came.
func (t *UnexpectedTable) InOrder() []uint32 {
	all := make([]uint32, 0, t.Unexpected)
	for i := uint32(0); len(all) < int(t.Unexpected); i++ {
		if t.Message(i).Flags&Filed != 0 {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(i, j uint32) int { return int(int32(t.Message(i).Order - t.Message(j).Order)) })
	return all
}

// SentAs is the message with a key that a peer's send of that number has sent; NoRequest when it is not here
// any more. A number may have been used before: of several messages the youngest is the one.
func (t *UnexpectedTable) SentAs(ctx uint32, src, tag int32, send uint32, is func(*Unexpected) bool) uint32 {
	found := NoRequest
	for at := t.messagesOf(ctx, src, tag).First; at != NoRequest; at = t.LinkAt(at).Next {
		i := at / KeyKinds
		if m := t.Message(i); at%KeyKinds == 0 && m.is(0, ctx, src, tag) && m.Send == send && is(m) {
			found = i
		}
	}
	return found
}

// TakenFrom is the message that a probe has matched and that request number send of this rank still holds the
// data of; NoRequest when there is none.
func (e *Endpoint) TakenFrom(send uint32) uint32 {
	for i := range e.MessagesMade {
		m := e.Message(i)
		if m.Flags&(Taken|AtSender|FarSender) == Taken|AtSender && m.Peer == e.Me && m.Send == send {
			return i
		}
	}
	return NoRequest
}

// moreMessageBins doubles the bins of messages. The old ones stay if there is no memory.
func (t *UnexpectedTable) moreMessageBins() {
	old, n := t.MessageBins, uint32(1)<<(32-t.MessageShift)
	if n == mostBins || t.makeMessageBins(2*n) != nil {
		t.MostFiled = NoRequest
		return
	}
	for _, i := range t.InOrder() {
		t.fileUnder(i, 0)
		t.fileWild(i)
	}
	shm.Unmap(uintptr(unsafe.Pointer(old)), int64(n)*int64(unsafe.Sizeof(Bin{})))
}

func (t *UnexpectedTable) makeMessageBins(n uint32) error {
	bins, err := newBins(n)
	if err != nil {
		return err
	}
	t.MessageBins, t.MessageShift, t.MostFiled = bins, uint32(32-bits.TrailingZeros32(n)), binLoad*n
	return nil
}
