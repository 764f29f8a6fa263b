package p2p

import (
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Pending tells whether anything is on its way in the n contexts from first on: a request that is not given back, or a
// message that nobody has received.
func (e *Engine) Pending(first, n uint32) bool {
	e.lock()
	defer e.unlock()
	if e.Pool.Any(func(r *request.Request) bool { return r.Key.Ctx-first < n }) {
		return true
	}
	if e.unexpected.n == 0 {
		return false
	}
	for u := e.unexpected.all.First(match.Key{}); u != nil; u = u.Next() {
		if u.Item.key.Ctx-first < n {
			return true
		}
	}
	return false
}

// Requests calls f for each request that the program has not given up, those of the library's own left out.
func (e *Engine) Requests(f func(*request.Request)) {
	e.lock()
	defer e.unlock()
	e.Pool.Any(func(r *request.Request) bool {
		if r.Parent == nil && !r.Orphan {
			f(r)
		}
		return false
	})
}
