package recovery

import (
	"encoding/binary"
	"slices"
)

// Ballot is what a member contributes to an agreement, and what all agree on.
type Ballot struct {
	Words  []uint64 // combined bit by bit
	failed []uint64 // members that have failed, as far as some member knows
	acked  []uint64 // members whose failure all have acknowledged
	ended  uint64   // agreements of the communicator up to this one have ended at all members
}

// bitWords is how many words hold a bit for each of n members.
func bitWords(n int) int { return (n + 63) / 64 }

func setBit(words []uint64, i int) { words[i/64] |= 1 << (i % 64) }

func hasBit(words []uint64, i int) bool { return words[i/64]>>(i%64)&1 != 0 }

// combine takes in the contribution of one more member.
func (b *Ballot) combine(other *Ballot) {
	for i := range min(len(b.Words), len(other.Words)) {
		b.Words[i] &= other.Words[i]
	}
	for i := range b.failed {
		b.failed[i] |= other.failed[i]
		b.acked[i] &= other.acked[i]
	}
	b.ended = min(b.ended, other.ended)
}

// HasFailed reports whether a member has failed, as far as some member knows.
func (b *Ballot) HasFailed(m int) bool { return hasBit(b.failed, m) }

// clone is a ballot with memory of its own.
func (b *Ballot) clone() *Ballot {
	return &Ballot{Words: append([]uint64(nil), b.Words...), failed: append([]uint64(nil), b.failed...),
		acked: append([]uint64(nil), b.acked...), ended: b.ended}
}

// unacknowledged is a member whose failure is not acknowledged by all, -1 when there is none.
func (b *Ballot) unacknowledged(members int) int {
	for m := range members {
		if hasBit(b.failed, m) && !hasBit(b.acked, m) {
			return m
		}
	}
	return -1
}

// losses reports whether some member knows of one that has failed.
func (b *Ballot) losses() bool {
	return slices.ContainsFunc(b.failed, func(word uint64) bool { return word != 0 })
}

// pack is the ballot as the body of a message.
func (b *Ballot) pack() []byte {
	out := make([]byte, 0, 8*(1+len(b.Words)+len(b.failed)+len(b.acked)))
	out = binary.NativeEndian.AppendUint64(out, b.ended)
	for _, words := range [3][]uint64{b.failed, b.acked, b.Words} {
		for _, w := range words {
			out = binary.NativeEndian.AppendUint64(out, w)
		}
	}
	return out
}

// unpackBallot is the opposite of pack, for n members; nil when the body cannot be a ballot.
func unpackBallot(body []byte, n int) *Ballot {
	k := bitWords(n)
	if len(body)%8 != 0 || len(body) < 8*(2+2*k) {
		return nil
	}
	words := make([]uint64, len(body)/8)
	for i := range words {
		words[i] = binary.NativeEndian.Uint64(body[8*i:])
	}
	return &Ballot{ended: words[0], failed: words[1 : 1+k], acked: words[1+k : 1+2*k], Words: words[1+2*k:]}
}
