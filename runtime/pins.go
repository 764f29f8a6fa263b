package runtime

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"sync/atomic"

	"gompi/runtime/mpierr"
	"gompi/shm"
)

// All ranks have to have the same algorithms pinned (GOMPI_COLLECTIVES): with others they would wait for each
// other for ever. Each tells a hash of its own before it looks at those of the others, so at least one of two
// ranks that differ finds it out.

// pinsHash stands for the pinned algorithms; it is not 0.
func (c *Config) pinsHash() uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.Settings.Collectives.String())) // never fails
	return max(h.Sum64(), 1)
}

// tellPins tells the ranks of the machine.
func (c *Config) tellPins() { atomic.StoreUint64(pinsOf(c.Segment, c.NodeRank), c.pinsHash()) }

func pinsOf(s *shm.Segment, nodeRank int) *uint64 {
	return shm.Word64(s.Base + shm.RankOffset(nodeRank) + shm.RankPins)
}

// samePins compares the pins with those of the ranks of the machine that have told theirs.
func (c *Config) samePins() error {
	for i, rank := range c.Node {
		if n := atomic.LoadUint64(pinsOf(c.Segment, i)); n != 0 && n != c.pinsHash() {
			return mpierr.New(mpierr.ErrOther, "%s", c.unlike(rank))
		}
	}
	return nil
}

// unlike says that another rank has other algorithms pinned.
func (c *Config) unlike(rank int) string {
	return fmt.Sprintf("GOMPI_COLLECTIVES of rank %d is %s, that of rank %d is another one; all ranks have to have the same", c.Rank, c.Settings.Collectives.String(), rank)
}

// pinnedCards is cards that tell the pins as well, for ranks of other machines.
type pinnedCards struct {
	Cards
	c *Config
}

// Exchange implements Cards.
func (p pinnedCards) Exchange(card []byte) error {
	return p.Cards.Exchange(binary.NativeEndian.AppendUint64(card[:len(card):len(card)], p.c.pinsHash()))
}

// Card implements Cards.
func (p pinnedCards) Card(rank int) ([]byte, error) {
	card, err := p.Cards.Card(rank)
	n := len(card) - 8
	if err != nil || n < 0 {
		return nil, err
	}
	if binary.NativeEndian.Uint64(card[n:]) != p.c.pinsHash() {
		return nil, mpierr.New(mpierr.ErrOther, "%s", p.c.unlike(rank))
	}
	return card[:n], nil
}
