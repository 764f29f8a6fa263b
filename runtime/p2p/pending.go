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
