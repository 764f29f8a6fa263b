package main

// #include "card.h"
import "C"

import (
	"sync/atomic"

	"gompi/mpi"
	"gompi/runtime/datatype"
)

// cards are what card.h tells the stubs (mpi.Cards).
type cards struct{}

// card.h knows the shape of handles by numbers of its own, which have to be these.
var (
	_ = [1]struct{}{}[C.GOMPI_CARD_KIND-mpi.KindDatatype]
	_ = [1]struct{}{}[C.GOMPI_CARD_KIND_SHIFT-mpi.KindShift]
	_ = [1]struct{}{}[1<<C.GOMPI_CARD_INDEX_BITS-1-mpi.IndexMask]
)

// cardChunks are the addresses of the chunks of cards that were made, by number.
var cardChunks [C.GOMPI_CARD_CHUNKS]atomic.Uintptr

// cardAt is the address of the card of the type with handle h; 0 when there is no memory for it, in which
// case the stubs ask Go.
func cardAt(h uintptr) uintptr {
	index := h & mpi.IndexMask
	number := index >> C.GOMPI_CARD_CHUNK_BITS
	chunk := cardChunks[number].Load()
	if chunk == 0 {
		chunk = uintptr(C.gompi_card_chunk(C.uint32_t(number)))
		cardChunks[number].Store(chunk)
	}
	if chunk == 0 {
		return 0
	}
	return chunk + index%C.GOMPI_CARDS*C.sizeof_struct_gompi_card
}

// Write lets the stubs tell of the type with handle h.
func (cards) Write(h uintptr, t *datatype.Type) { writeCard(cardAt(h), h, t) }

func writeCard(card, h uintptr, t *datatype.Type) {
	if card == 0 {
		return
	}
	for i, v := range [...]int64{t.Size(), t.LB(), t.Extent(), t.TrueLB(), t.TrueExtent()} {
		mpi.StoreInt64(card+C.GOMPI_CARD_SIZES+uintptr(i)*8, v)
	}
	if t.Committed() {
		writeLoops(card, t)
	}
	mpi.PublishWord(card, h)
}

// Where in a card the layout of a type stands, in bytes.
const (
	loopSize                      = C.sizeof_struct_gompi_loop
	cardFirst, cardAll, cardLoops = C.GOMPI_CARD_FIRST, C.GOMPI_CARD_ALL, C.GOMPI_CARD_COUNT
)

// WriteLoops lets the stubs move data of a type that has been committed. One loop has its place in the card.
func (cards) WriteLoops(h uintptr, t *datatype.Type) { writeLoops(cardAt(h), t) }

func writeLoops(card uintptr, t *datatype.Type) {
	if card == 0 || mpi.LoadWord(card+cardLoops) != 0 {
		return
	}
	loops := t.Loops(C.GOMPI_CARD_LOOPS)
	all := card + cardFirst
	if len(loops) > 1 {
		all = uintptr(C.gompi_card_loops(C.uint32_t(len(loops))))
	}
	if len(loops) == 0 || all == 0 {
		return
	}
	for i, l := range loops {
		for k, v := range [...]int64{l.Off, l.Count, l.Stride, l.Size, l.Inner} {
			mpi.StoreInt64(all+uintptr(i)*loopSize+uintptr(k)*8, v)
		}
	}
	mpi.StoreWord(card+cardAll, all)
	mpi.PublishWord(card+cardLoops, uintptr(len(loops)))
}

// Take keeps the stubs from telling of the type that had handle h. No call uses it any more.
func (cards) Take(h uintptr) {
	card := cardAt(h)
	if card == 0 {
		return
	}
	mpi.PublishWord(card, 0)
	if mpi.LoadWord(card+cardLoops) > 1 {
		C.gompi_card_loops_free(C.uintptr_t(mpi.LoadWord(card + cardAll)))
	}
	mpi.PublishWord(card+cardLoops, 0)
}

// WriteNamed writes the cards of the predefined types.
func (cards) WriteNamed() {
	for i := range uintptr(C.GOMPI_CARDS) {
		if t := datatype.ByHandle(uint32(mpi.TypeNull + i)); t != nil {
			writeCard(uintptr(C.gompi_named_card(C.uint32_t(i))), mpi.TypeNull+i, t)
		}
	}
}
