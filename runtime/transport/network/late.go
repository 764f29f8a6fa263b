package network

import (
	"sync/atomic"
	"time"

	"gompi/runtime/transport"
)

// Late is a Provider whose endpoint is opened when it is needed first, by another goroutine: that takes
// longer than the rest of a start, and many a program ends without having talked to another machine.
type Late struct {
	reaches func(rank int) bool
	open    func() (*Provider, error)
	wake    func()
	begun   atomic.Bool
	opening atomic.Bool              // somebody has begun to open it
	p       atomic.Pointer[Provider] // nil before it is open
	// sleeps had begun when it was not open, so its threads look for themselves
	armed bool
}

var (
	_ transport.Provider       = (*Late)(nil)
	_ transport.Remote         = (*Late)(nil)
	_ transport.Counter        = (*Late)(nil)
	_ transport.ZeroCopySender = (*Late)(nil)
	_ transport.Flusher        = (*Late)(nil)
	_ transport.Network        = (*Late)(nil)
	_ transport.Sleeper        = (*Late)(nil)
)

// NewLate makes a provider that is not open. open opens it, once; it does not return an error that the
// process could live with. wake ends the sleep of this process.
func NewLate(reaches func(rank int) bool, open func() (*Provider, error), wake func()) *Late {
	return &Late{reaches: reaches, open: open, wake: wake}
}

// Begin opens the provider, unless somebody has begun to or it has been laid to rest. It does not wait.
func (l *Late) Begin() {
	if l.begun.CompareAndSwap(false, true) {
		go l.begin()
	}
}

func (l *Late) begin() {
	l.opening.Store(true)
	if p, err := l.open(); err == nil {
		l.p.Store(p)
		l.wake()
	}
}

// Begun reports whether somebody has begun to open the provider, or it has been laid to rest.
func (l *Late) Begun() bool { return l.begun.Load() }

// Rest has the provider not be opened, except by Rise: it reports whether nobody has begun to.
func (l *Late) Rest() bool { return l.begun.CompareAndSwap(false, true) }

// Rise opens one that rests.
func (l *Late) Rise() { go l.begin() }

// MaxPayload implements transport.Provider.
func (l *Late) MaxPayload() int { return maxPayload }

// Reserve implements transport.Provider.
func (l *Late) Reserve(rank, n int) (*transport.Packet, uintptr) {
	if p := l.p.Load(); p != nil {
		return p.Reserve(rank, n)
	}
	l.Begin()
	return nil, 0
}

// Publish implements transport.Provider.
func (l *Late) Publish(rank int, head *transport.Packet, n int) { l.p.Load().Publish(rank, head, n) }

// Poll implements transport.Provider.
func (l *Late) Poll() (rank int, head *transport.Packet, payload uintptr) {
	if p := l.p.Load(); p != nil {
		return p.Poll()
	}
	return 0, nil, 0
}

// Release implements transport.Provider.
func (l *Late) Release(rank int, head *transport.Packet) { l.p.Load().Release(rank, head) }

// Arm implements transport.Provider. Whoever opens it wakes the process.
func (l *Late) Arm(blocked []int) (wakes bool) {
	if p := l.p.Load(); p != nil {
		l.armed = true
		return p.Arm(blocked)
	}
	return true
}

// Pending implements transport.Provider.
func (l *Late) Pending(blocked []int) bool {
	p := l.p.Load()
	return p != nil && (!l.armed || p.Pending(blocked))
}

// Disarm implements transport.Provider.
func (l *Late) Disarm() {
	if l.armed = false; l.p.Load() != nil {
		l.p.Load().Disarm()
	}
}

// Sleep implements transport.Sleeper.
func (l *Late) Sleep(mark uint32, most time.Duration) bool {
	p := l.p.Load()
	return p != nil && p.Sleep(mark, most)
}

// Failed implements transport.Provider.
func (l *Late) Failed() int {
	if p := l.p.Load(); p != nil {
		return p.Failed()
	}
	return -1
}

// Broken implements transport.Network.
func (l *Late) Broken(f func(peer int)) {
	if p := l.p.Load(); p != nil {
		p.Broken(f)
	}
}

// DropPeer implements transport.Network.
func (l *Late) DropPeer(peer int) {
	if p := l.p.Load(); p != nil {
		p.DropPeer(peer)
	}
}

// Crossed implements transport.Remote.
func (l *Late) Crossed() uint64 {
	if p := l.p.Load(); p != nil {
		return p.Crossed()
	}
	return 0
}

// Frames implements transport.Counter. While the endpoint is being opened, what waits for that counts as a
// message that the network has not taken yet: nobody is to call the job hung.
func (l *Late) Frames() (sent, taken uint32) {
	switch p := l.p.Load(); {
	case p != nil:
		return p.Frames()
	case l.opening.Load():
		return 1, 0
	}
	return 0, 0
}

// SendsZeroCopy implements transport.ZeroCopySender. Before it is open nobody knows.
func (l *Late) SendsZeroCopy() bool {
	p := l.p.Load()
	return p == nil || p.SendsZeroCopy()
}

// ReserveZeroCopy implements transport.ZeroCopySender.
func (l *Late) ReserveZeroCopy(rank, n int) *transport.Packet {
	if p := l.p.Load(); p != nil {
		return p.ReserveZeroCopy(rank, n)
	}
	l.Begin()
	return nil
}

// PublishZeroCopy implements transport.ZeroCopySender.
func (l *Late) PublishZeroCopy(rank int, head *transport.Packet, from uintptr, n int, number uint32) {
	l.p.Load().PublishZeroCopy(rank, head, from, n, number)
}

// Completed implements transport.ZeroCopySender.
func (l *Late) Completed() (number uint32, ok bool) {
	if p := l.p.Load(); p != nil {
		return p.Completed()
	}
	return 0, false
}

// Flush implements transport.Flusher.
func (l *Late) Flush() {
	if p := l.p.Load(); p != nil {
		p.Flush()
	}
}

// Refused implements transport.Flusher.
func (l *Late) Refused() bool {
	p := l.p.Load()
	return p != nil && p.Refused()
}

// Held implements transport.Flusher.
func (l *Late) Held() bool {
	p := l.p.Load()
	return p != nil && p.Held()
}

// Leave is Provider.Leave, for one that is open.
func (l *Late) Leave(failed func(rank int) bool, most time.Duration) {
	if p := l.p.Load(); p != nil {
		p.Leave(failed, most)
	}
}

// Close ends all connections.
func (l *Late) Close() {
	if p := l.p.Load(); p != nil {
		p.Close()
	}
}
