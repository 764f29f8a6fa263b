package shmem

import (
	"math/bits"
	"sync/atomic"

	"gompi/shm"
)

// shareState is the copies from one peer that are under way.
type shareState struct {
	used uint64
	gen  [shm.Shares]uint16
}

// A copy's number is one more than its index and, above that, its generation.
const shareBits = 6

var _ = [1]struct{}{}[1<<shareBits-shm.Shares]

// Inside implements transport.Sharer.
func (p *Provider) Inside(on bool) {
	v := uint32(0)
	if on {
		v = 1
	}
	if *p.inside != v { // nobody else writes it
		shm.StoreRel32(p.inside, v)
	}
}

// IsInside implements transport.Sharer.
func (p *Provider) IsInside(peer int) bool {
	return atomic.LoadUint32(shm.Word32(p.connections[peer].block()+shm.RankInside)) != 0
}

// Offer implements transport.Sharer.
func (p *Provider) Offer(peer int) uint32 {
	s := &p.shares[peer]
	i := bits.TrailingZeros64(^s.used)
	if p.Reach(peer) == nil || i == shm.Shares || !p.ends[peer].Rx.Ready() {
		return 0
	}
	s.used |= 1 << i
	s.gen[i]++
	p.ends[peer].Rx.Share(i, s.gen[i]).Open()
	return 1 + uint32(i) + uint32(s.gen[i])<<shareBits
}

// Done implements transport.Sharer.
func (p *Provider) Done(peer int, copy uint32) {
	i, gen := share(copy)
	p.shares[peer].used &^= 1 << i
	p.ends[peer].Rx.Share(i, gen).Close()
}

// TakeIn implements transport.Sharer.
func (p *Provider) TakeIn(peer int, copy uint32, most, total int64) (at, n int64) {
	i, gen := share(copy)
	return p.ends[peer].Rx.Share(i, gen).Take(most, total)
}

// TakeOut implements transport.Sharer.
func (p *Provider) TakeOut(peer int, copy uint32, most, total int64) (at, n int64) {
	i, gen := share(copy)
	tx := &p.ends[peer].Tx
	if !tx.Ready() {
		return 0, 0
	}
	return tx.Share(i, gen).Take(most, total)
}

func share(copy uint32) (i int, gen uint16) {
	return int(copy-1) & (shm.Shares - 1), uint16((copy - 1) >> shareBits)
}
