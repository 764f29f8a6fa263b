package request

import "gompi/runtime/mpierr"

const (
	chunkSize = 512
	maxChunks = MaxRequests / chunkSize
)

// What the number of a request has to fit in, in bits.
const (
	IndexBits = 22
	GenBits   = 7
)

// MaxRequests is how many requests one process can have in flight.
const MaxRequests = 1 << (IndexBits - 1)

// TooMany is the error of an operation for which there is no request left (MPI_ERR_NO_MEM).
func TooMany() error {
	return mpierr.New(mpierr.ErrNoMem, "more than %d requests in flight", MaxRequests)
}

// Numbers hands out the numbers of requests, with the generation of each.
type Numbers interface {
	// Draw is a number that nobody uses; ok is false when there is none.
	Draw() (index, gen uint32, ok bool)
	// Return gives a number back. gen is the generation of its next use.
	Return(index, gen uint32)
}

// Pool holds requests by their numbers. Its methods are called under the lock of the engine that owns it.
type Pool struct {
	Numbers Numbers

	chunks [maxChunks]*[chunkSize]Request
	used   uint32 // numbers below which all lie that were ever used
	live   int
}

// Get makes a request under a number that nobody uses; nil when there is none. All fields are zero, but Kind.
func (p *Pool) Get(kind Kind) *Request {
	index, gen, ok := p.Numbers.Draw()
	if !ok {
		return nil
	}
	return p.Extend(index, gen, kind)
}

// Extend makes the request of a number that is in use without one. All fields are zero, but Kind.
func (p *Pool) Extend(index, gen uint32, kind Kind) *Request {
	r := p.Name(index, gen)
	r.Kind = kind
	p.live++
	return r
}

// Name is a number as a request, for those who look at nothing else of it.
func (p *Pool) Name(index, gen uint32) *Request {
	chunk := p.chunks[index/chunkSize]
	if chunk == nil {
		chunk = new([chunkSize]Request)
		p.chunks[index/chunkSize] = chunk
	}
	p.used = max(p.used, index+1)
	r := &chunk[index%chunkSize]
	r.index, r.gen = index, gen
	return r
}

// Put gives r back. Every number that names it becomes stale.
func (p *Pool) Put(r *Request) {
	index, gen := r.index, r.gen+1
	*r = Request{index: index, gen: gen}
	p.live--
	p.Numbers.Return(index, gen)
}

// Forget drops r, whose number stays in use.
func (p *Pool) Forget(r *Request) {
	*r = Request{index: r.index, gen: r.gen}
	p.live--
}

// At is the request at index, which must be in use.
func (p *Pool) At(index uint32) *Request { return &p.chunks[index/chunkSize][index%chunkSize] }

// InUse is the request at index, nil when there is none in use.
func (p *Pool) InUse(index uint32) *Request {
	if index >= p.used || p.chunks[index/chunkSize] == nil {
		return nil
	}
	if r := p.At(index); r.Kind != Free {
		return r
	}
	return nil
}

// Live is the number of requests in use.
func (p *Pool) Live() int { return p.live }
