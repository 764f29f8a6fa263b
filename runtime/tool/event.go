package tool

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"
)

// Kinds of event.
const (
	UnexpectedArrived = iota // a message came before its receive was posted
	RendezvousBegun          // a message too long for its header's company was announced to its receiver
	eventKinds
)

// Element is one number of an event's data.
type Element struct {
	Name string
	Form Form // Int or Unsigned
	At   int  // offset in bytes
}

// EventSize is how many bytes the data of an event takes at most.
const EventSize = 24

// Event describes a kind of event (MPI 5.0, 15.3.8).
type Event struct {
	Name, Help string
	Category   string
	Elements   []Element
}

// Events lists the kinds of event, by number.
func Events() []Event {
	data := func(peer string) []Element {
		return []Element{{peer, Int, 0}, {"tag", Int, 4}, {"context", Int, 8}, {"bytes", Unsigned, 16}}
	}
	return []Event{
		UnexpectedArrived: {"unexpected_message_arrived", "a message came before its receive was posted: source in the communicator, tag, context of the communicator, bytes", "p2p", data("source")},
		RendezvousBegun:   {"rendezvous_begun", "a long message was announced to its receiver: destination in the job, tag, context of the communicator, bytes", "p2p", data("destination")},
	}
}

// Occurrence is one event that has happened.
type Occurrence struct {
	Kind  int
	Stamp int64 // nanoseconds of the source's clock
	Data  [EventSize]byte
}

// mostWaiting is how many occurrences wait to be told at a time. What happens beyond that is counted and
// lost.
const mostWaiting = 1024

// Recorder keeps events from when they happen, deep inside an operation, until somebody can be told of them.
type Recorder struct {
	wanted [eventKinds]atomic.Int32 // how many want to be told
	begin  time.Time
	tell   func()

	mu      sync.Mutex
	waiting []Occurrence
	lost    [eventKinds]int64
}

// NewRecorder makes a recorder. tell is called by Tell.
func NewRecorder(tell func()) *Recorder { return &Recorder{begin: time.Now(), tell: tell} }

// Tell tells those who want to know what has been recorded. It is called where the program's functions may be
// called.
func (r *Recorder) Tell() { r.tell() }

// Now is the time of the source, in nanoseconds.
func (r *Recorder) Now() int64 { return int64(time.Since(r.begin)) }

// Want says that events of a kind are to be recorded from now on, or by one less.
func (r *Recorder) Want(kind, by int) { r.wanted[kind].Add(int32(by)) }

// Wanted reports whether somebody wants to be told of such events. The recorder may be nil.
func (r *Recorder) Wanted(kind int) bool { return r != nil && r.wanted[kind].Load() > 0 }

// Message records an event of the kinds that are about a message.
func (r *Recorder) Message(kind int, peer, tag int32, context uint32, bytes int64) {
	o := Occurrence{Kind: kind, Stamp: r.Now()}
	binary.NativeEndian.PutUint32(o.Data[0:], uint32(peer))
	binary.NativeEndian.PutUint32(o.Data[4:], uint32(tag))
	binary.NativeEndian.PutUint32(o.Data[8:], context)
	binary.NativeEndian.PutUint64(o.Data[16:], uint64(bytes))
	r.mu.Lock()
	if len(r.waiting) < mostWaiting {
		r.waiting = append(r.waiting, o)
	} else {
		r.lost[kind]++
	}
	r.mu.Unlock()
}

// Take hands out what has been recorded, in order, and how many of each kind were lost.
func (r *Recorder) Take() ([]Occurrence, [eventKinds]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, lost := r.waiting, r.lost
	r.waiting, r.lost = nil, [eventKinds]int64{}
	return all, lost
}
