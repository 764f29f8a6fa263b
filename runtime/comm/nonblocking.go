package comm

import (
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// combination is memberSet.and or pair.and carried on without waiting, as a part of a request.
type combination struct {
	g       *memberSet
	p       *pair // nil for the ranks of one group
	words   []uint64
	out, in []byte
	absorb  bool // in holds words to combine with
	stage   stage
	k       int // distance to the next partner in the present stage
}

// stage is the step that a combination is in.
type stage uint8

// The stages, the last three for two groups.
const (
	within   stage = iota // partners in the own group, at distances 1, 2, 4, ...
	across                // the leaders exchange what they have
	spreadIn              // the others get it
	spreadOut
	combined
)

// begin starts to combine words, which combination keeps.
func (c *combination) begin(words []uint64) {
	n := 8 * len(words)
	if cap(c.out) < n && (c.g.size > 1 || c.p != nil) {
		c.out, c.in = make([]byte, n), make([]byte, n)
	}
	if c.words = words; c.out != nil {
		c.out, c.in = c.out[:n], c.in[:n]
	}
	c.absorb, c.stage, c.k = false, within, 1
}

// step takes in what has come, and begins what can be begun next; false when the words of all are combined.
// It is called when everything that it has begun is done.
func (c *combination) step(r *request.Request) bool {
	if c.absorb {
		andWords(c.words, c.in)
		c.absorb = false
	}
	for {
		switch c.stage {
		case within:
			if c.k < c.g.size {
				k := c.k
				c.k <<= 1
				putWords(c.out, c.words)
				c.send(r, &c.g.x, c.out, c.g.rank((c.g.me+k)%c.g.size), c.g.tag)
				c.recv(r, &c.g.x, c.g.rank((c.g.me-k+c.g.size)%c.g.size), c.g.tag)
				c.absorb = true
				return true
			}
			c.stage = combined
			if c.p != nil {
				c.stage = across
			}
		case across:
			c.stage = spreadIn
			if c.g.me == c.p.root {
				putWords(c.out, c.words)
				c.send(r, &c.p.x, c.out, c.p.remote, c.p.tag)
				c.recv(r, &c.p.x, c.p.remote, c.p.tag)
				return true
			}
		case spreadIn: // of memberSet.bcast: in comes from the parent
			me := (c.g.me - c.p.root + c.g.size) % c.g.size
			for c.k = 1; c.k < c.g.size && me&c.k == 0; c.k <<= 1 {
			}
			c.stage = spreadOut
			if me != 0 {
				c.recv(r, &c.g.x, c.g.rank((me-c.k+c.p.root)%c.g.size), c.g.tag)
				return true
			}
		case spreadOut: // and goes to the children
			me := (c.g.me - c.p.root + c.g.size) % c.g.size
			begun := false
			for c.k >>= 1; c.k > 0; c.k >>= 1 {
				if me+c.k < c.g.size {
					c.send(r, &c.g.x, c.in, c.g.rank((me+c.k+c.p.root)%c.g.size), c.g.tag)
					begun = true
				}
			}
			c.stage, c.absorb = combined, true
			if begun {
				return true
			}
			andWords(c.words, c.in)
			c.absorb = false
		case combined:
			return false
		}
	}
}

func (c *combination) send(r *request.Request, x *p2p.Context, b []byte, to, tag int) {
	c.g.e.Ops.PartSend(r, x, bridge.Raw(b), to, tag)
}

func (c *combination) recv(r *request.Request, x *p2p.Context, from, tag int) {
	c.g.e.Ops.PartRecv(r, x, bridge.Raw(c.in), from, tag, nil)
}
