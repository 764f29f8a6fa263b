package request

// Any reports whether one of the requests in use is as f wants it. It looks at each; it is called under the
// lock of the engine that owns the pool.
func (p *Pool) Any(f func(*Request) bool) bool {
	if p.live == 0 {
		return false
	}
	for first := uint32(0); first < p.used; first += chunkSize {
		chunk := p.chunks[first/chunkSize]
		if chunk == nil {
			continue
		}
		for i := range chunk {
			if r := &chunk[i]; r.Kind != Free && f(r) {
				return true
			}
		}
	}
	return false
}
