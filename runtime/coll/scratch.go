package coll

import (
	"math/bits"
	"sync"

	"gompi/runtime/datatype"
	"gompi/shm"
)

// Memory for data on its way. It is taken from pools, so that operations repeated with the same sizes allocate
// nothing; chunks come in powers of two, of which only the part in use is ever touched.

const (
	smallestChunk = 12 // binary logarithm of the size in bytes
	chunkClasses  = 40
)

// chunk is one piece of such memory. It is on the Go heap, which does not move; whoever uses its address holds the
// chunk as well.
type chunk struct {
	class int
	mem   []byte
}

// free holds chunks that nobody uses, by size, and those that nobody may ever use again because a receive that was
// given up may still write into them. It is a cache that belongs to no rank: what is in it has no meaning.
var free struct {
	pools   [chunkClasses]sync.Pool
	mu      sync.Mutex
	retired []*chunk
}

func take(n int64) *chunk {
	class := max(bits.Len64(uint64(n-1))-smallestChunk, 0)
	if c, ok := free.pools[class].Get().(*chunk); ok {
		return c
	}
	return &chunk{class: class, mem: make([]byte, 1<<(class+smallestChunk))}
}

func release(c *chunk) { free.pools[c.class].Put(c) }

func retire(c *chunk) {
	free.mu.Lock()
	free.retired = append(free.retired, c)
	free.mu.Unlock()
}

// scratch is the address of n bytes of memory that the operation may use until it is finished.
func (t *team) scratch(n int64) uintptr {
	if n <= 0 {
		return 0
	}
	c := take(n)
	t.held[t.nHeld] = c
	t.nHeld++
	return shm.Address(c.mem)
}

// raw is scratch memory for n bytes of packed data.
func (t *team) raw(n int64) datatype.Buffer { return datatype.Raw(t.scratch(n), n) }

// like is scratch memory for the elements of b, in the layout of their type.
func (t *team) like(b datatype.Buffer) datatype.Buffer {
	lo, n := b.Span()
	return datatype.Buffer{Addr: t.scratch(n) - uintptr(lo), Count: b.Count, Type: b.Type}
}
