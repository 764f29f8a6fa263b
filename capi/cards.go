package main

// #include "card.h"
import "C"

import (
	"sync/atomic"

	"gompi/runtime/datatype"
)

// card.h knows the shape of handles by numbers of its own, which have to be these.
var (
	_ = [1]struct{}{}[C.GOMPI_CARD_KIND-kindDatatype]
	_ = [1]struct{}{}[C.GOMPI_CARD_KIND_SHIFT-kindShift]
	_ = [1]struct{}{}[1<<C.GOMPI_CARD_INDEX_BITS-1-indexMask]
)

// cardChunks are the addresses of the chunks of cards that were made, by number.
var cardChunks [C.GOMPI_CARD_CHUNKS]atomic.Uintptr

// cardAt is the address of the card of the type with handle h; 0 when there is no memory for it, in which case the stubs
// ask Go.
func cardAt(h uintptr) uintptr {
	index := h & indexMask
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

// writeCard lets the stubs tell of the type with handle h.
func writeCard(card, h uintptr, t *datatype.Type) {
	if card == 0 {
		return
	}
	for i, v := range [...]int64{t.Size(), t.LB(), t.Extent(), t.TrueLB(), t.TrueExtent()} {
		storeInt64(card+uintptr(1+i)*8, v)
	}
	publishWord(card+cardRuns, 0)
	if t.Committed() {
		writeRuns(card, t)
	}
	publishWord(card, h)
}

// Where in a card the layout of a type stands, in bytes.
const cardRun, cardStride, cardRuns = 6 * 8, 7 * 8, 8 * 8

var _ = [1]struct{}{}[C.sizeof_struct_gompi_card-cardRuns-8]

// writeRuns lets the stubs pack data of a type that has been committed.
func writeRuns(card uintptr, t *datatype.Type) {
	if runs, run, stride := t.Even(); card != 0 && runs > 0 {
		storeInt64(card+cardRun, run)
		storeInt64(card+cardStride, stride)
		publishWord(card+cardRuns, uintptr(runs))
	}
}

// takeCard keeps the stubs from telling of the type that had handle h.
func takeCard(h uintptr) {
	if card := cardAt(h); card != 0 {
		publishWord(card, 0)
	}
}

// writeNamedCards writes the cards of the predefined types.
func writeNamedCards() {
	for i := range uintptr(C.GOMPI_CARDS) {
		if t := datatype.ByHandle(uint32(typeNull + i)); t != nil {
			writeCard(uintptr(C.gompi_named_card(C.uint32_t(i))), typeNull+i, t)
		}
	}
}
