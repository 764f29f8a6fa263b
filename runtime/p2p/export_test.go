package p2p

// LargestAside is the most that one peer may make a rank put aside.
const LargestAside = largestAside

// Aside is what has been put aside for messages of a peer, in bytes.
func (e *Engine) Aside(peer int) int64 { return e.flow.aside[peer] }

// Step deals with the next packet, if there is one.
func (e *Engine) Step() bool { return e.poll() }
