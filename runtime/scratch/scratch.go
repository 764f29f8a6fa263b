// Package scratch is memory for data on its way. It is taken from pools, so that operations repeated with the same
// sizes allocate nothing. It knows nothing of what the memory is for.
package scratch

import (
	"math/bits"
	"sync"

	"gompi/shm"
)

// Chunks come in powers of two of which only the part in use is ever touched.
const (
	smallest = 12 // binary logarithm of the size in bytes
	classes  = 40
)

// Chunk is one piece of memory. It is on the Go heap, which does not move; whoever uses its address holds the chunk as
// well.
type Chunk struct {
	class int
	mem   []byte
}

// Address is where the chunk begins.
func (c *Chunk) Address() uintptr { return shm.Address(c.mem) }

// Pool holds chunks that nobody uses, by size. The zero Pool is empty and ready for use, by several threads at once.
type Pool struct {
	free    [classes]sync.Pool
	mu      sync.Mutex
	retired []*Chunk
}

// Take is a chunk of at least n bytes, n > 0, whose content has no meaning.
func (p *Pool) Take(n int64) *Chunk {
	class := max(bits.Len64(uint64(n-1))-smallest, 0)
	if c, ok := p.free[class].Get().(*Chunk); ok {
		return c
	}
	return &Chunk{class: class, mem: make([]byte, 1<<(class+smallest))}
}

// Put gives a chunk back.
func (p *Pool) Put(c *Chunk) { p.free[c.class].Put(c) }

// Retire keeps a chunk that may never be used again, because a receive that was given up may still write into it.
func (p *Pool) Retire(c *Chunk) {
	p.mu.Lock()
	p.retired = append(p.retired, c)
	p.mu.Unlock()
}
