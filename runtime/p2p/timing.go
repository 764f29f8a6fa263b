package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/runtime/tune"
	"gompi/shm"
)

// What protocols take is measured by the receiver, which chooses among them (package tune).

// protocols is what is known of the protocols.
type protocols struct {
	*core
	failures    *failures
	pinned      int          // by the setting; 0 for none
	crowded     bool         // ranks share cores
	learnsEager bool         // which messages are eager is found out; otherwise a setting says it
	directions  [2]direction // where the time counts that passes; and where the work of both sides does
	until       uint64       // when the last message ended that was measured, by shm.Now
	sends       bool         // this rank has begun to send a large message since then
	copyTime    uint64       // ns that this rank has copied data of such messages
	disturbed   bool         // the next message that ends is not measured (touches, leaveSome)
	idle        uint64       // idleTime when the last one ended, or this rank has begun to send one
	// the size from which on peers were last asked to announce messages; fast.NoLimit for none
	from  uint32
	table [protocolCount]protocol
}

// work notes that this rank has copied data since that time, and is for how many ns.
func (p *protocols) work(since uint64) uint64 {
	took := shm.Now() - since
	p.copyTime += took
	return took
}

// began notes that this rank has begun to send a large message by now.
func (p *protocols) began(now uint64) { p.sends, p.idle = true, p.idleTime(now) }

// idleTime is for how many ns of shm.Now, which is now, this rank has copied nothing.
func (p *protocols) idleTime(now uint64) uint64 { return now - p.copyTime }

// direction is what is known of the protocols for one kind of traffic, by size.
type direction struct {
	choices     tune.Sizes
	eagerLimits [eagerClasses]eagerLimit
}

// leastSize is the binary logarithm of the size of the first class of messages.
const leastSize = 15

var _ = [1]struct{}{}[1<<leastSize-2*fast.MaxMessage]

func newProtocols(core *core, c Copy, free bool) protocols {
	p := protocols{core: core, pinned: c.Protocol, crowded: c.Crowded, learnsEager: free && c.Protocol == 0,
		from: fast.NoLimit}
	for i := range p.directions {
		p.directions[i].choices.Least = leastSize
	}
	if !p.learnsEager {
		core.endpoint.Unmeasured = fast.AllUnmeasured
	}
	return p
}

// mayBeEager reports whether messages of n bytes, more than fast.MaxMessage, may be eager.
func (t *direction) mayBeEager(n int64) bool { return t.choices.Index(n) < eagerClasses }

// direction is what is known for messages of n bytes that come now (see ended). Messages that are sent with
// their header are under way for no time.
func (p *protocols) direction(n int64, sending bool) *direction {
	sends := p.sends || p.endpoint.LongSent > p.until
	if p.crowded || sending || sends && p.directions[0].mayBeEager(n) {
		return &p.directions[1]
	}
	return &p.directions[0]
}

// ended notes what it has taken to fetch the data of r, if its protocol was chosen.
//
// Where data goes one way, that is the time that has passed. Messages that are under way together go one
// after the other, so each takes the time since the last one ended. Where this rank sends as well, or ranks
// share cores, all processors have something to do at any time, and what counts is the work of both sides
// together: else each rank would choose what leaves most of its work to the other one. Where this rank has a
// processor of its own, that does nothing while it waits, for an announcement as for the other side's part,
// so that time counts as well. Where ranks share cores, what needs both sides takes a turn of the other one,
// which nobody can measure: it counts for half the work.
func (p *protocols) ended(r *request.Request) {
	if r.Choice == nil {
		return
	}
	n, t := r.Status.Bytes, &p.directions[0]
	if r.Choice != t.choices.Of(n) {
		t = &p.directions[1]
	}
	p.note(t, int(r.Protocol), n, r.Since, r.Spent)
	if t.mayBeEager(n) {
		p.nextEagerLimit(r.Peer, t, n, int(r.Protocol), p.usableFor(r.Buf.Contiguous(), n == r.Bytes, t))
	}
}

// mostIdle bounds the idle time that counts, in times of the work. A rank that waits for longer waits for one
// that computes, whatever the protocol is.
const mostIdle = 2

// idleSince is for how many ns this rank has copied nothing since the last message ended, or since it has
// begun to send one.
func (p *protocols) idleSince(now uint64) uint64 {
	idle := p.idleTime(now)
	if sent := p.endpoint.LongSent; sent > p.until {
		p.idle = max(p.idle, p.idleTime(sent))
	}
	since := idle - min(p.idle, idle)
	p.idle = idle
	return since
}

// note notes what a message of n bytes has taken that came by one of the protocols: since when it was
// under way, and how long both sides have worked.
func (p *protocols) note(t *direction, protocol int, n int64, since, spent uint64) {
	now := shm.Now()
	switch idle := p.idleSince(now); {
	case t == &p.directions[0]:
		spent = now - min(max(since, p.until), now)
	case !p.crowded:
		spent += min(idle, mostIdle*spent)
	case protocol != readProtocol:
		spent += spent / 2 // for a turn of the other side
	}
	disturbed := p.disturbed
	p.until, p.sends, p.disturbed = now, false, false
	if c := t.choices.Of(n); disturbed {
		c.Pass(protocol)
	} else {
		c.Note(protocol, float64(spent)/float64(n))
	}
}

// touches reports whether n bytes of a peer's long payload are where this rank has read none before. The
// kernel makes the pages then, which takes longer than all copies, so the message is not measured.
func (p *protocols) touches(peer int, payload uintptr, n int64) bool {
	q, end := p.peers[peer], payload+uintptr(n)
	if n < fast.MaxMessage || end <= q.touched {
		return false
	}
	q.touched, p.disturbed = end, true
	return true
}
