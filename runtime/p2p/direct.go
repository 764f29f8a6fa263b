package p2p

// Single copies from the memory of other ranks, for operations that know where the data lies.

// Reaches reports whether ReadFrom is possible with a rank of a context.
func (e *Engine) Reaches(x *Context, rank int) bool {
	return e.Reach(x.Peers.Of(rank)) != nil
}

// ReadFrom copies n bytes at src in the memory of a rank that Reaches has found in reach to dst. It holds no
// lock: the data may be long.
func (e *Engine) ReadFrom(x *Context, rank int, dst, src uintptr, n int64) error {
	peer := x.Peers.Of(rank)
	return e.to(peer).read(peer, dst, src, n)
}
