// Package transport is the interface by which packets reach another rank. Providers below it say how: shmem
// through the memory of a node, socket as a network does. It knows packets, not messages: matching, protocols
// and requests are above.
package transport

import (
	"time"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Packet is the header of a packet with its small payload; see fast.Slot.
type Packet = fast.Slot

// Provider is the core: what carrying packets takes, whatever the network. What some providers do beyond it
// is in the optional interfaces below, which are found by type assertion when the engine is made. A process
// may have several providers at once, each for some of its peers.
//
// Packets arrive in order per pair. Peers are named by their rank in the job, or by a greater number if they
// are processes of other jobs. Methods are called under the caller's lock unless they say otherwise.
//
// A packet is made in place: Reserve gives room for it, the caller fills in the header and the payload,
// Publish sends it off. Likewise Poll shows a packet where it lies, and Release gives the slot back.
type Provider interface {
	// MaxPayload is the largest payload of one packet in bytes.
	MaxPayload() int

	// Reserve finds room for a packet to peer with n bytes of payload, n <= MaxPayload. It returns nil when
	// there is none until the peer has emptied something. A reservation that is not published is as if it
	// had not been made.
	Reserve(peer, n int) (*Packet, uintptr)
	// Publish sends the packet that Reserve returned, with the same n. It always succeeds: a packet to a peer
	// that has gone is dropped.
	Publish(peer int, p *Packet, n int)

	// Poll is the next packet from anybody, with the address of its payload; nil when there is none. It must
	// be released before the next packet can come.
	Poll() (peer int, p *Packet, payload uintptr)
	// Release gives back the packet that Poll returned.
	Release(peer int, p *Packet)

	// Arm announces that a thread is about to sleep, which waits for packets and for room to the blocked
	// peers. From now on the provider ends the process's sleep when either comes. It reports whether it can:
	// where not, the thread takes short naps. Peers of other providers among the blocked are none of its
	// concern.
	Arm(blocked []int) (wakes bool)
	// Pending reports whether Poll would find something, or one of the blocked peers has made room.
	Pending(blocked []int) bool
	// Disarm ends what Arm began, for all threads.
	Disarm()

	// Failed is a peer that has died, -1 while none has as far as the provider knows. No lock is needed.
	Failed() int
}

// Waiter is how the threads of a process wait, for whatever providers: a process sleeps in one place, and
// each of its providers knows how to end that.
type Waiter interface {
	// Spin is called in a wait loop after the n-th poll in a row (n from 0) that found nothing. It spins or
	// yields a moment; a caller who would rather not sleep yet begins with n below 0, for which it yields;
	// false says that it is time to sleep. It touches nothing that a lock protects.
	Spin(n int) bool
	// YieldOccasionally is called when the program asks in vain, once more, for something to be done: where
	// ranks share cores, it lets others run now and then. It touches nothing that a lock protects.
	YieldOccasionally()
	// Arm announces that a thread is about to sleep. After it, and after the Arm of the providers, the
	// caller looks at everything once more (Pending, Failed, its own conditions), then calls Sleep or not,
	// and Disarm in any case. mark is for Sleep. Arm, Disarm and Wake are called under the caller's lock.
	Arm() (mark uint32)
	// Sleep sleeps until somebody wakes the process, at most for that time. It does not sleep if the process
	// was woken since Arm returned mark.
	Sleep(mark uint32, most time.Duration)
	// Disarm ends what Arm began for this thread. It reports whether no other thread is about to sleep.
	Disarm() (last bool)
	// Wake ends the sleep of the other threads of this process.
	Wake()
	// Nudge is Wake for threads that do not hold the caller's lock.
	Nudge()
}

// FlowControl is a provider by which a rank tells a peer which messages it wants to be announced, without
// sending it a packet.
type FlowControl interface {
	// Announce asks a peer from which packets have come to announce messages of from bytes and more instead
	// of sending them with their header: fast.NoLimit for none, 0 for all. It learns of it some packets
	// later, by the Flags of those that it reserves: fast.Stopped for 0, fast.Large for packets of at least
	// that size.
	Announce(peer int, from uint32)
}

// Grower is a provider whose packets can be published before their payloads are there, so that both sides
// copy at the same time.
type Grower interface {
	// PublishEarly is Publish for a packet of whose payload nothing is there yet, which its header says. It
	// reports false, and has done nothing, where that is not possible. Otherwise nothing else is done with
	// that peer before all of the payload is there (Grow), or it is known that it never will (GrowNever).
	PublishEarly(peer int, p *Packet, n int) bool
	// Grow says that the first n bytes of that payload are there.
	Grow(peer, n int)
	GrowNever(peer int)
	// Grown is how many of the n bytes of the payload are there of the packet that Poll has returned, which
	// was published early. ok is false if not all ever will.
	Grown(peer, n int) (there int, ok bool)
}

// Reader is a provider that copies from the memory of peers without their help.
type Reader interface {
	// Read copies n bytes at src in the peer's memory to dst in this process. It returns ErrNoRead when the
	// peer's memory cannot be read at all: the data must then come in packets. ErrGone says that the peer has
	// ended, of which the launcher may not have told yet. No lock is needed once reading is known to be
	// possible.
	Read(peer int, dst, src uintptr, n int64) error
}

// Sharer is a provider whose peers are processes of this machine, and have common memory with this rank.
type Sharer interface {
	// Reach is the process of a peer, by which the kernel copies between this process and that one; nil where
	// it refuses. The peer may be this rank itself.
	Reach(peer int) *shm.Process

	// Inside tells the peers whether this rank waits, with sends under way or for active messages, so that it
	// can take its part; IsInside reports whether a peer does. It may have changed since.
	Inside(on bool)
	IsInside(peer int) bool
	// Offer begins a copy from a peer's memory to this rank, which both may carry out: each takes pieces of
	// it. The number it returns names the copy to the peer; 0 when there are too many under way, or if this
	// rank cannot read the peer's memory. Done ends what Offer began.
	Offer(peer int) uint32
	Done(peer int, copy uint32)
	// TakeIn takes the next piece of a copy of total bytes that this rank has offered, TakeOut of one that
	// the peer has: at most most bytes. n is 0 when there is none left.
	TakeIn(peer int, copy uint32, most, total int64) (at, n int64)
	TakeOut(peer int, copy uint32, most, total int64) (at, n int64)
}

// Bridger is a provider that reaches processes of other jobs.
type Bridger interface {
	// Peers is the number above all numbers of peers.
	Peers() int
	// Home is the segment of the job of a peer, nil if it is on another machine, and its number there.
	Home(peer int) (*shm.Segment, int)
	// Connect makes the members of the other side of a bridge peers of this rank, and returns their numbers
	// by member, -1 for those of the own side. Disconnect takes the peers of the bridge with that segment
	// away, to whom nothing may be under way; their numbers will be used again.
	Connect(b Bridge) (peers []int, err error)
	Disconnect(s *shm.Segment)
	// Cut is why some bridge can be used no longer, nil as long as all can; CutOff is it for one bridge.
	Cut() error
	CutOff(s *shm.Segment) error
	// BeyondCut reports whether a peer will take nothing more: it is on the other side of a bridge that can
	// be used no longer, or has gone.
	BeyondCut(peer int) bool
	// Outlive has deaths concern those alone who need the dead: a bridge serves the others on. It comes
	// before any bridge. CutOff tells then whether any process at the bridge has died.
	Outlive()
	// FailurePending reports whether processes of other jobs may have died since Lost was called.
	FailurePending() bool
	// Lost calls f for each peer at bridges that has died and was not told of before.
	Lost(f func(peer int))
	// Watch looks whether the processes of the other sides live that did not leave, which may take a system
	// call for each.
	Watch()
}

// FailureDetector is a provider that knows which peers have failed, where the job survives that.
type FailureDetector interface {
	// EachFailed calls f for each of them, HasFailed reports whether one is among them. No lock is needed.
	EachFailed(f func(peer int))
	HasFailed(peer int) bool
	// Forget takes back what a peer that has failed holds of this rank's memory.
	Forget(peer int)
}

// Network is a provider that may lose a peer that lives.
type Network interface {
	// Broken calls f for each peer to which messages go nowhere any more, and that has not left.
	Broken(f func(peer int))
	// DropPeer has everything that waits to be sent to a peer be forgotten, now and later: it has died.
	DropPeer(peer int)
}

// ZeroCopySender is a provider that sends payloads from where they lie in the program's memory.
type ZeroCopySender interface {
	// SendsZeroCopy reports whether it can be asked to at all: where the network wants memory to be
	// registered, not. That may be known only after a packet was reserved.
	SendsZeroCopy() bool
	// ReserveZeroCopy finds room for a packet to peer whose payload of n bytes, a multiple of ZeroCopyUnit
	// and at most MaxPayload, stays in the program's memory; nil when there is none.
	ReserveZeroCopy(peer, n int) *Packet
	// PublishZeroCopy is Publish for that packet: its payload lies at from, in memory that can be read, and
	// stays as it is until Completed has told the number.
	PublishZeroCopy(peer int, p *Packet, from uintptr, n int, number uint32)
	// Completed is the number of a packet whose payload is free again; ok is false when there is none. It is
	// asked after Poll has found nothing.
	Completed() (number uint32, ok bool)
}

// ZeroCopyUnit is of what the size of a zero-copy payload is a multiple, in bytes.
const ZeroCopyUnit = 8

// Flusher is a provider that keeps packets back for a moment, so that others can go with them.
type Flusher interface {
	// Flush sends them. The caller is about to wait, or to leave the library.
	Flush()
	// Refused reports whether the network has not taken some of them so far.
	Refused() bool
	// Held reports whether packets that were published need more calls before they reach their peers.
	Held() bool
}

// Sleeper is a provider whose packets end a sleep sooner that is slept there than one on the doorbell.
type Sleeper interface {
	// Sleep is Waiter.Sleep after an Arm that wakes, and reports whether it has taken the sleep upon itself.
	// It does for one thread at a time, and of no thread that sleeps elsewhere does a packet end the sleep
	// meanwhile. No lock is needed.
	Sleep(mark uint32, most time.Duration) bool
}

// Remote is a provider that leads to other nodes, be it to some of its peers alone.
type Remote interface {
	// Crossed is the number of packets that it has sent there.
	Crossed() uint64
}

// Counter is a provider of a network where what was sent may be under way for long, and nobody sees it.
type Counter interface {
	// Frames is how many messages of the network have been sent to all peers, those included that it has not
	// taken yet, and how many have come from them, modulo 2^32.
	Frames() (sent, taken uint32)
}

// Identity names a process among those of all jobs on the machine.
type Identity struct {
	Job  shm.JobID
	Rank int32 // in the job
	Node int32 // number in the segment of the job, -1 on another machine
}

// Bridge is a segment through which processes of two sides talk that have none in common.
type Bridge struct {
	Segment *shm.Segment
	Me      int // number of this rank among the members
	Members []Member
}

// Member is one process at a bridge.
type Member struct {
	Home *shm.Segment // of its job
	Rank int          // number there
	Own  bool         // it is on the same side as this rank
}

// Wake ends the sleep of all members but this rank.
func (b *Bridge) Wake() {
	for i, m := range b.Members {
		if i != b.Me {
			shm.BellOf(m.Home, m.Rank).Wake()
		}
	}
}

// Error is a reason for which a provider refuses.
type Error string

func (e Error) Error() string { return string(e) }

// ErrNoRead says that single copy from that peer is not possible.
const ErrNoRead = Error("the peer's memory cannot be read directly")

// ErrGone says that the peer's process has ended.
const ErrGone = Error("the peer's process has ended")
