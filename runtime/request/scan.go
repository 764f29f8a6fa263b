package request

// Any tells whether one of the requests in use is as f wants it. It looks at each; it is called under the lock of the
// engine that owns the pool.
func (p *Pool) Any(f func(*Request) bool) bool {
	if p.live == 0 {
		return false
	}
	for i := uint32(0); i < p.used; i++ {
		if i < Tickets && p.chunks[0].Load() == nil {
			i = Tickets - 1
			continue
		}
		if r := p.At(i); r.Kind != Free && f(r) {
			return true
		}
	}
	return false
}
