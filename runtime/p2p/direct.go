package p2p

// Single copies from the memory of other ranks, for operations that know where the data lies.

// CanRead reports whether ReadPeer is possible with a rank of a context.
func (t *transports) CanRead(x *Context, rank int) bool {
	return t.Reach(x.Peers.Of(rank)) != nil
}

// ReadPeer copies n bytes at src in the memory of a rank that CanRead has found in reach to dst. It holds no
// lock: the data may be long.
func (t *transports) ReadPeer(x *Context, rank int, dst, src uintptr, n int64) error {
	peer := x.Peers.Of(rank)
	return t.to(peer).read(peer, dst, src, n)
}
