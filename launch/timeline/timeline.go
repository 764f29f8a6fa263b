// Package timeline makes the picture of a run out of what libgompi-trace.so has recorded of its calls:
// which messages belong together, who waited for whom, a file for viewers of traces, and the profile that
// gompi-info shows. It reads files and knows nothing of how a job is run.
package timeline

// Run is what happened.
type Run struct {
	Processes []Process
	Events    []Event // by process, then by the time of their begin
	Messages  []Message
}

// Process is one rank.
type Process struct {
	World, Rank, Size int
	Pid               int
	Lost              int64 // calls ahead of the recorded ones, for which there was no room
}

// Group says what kind of call an event is.
type Group string

// Groups of calls.
const (
	Other       Group = "other"
	Send        Group = "send"
	Receive     Group = "receive"
	Collective  Group = "collective"
	OneSided    Group = "one-sided"
	Data        Group = "data" // of files, or between neighbors
	Polling     Group = "polling"
	persistent  Group = "persistent"
	flowName          = "message"
	unknownRank       = -1
)

// Event is one call, or several polls that found nothing.
type Event struct {
	Name       string
	Group      Group
	Process    int   // index in Run.Processes
	Thread     int   // of the process, from 1
	Begin, End int64 // ns since the run's first call
	Peer       int   // index of a process, or -1
	Tag        int
	Bytes      int64
	Instance   int   // of a collective operation, the same on all ranks, from 1; 0 for none
	Calls      int   // 1, or how many polls
	Inside     int64 // time in the calls
	Unfinished bool  // the process ended within it
	Failed     bool
	Wait       int64 // how much of it was waiting
	For        int   // index of the process that was late, or -1
	Why        string
}

// Reasons of a wait.
const (
	LateSender     = "late sender"
	LateReceiver   = "late receiver"
	LateCollective = "late in collective"
)

// Message is a message that was sent and received.
type Message struct {
	From, To       int // events
	Sender, Target int // processes
	Begin, End     int64
	Bytes          int64
	Tag            int
}
