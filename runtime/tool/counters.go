package tool

import "slices"

// Counters are what a process counts as it goes: messages in the point-to-point engine under its lock,
// accesses to files as they end. A copy is made at a moment when the lock is held.
type Counters struct {
	EagerSent, EagerBytes           uint64                    // messages that went with their header
	RendezvousSent, RendezvousBytes uint64                    // messages that were announced
	Fetched                         [RendezvousNetwork]uint64 // messages of this rank, by protocol
	Announced                       [Announcements]uint64     // of these, by why
	Chosen                          [Causes]uint64            // of the same, by why it was that one
	Unexpected                      uint64                    // messages that came before their receive
	Crossed                         uint64                    // packets that went to other nodes
	Sleeps                          uint64                    // times that the process went to sleep
	AsleepNanoseconds               uint64
	WaitedNanoseconds               uint64 // in calls that do not return before something has come
	Reads, ReadBytes                uint64 // accesses to files, and the program's bytes that they have moved
	Writes, WrittenBytes            uint64
	Collectives                     Collectives
	RMA                             RMA
	Refused                         Refusals

	// How much there is at the moment of the copy.
	UnexpectedNow, UnexpectedMost uint64
	PostedNow                     uint64
	RequestsNow                   uint64
	QueuedNow                     uint64 // packets that wait for room at a peer
}

// Performances lists the performance variables.
func Performances() []Performance {
	return append([]Performance{
		{"eager_messages", "messages sent together with their header", "p2p", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.EagerSent }},
		{"eager_bytes", "bytes of messages sent together with their header", "p2p", NoObject, Aggregate, Unsigned, func(c *Counters) uint64 { return c.EagerBytes }},
		{"rendezvous_messages", "messages announced first and fetched by the receiver", "p2p", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.RendezvousSent }},
		{"rendezvous_bytes", "bytes of messages announced first and fetched by the receiver", "p2p", NoObject, Aggregate, Unsigned, func(c *Counters) uint64 { return c.RendezvousBytes }},
		{"rendezvous_read", "messages that this rank has fetched alone, in one copy by the kernel", "p2p", NoObject, Counter, Unsigned, fetched(RendezvousRead)},
		{"rendezvous_pipeline", "messages that have come to this rank in pieces through shared memory", "p2p", NoObject, Counter, Unsigned, fetched(RendezvousPipeline)},
		{"rendezvous_both", "messages of which this rank and the sender were to copy a part each by the kernel", "p2p", NoObject, Counter, Unsigned, fetched(RendezvousBoth)},
		{"rendezvous_network", "announced messages that have come to this rank in packets from another node", "p2p", NoObject, Counter, Unsigned, fetched(RendezvousNetwork)},
		{"unexpected_messages", "messages that came before their receive was posted", "p2p", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.Unexpected }},
		{"unexpected_queue_length", "messages that wait for a receive now", "p2p", NoObject, Level, Unsigned, func(c *Counters) uint64 { return c.UnexpectedNow }},
		{"unexpected_queue_longest", "the most messages that have waited for receives at a time", "p2p", NoObject, HighWaterMark, Unsigned, func(c *Counters) uint64 { return c.UnexpectedMost }},
		{"posted_receives", "operations that wait for messages now", "p2p", NoObject, Level, Unsigned, func(c *Counters) uint64 { return c.PostedNow }},
		{"requests", "requests in use now", "p2p", NoObject, Level, Unsigned, func(c *Counters) uint64 { return c.RequestsNow }},
		{"queued_packets", "peers for whose room packets wait now", "p2p", NoObject, Level, Unsigned, func(c *Counters) uint64 { return c.QueuedNow }},
		{"packets_between_nodes", "packets sent to ranks of other nodes", "p2p", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.Crossed }},
		{"file_reads", "accesses that read from files", "io", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.Reads }},
		{"file_read_bytes", "bytes that the program has read from files", "io", NoObject, Aggregate, Unsigned, func(c *Counters) uint64 { return c.ReadBytes }},
		{"file_writes", "accesses that write to files", "io", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.Writes }},
		{"file_written_bytes", "bytes that the program has written to files", "io", NoObject, Aggregate, Unsigned, func(c *Counters) uint64 { return c.WrittenBytes }},
		{"time_waited", "time in MPI calls that wait for others: looking, letting others run and asleep, in seconds. Waits of less than some microseconds count as none", "waiting", NoObject, Timer, Seconds, func(c *Counters) uint64 { return c.WaitedNanoseconds }},
		{"sleeps", "how often the process has gone to sleep for lack of work", "waiting", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.Sleeps }},
		{"time_asleep", "time that the process has slept for lack of work, in seconds", "waiting", NoObject, Timer, Seconds, func(c *Counters) uint64 { return c.AsleepNanoseconds }},
	}, slices.Concat(protocolChoices(), collectives(), oneSided(), refusals())...)
}

// fetched is how many messages have come by a protocol.
func fetched(protocol int) func(c *Counters) uint64 {
	return func(c *Counters) uint64 { return c.Fetched[protocol-1] }
}
