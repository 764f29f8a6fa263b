// Package scratch is memory for data on its way. It is taken from pools, so that operations repeated with the
// same sizes allocate nothing. It knows nothing of what the memory is for.
package scratch

import (
	"math"
	"math/bits"
	"runtime"
	"sync"

	"gompi/shm"
)

// Small chunks are on the Go heap and come in powers of two. Larger ones are mapped: the kernel can refuse
// them, where the heap would end the process.
const (
	smallest = 12 // binary logarithm of the size in bytes
	classes  = 5  // up to 64 KiB

	// kept is how many bytes of mapped chunks a pool keeps for the next operations.
	kept = 64 << 20
)

// Chunk is one piece of memory, which does not move. Whoever uses its address holds the chunk as well.
type Chunk struct {
	class int
	mem   []byte
	lost  runtime.Cleanup // of a mapped chunk that nobody gives back
}

// Address is where the chunk begins.
func (c *Chunk) Address() uintptr { return shm.Address(c.mem) }

func (c *Chunk) mapped() bool { return c.class >= classes }

// Pool holds chunks that nobody uses, by size. The zero Pool is empty and ready for use, by several threads
// at once.
type Pool struct {
	free    [classes]sync.Pool
	mu      sync.Mutex
	large   []*Chunk // mapped ones, the last used last
	bytes   int      // in large
	retired []*Chunk
}

// Try is a chunk of at least n bytes, which are too many below 0, whose content has no meaning; an error,
// which is a *shm.NoMemory, where there is no memory for it.
func (p *Pool) Try(n int64) (*Chunk, error) {
	if n < 0 {
		n = math.MaxInt64
	}
	class := max(bits.Len64(uint64(max(n, 1)-1))-smallest, 0)
	if class >= classes {
		return p.obtain(n)
	}
	if c, ok := p.free[class].Get().(*Chunk); ok {
		return c, nil
	}
	return &Chunk{class: class, mem: make([]byte, 1<<(class+smallest))}, nil
}

// Take is Try that panics with the error. The functions that C calls make it the error of the operation.
func (p *Pool) Take(n int64) *Chunk {
	c, err := p.Try(n)
	if err != nil {
		panic(err)
	}
	return c
}

// obtain is a mapped chunk: one that was used last and is not much larger, or a new one.
func (p *Pool) obtain(n int64) (*Chunk, error) {
	p.mu.Lock()
	for i := len(p.large) - 1; i >= 0; i-- {
		if c := p.large[i]; int64(len(c.mem)) >= n && int64(len(c.mem))/2 <= n {
			p.drop(i)
			p.mu.Unlock()
			return c, nil
		}
	}
	p.mu.Unlock()
	base, err := shm.Obtain(n)
	if err != nil {
		return nil, err
	}
	c := &Chunk{class: classes, mem: shm.Bytes(base, n)}
	c.lost = runtime.AddCleanup(c, func(base uintptr) { shm.Return(base, n) }, base)
	return c, nil
}

// drop takes a chunk out of those that are kept. The lock is held.
func (p *Pool) drop(i int) {
	p.bytes -= len(p.large[i].mem)
	p.large = append(p.large[:i], p.large[i+1:]...)
}

// Put gives a chunk back.
func (p *Pool) Put(c *Chunk) {
	if !c.mapped() {
		p.free[c.class].Put(c)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.large = append(p.large, c)
	p.bytes += len(c.mem)
	for p.bytes > kept {
		old := p.large[0]
		p.drop(0)
		old.lost.Stop()
		shm.Return(old.Address(), int64(len(old.mem)))
		old.mem = nil
	}
}

// Retire keeps a chunk that may never be used again, because a receive that was given up may still write into
// it.
func (p *Pool) Retire(c *Chunk) {
	p.mu.Lock()
	p.retired = append(p.retired, c)
	p.mu.Unlock()
}
