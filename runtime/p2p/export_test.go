package p2p

// LargestBudget is the most that one peer may make a rank buffer.
const LargestBudget = largestBudget

// Buffered is what has been buffered of a peer's messages, in bytes.
func (e *Engine) Buffered(peer int) int64 { return e.flow.buffered[peer] }

// Step deals with the next packet, if there is one.
func (e *Engine) Step() bool { return e.poll() }
