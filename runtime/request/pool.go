package request

import "sync/atomic"

const (
	chunkSize = 512
	maxChunks = 4096
)

// FastRequests is how many of the numbers, the first ones, belong to requests of the fast engine: see Adopt.
const FastRequests = 4 * chunkSize

// What the number of a request has to fit in, in bits.
const (
	IndexBits = 22
	GenBits   = 7
)

var _ = [1<<IndexBits - MaxRequests]struct{}{}

// MaxRequests is how many requests one process can have in flight.
const MaxRequests = chunkSize * maxChunks

// Pool hands out requests. Get and Put are called under the lock of the engine that owns the pool; Lookup may
// be called by any thread at any time.
type Pool struct {
	chunks [maxChunks]atomic.Pointer[[chunkSize]Request]
	used   uint32 // requests ever handed out: those above were never touched
	free   *Request
	live   int

	// called when an adopted request is given back; gen is that of the next use
	Returned func(index, gen uint32)
}

// Get takes a request out of the pool; nil when MaxRequests are in flight. All fields are zero, but Kind.
func (p *Pool) Get(kind Kind) *Request {
	r := p.free
	if r != nil {
		p.free, r.next = r.next, nil
	} else if r = p.extend(); r == nil {
		return nil
	}
	r.Kind = kind
	p.live++
	return r
}

func (p *Pool) extend() *Request {
	if p.used == MaxRequests {
		return nil
	}
	if p.used == 0 {
		p.used = FastRequests
	}
	i := p.used
	p.used++
	r := p.made(i)
	r.index = i
	return r
}

// Adopt is the request that the fast engine has made, under a number below FastRequests, and is in nobody's
// use here. All fields are zero, but Kind and the number.
func (p *Pool) Adopt(index, gen uint32, kind Kind) *Request {
	r := p.made(index)
	r.index, r.gen, r.Kind = index, gen, kind
	p.live++
	return r
}

// Name is the number below FastRequests as a request, for those who look at nothing else of it.
func (p *Pool) Name(index, gen uint32) *Request {
	r := p.made(index)
	r.index, r.gen = index, gen
	return r
}

// made is the request with that number, for whose chunk there is memory from now on.
func (p *Pool) made(index uint32) *Request {
	chunk := p.chunks[index/chunkSize].Load()
	if chunk == nil {
		chunk = new([chunkSize]Request)
		p.chunks[index/chunkSize].Store(chunk)
	}
	return &chunk[index%chunkSize]
}

// Put gives r back. Every number that names it becomes stale.
func (p *Pool) Put(r *Request) {
	if r.index < FastRequests {
		index, gen := r.index, r.gen+1
		*r = Request{index: index, gen: gen}
		p.live--
		p.Returned(index, gen)
		return
	}
	*r = Request{index: r.index, gen: r.gen + 1, next: p.free}
	p.free = r
	p.live--
}

// Lookup is the request in use at index with that generation, nil when there is none. genBits tells how many
// low bits of the generation the caller kept.
func (p *Pool) Lookup(index, gen uint32, genBits uint) *Request {
	if index >= MaxRequests {
		return nil
	}
	chunk := p.chunks[index/chunkSize].Load()
	if chunk == nil {
		return nil
	}
	r := &chunk[index%chunkSize]
	if r.Kind == Free || (r.gen^gen)<<(32-genBits) != 0 {
		return nil
	}
	return r
}

// At is the request at index, which must be in use.
func (p *Pool) At(index uint32) *Request {
	return &p.chunks[index/chunkSize].Load()[index%chunkSize]
}

// InUse is the request at index, nil when there is none in use.
func (p *Pool) InUse(index uint32) *Request {
	if index >= MaxRequests {
		return nil
	}
	chunk := p.chunks[index/chunkSize].Load()
	if chunk == nil || chunk[index%chunkSize].Kind == Free {
		return nil
	}
	return &chunk[index%chunkSize]
}

// Live is the number of requests in use.
func (p *Pool) Live() int { return p.live }
