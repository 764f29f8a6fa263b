package shm

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// A card is what a rank tells all others of its job before they can talk: bytes that only those understand
// who have written them. Those of a node's ranks stand in their rank blocks, those of other nodes' ranks in
// one allocation, the card table: for each rank of the job one offset of 32 bits and one behind the last,
// then the cards themselves. The cards of the node's own ranks are empty there.

// ErrNoCard is the error of Card as long as the rank has published none.
var ErrNoCard = errors.New("it has published no card")

// cardsFailed is in HdrCards when there will be no table.
const cardsFailed = 1

// SetCard publishes the card of a rank of this node, at most MaxCard bytes. Pairs with Card.
func SetCard(s *Segment, nodeRank int, card []byte) {
	block := s.Base + RankOffset(nodeRank)
	copy(Bytes(block+RankCardData, MaxCard), card)
	atomic.StoreUint32(Word32(block+RankCard), uint32(len(card))+1)
}

// Card is a copy of the card of a rank of this node, ErrNoCard before it is there. Pairs with SetCard.
func Card(s *Segment, nodeRank int) ([]byte, error) {
	block := s.Base + RankOffset(nodeRank)
	size := atomic.LoadUint32(Word32(block + RankCard))
	switch {
	case size == 0:
		return nil, ErrNoCard
	case size-1 > MaxCard:
		return nil, fmt.Errorf("its card claims to have %d bytes, of at most %d", size-1, MaxCard)
	}
	return append([]byte(nil), Bytes(block+RankCardData, int64(size-1))...), nil
}

// CardTable is the cards of other nodes' ranks, as this process has mapped them.
type CardTable struct {
	base uintptr
	size int64
}

// ShareCards makes the table of a job from the cards of all its ranks and publishes it on this node. Pairs
// with OpenCards.
func ShareCards(s *Segment, cards [][]byte) error {
	heads := int64(len(cards)+1) * 4
	size := heads
	for _, card := range cards {
		size += int64(len(card))
	}
	off, mapped, err := s.Reserve(size)
	if err != nil {
		return err
	}
	base, err := s.Map(off, mapped)
	if err != nil {
		return err
	}
	defer s.Unmap(base, mapped)
	at, text := heads, Bytes(base, size)
	for r, card := range cards {
		*Word32(base + uintptr(r)*4) = uint32(at)
		at += int64(copy(text[at:], card))
	}
	*Word32(base + uintptr(len(cards))*4) = uint32(at)
	atomic.StoreUint64(Word64(s.Base+HdrCardsSize), uint64(size))
	atomic.StoreUint64(Word64(s.Base+HdrCards), uint64(off))
	return nil
}

// RefuseCards tells the ranks of this node that there will be no table.
func RefuseCards(s *Segment) { atomic.StoreUint64(Word64(s.Base+HdrCards), cardsFailed) }

// OpenCards maps the table of a job of n ranks, which node rank 0 has published. It is never unmapped.
func OpenCards(s *Segment, n int) (*CardTable, error) {
	off, size := atomic.LoadUint64(Word64(s.Base+HdrCards)), atomic.LoadUint64(Word64(s.Base+HdrCardsSize))
	if off == cardsFailed {
		return nil, errors.New("the first rank of this node could not get the addresses of ranks on other nodes")
	}
	if off == 0 || off%PageSize != 0 || off>>62 != 0 ||
		size < uint64(n+1)*4 || size > uint64(n)*(MaxCard+4)+4 {
		return nil, fmt.Errorf("the table of cards of %d ranks is said to have %d bytes at %d", n, size, off)
	}
	base, err := s.Map(int64(off), int64(size))
	if err != nil {
		return nil, err
	}
	return &CardTable{base, int64(size)}, nil
}

// Card is a copy of the card of a job rank of another node.
func (t *CardTable) Card(rank int) ([]byte, error) {
	heads := t.base + uintptr(rank)*4
	from, to := atomic.LoadUint32(Word32(heads)), atomic.LoadUint32(Word32(heads+4))
	if from > to || int64(to) > t.size {
		return nil, fmt.Errorf("the table of cards gives rank %d the bytes %d to %d of %d", rank, from, to, t.size)
	}
	return append([]byte(nil), Bytes(t.base, t.size)[from:to]...), nil
}
