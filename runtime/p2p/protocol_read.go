package p2p

import "gompi/runtime/request"

// The receiver copies all of the data by the kernel, without the sender's help.

func usableRead(x terms) bool { return x.direct || x.wanted == 0 }

// beginRead copies the data. Where that fails the sender is asked for it, who finds out what is wrong.
func (c *copying) beginRead(r *request.Request, m message) (done bool) {
	n := r.Status.Bytes
	if n > 0 && c.readAt(r, m.peer, m.addr, 0, n) != nil {
		r.Protocol = pipelineProtocol
		return c.beginPipeline(r, m)
	}
	c.flushSoon = n > 0
	return true
}
