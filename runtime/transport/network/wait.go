package network

import (
	"fmt"
	"time"

	"gompi/fabric"
)

// Arm implements transport.Provider. The descriptor of an endpoint says that there may be something to look
// at, and not that it takes what it has refused: as long as anything waits for that, naps are short. The look
// comes before: once armed, nothing of the endpoint may be touched.
func (p *Provider) Arm(blocked []int) (wakes bool) {
	p.sendOpen()
	if p.pending() || p.look() {
		return true
	}
	if len(p.stuck) > 0 || len(p.owing) > 0 || p.unposted > 0 {
		return false
	}
	for _, rank := range blocked {
		if p.reaches(rank) && !p.peerOf(rank).known {
			return false
		}
	}
	switch p.e.Arm() {
	case fabric.Rings:
		p.watching = true
	case fabric.Stirred:
		p.stirred = true
	default:
		return false
	}
	return true
}

// Pending implements transport.Provider.
func (p *Provider) Pending(blocked []int) bool {
	if p.stirred {
		p.stirred = false
		return true
	}
	if p.pending() || !p.watching && p.look() {
		return true
	}
	for _, rank := range blocked {
		if p.reaches(rank) && p.takes(p.peerOf(rank)) && (p.free != none || len(p.slots) < mostSlots) {
			return true
		}
	}
	return p.given < len(p.completed)
}

// pending reports whether there is a packet to show.
func (p *Provider) pending() bool {
	return p.shown || p.open.size > 0 && p.at < p.open.at+uintptr(p.open.size) || p.first < len(p.frames)
}

// Disarm implements transport.Provider. A wake-up that comes later does no harm.
// Whoever has slept looks at once.
func (p *Provider) Disarm() { p.watching, p.stirred = false, false }

// Sleep implements transport.Sleeper.
func (p *Provider) Sleep(mark uint32, most time.Duration) bool { return p.e.Sleep(mark, most) }

// Leave tells the peers that this rank ends as it should, and waits until all has gone to them and they have
// said the same, unless they have failed: a connection that ends with something unread would drop what is on
// its way. It waits for no longer than most.
func (p *Provider) Leave(failed func(rank int) bool, most time.Duration) {
	for _, q := range p.peers {
		if q == nil || !q.talked || !p.find(q) {
			continue
		}
		p.flush(q)
		if q.open == none {
			q.open = p.take(q)
		}
		if q.open != none {
			p.slots[q.open].kind = bye
			p.submit(q)
		}
	}
	for until := time.Now().Add(most); !p.parted(failed) && time.Now().Before(until); {
		if p.look(); len(p.stuck) > 0 {
			continue
		}
		time.Sleep(20 * time.Microsecond)
	}
}

// parted reports whether all has gone to all peers that have not failed, and they have left.
func (p *Provider) parted(failed func(rank int) bool) bool {
	for _, q := range p.peers {
		waits := q != nil && q.talked && (q.flying > 0 || q.first != none || !q.left)
		if waits && !q.broken && !failed(q.rank) {
			return false
		}
	}
	return true
}

// errorOf is the error of an operation that the endpoint does not carry out.
func errorOf(what string, r fabric.Result) error {
	return fmt.Errorf("the network refuses %s: %w", what, r.Err())
}
