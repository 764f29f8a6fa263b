package shm

import "sync/atomic"

// Share is a copy that both processes of a pair carry out: each takes the next bytes that nobody has taken,
// until none are left. It is one word in the pair's block: the generation in the upper 16 bits, so that
// nobody takes part in a later copy by mistake, and the bytes taken so far in the others.
type Share struct {
	word *uint64
	gen  uint16
}

// Shares is how many copies a pair can have under way at once, in one direction.
const Shares = 64

const (
	shareGenShift = 48
	shareBytes    = 1<<shareGenShift - 1
)

// ShareIn is copy number i, 0 <= i < Shares, in a pair block, which is mapped.
func ShareIn(pair uintptr, i int, gen uint16) Share {
	return Share{Word64(pair + PairShares + uintptr(i)*8), gen}
}

// Open begins a copy, of which nothing is taken yet. Whoever opens it tells the other process by a packet.
func (s Share) Open() { atomic.StoreUint64(s.word, uint64(s.gen)<<shareGenShift) }

// Close lets nobody take anything any more.
func (s Share) Close() { atomic.StoreUint64(s.word, uint64(s.gen+1)<<shareGenShift|shareBytes) }

// Take takes the next bytes of a copy of total bytes, at most most of them. n is 0 when there are none left.
func (s Share) Take(most, total int64) (at, n int64) {
	for {
		old := atomic.LoadUint64(s.word)
		at = int64(old & shareBytes)
		if uint16(old>>shareGenShift) != s.gen || at >= total {
			return 0, 0
		}
		n = min(most, total-at)
		if atomic.CompareAndSwapUint64(s.word, old, old+uint64(n)) {
			return at, n
		}
	}
}
