package fast

// How package p2p takes over receives that were posted here.

// TakePosted takes the oldest posted receive out of its bin, of those that must not stay behind one with
// that context and tag; NoRequest when there is none. The request is Adopted then. Receives of blocking
// calls go back to the threads that wait in them: other threads than the caller, so nothing says which
// receive comes first (MPI 5.0, 3.5).
func (e *Endpoint) TakePosted(ctx uint32, tag int32) uint32 {
	for e.Posted > 0 {
		p := e.firstPosted(ctx, tag)
		if p.at == NoRequest {
			break
		}
		if e.adopt(&p) {
			return p.at
		}
	}
	return NoRequest
}

// firstPosted is the oldest posted receive with that context and tag. Where there are some with any tag,
// which must neither stay behind nor overtake others, it is the oldest of all.
func (e *Endpoint) firstPosted(ctx uint32, tag int32) position {
	if tag == AnyTag || e.AnyBin().First != NoRequest {
		return e.oldestOfAll()
	}
	bin := e.BinOf(ctx, tag)
	p := position{bin: bin, at: bin.First, before: NoRequest}
	for p.at != NoRequest {
		r := e.Request(p.at)
		if r.Ctx == ctx && r.Tag == tag {
			break
		}
		p.before = p.at
		p.at = r.Next
	}
	return p
}

// oldestOfAll is the posted receive that was posted before all others.
func (e *Endpoint) oldestOfAll() position {
	p := position{at: NoRequest, before: NoRequest}
	for b := range uint32(Bins) {
		first := e.Bins[b].First
		if first != NoRequest && (p.at == NoRequest || e.Request(first).Order < e.Request(p.at).Order) {
			p.bin = &e.Bins[b]
			p.at = first
		}
	}
	return p
}

// TakeMatching takes the oldest receive out of its bin that a message matches; NoRequest when there is
// none. The request is Adopted then. Those of blocking calls are passed over as in TakePosted: they are
// posted again. long says that it has given up because there are many.
func (e *Endpoint) TakeMatching(ctx uint32, src, tag int32) (number uint32, long bool) {
	for e.Posted > 0 {
		p := e.oldest(e.BinOf(ctx, tag), ctx, src, tag)
		if p.at == tooMany {
			return NoRequest, true
		}
		if p.at == NoRequest || e.adopt(&p) {
			return p.at, false
		}
	}
	return NoRequest, false
}

// adopt takes a posted receive out of its bin for package p2p. It reports false for that of a blocking
// call, which goes back.
func (e *Endpoint) adopt(p *position) bool {
	e.take(p)
	r := e.Request(p.at)
	if r.Call != 0 {
		r.State = Returned
		return false
	}
	r.State = Adopted
	return true
}
