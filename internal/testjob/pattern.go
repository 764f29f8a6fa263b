package testjob

import (
	"math/rand/v2"
	"sync"
)

// tile is random bytes, of a prime number, so that no block of a message that stands at another's place
// looks right.
var tile = sync.OnceValue(func() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 65_521)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
})

// Pattern is n bytes that differ from seed to seed. It copies, as the race detector makes loops over bytes
// expensive.
func Pattern(n int, seed uint64) []byte {
	b := make([]byte, n)
	from := tile()[seed*40_503%uint64(len(tile())):]
	for rest := b; len(rest) > 0; from = tile() {
		rest = rest[copy(rest, from):]
	}
	return b
}
