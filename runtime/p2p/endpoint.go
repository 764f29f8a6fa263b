package p2p

import "gompi/runtime/fast"

// Endpoint is what package fast works on.
func (e *Engine) Endpoint() *fast.Endpoint { return e.endpoint }
