package p2p

import (
	"cmp"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
)

// Engine carries out all point-to-point communication of one rank. It is made of parts, each with its own
// state; the methods of an Engine are the operations of MPI, progress and waiting.
type Engine struct {
	core
	transports
	queues
	flow
	protocols
	unexpected
	copying
	outbound
	inbound
	records
	bridges
	failures
	waiting
	observer
	progressThread

	arrivals [kinds]arrival // what becomes of a packet, by its kind

	server Server // nil as long as others can ask for nothing

	AM      ActiveMessages
	Ops     Operations
	cancels cancels
	reports reports
}

// Config says what an engine works with.
type Config struct {
	Rank     int                // job rank
	Size     int                // ranks in the job
	Node     []int              // job ranks of those of the node, by node rank
	Net      transport.Provider // leads to the ranks of the node
	Far      transport.Provider // leads to those of other nodes; nil when there are none
	IsFar    func(rank int) bool
	Waiter   transport.Waiter
	Endpoint *fast.Endpoint
	Eager    int  // eager limit in bytes, 0 for the default; at most a provider's largest payload
	Copy     Copy // how large messages are copied
	Multi    bool // MPI_THREAD_MULTIPLE

	// Fatal, if not nil, ends the process with an error that says what a peer has written; see
	// Engine.Malformed. It may be called by any thread, with the engine's lock held.
	Fatal func(error)

	Check *Check // what it looks for in messages; nil for nothing
}

// Copy says how this rank takes its part in a copy that both sides carry out. The zero value means the
// defaults.
type Copy struct {
	Timeout time.Duration // how long it waits for the sender's pieces
	Chunk   int           // how much it copies at a time when none have come, in bytes
	Crowded bool          // ranks share cores
	// Protocol is the one protocol of long messages (tool.RendezvousRead and so on), where it can be
	// used; 0 for what is the quickest here.
	Protocol int
}

// New makes the engine of one rank.
func New(c Config) *Engine {
	e := new(Engine)
	e.core = core{me: c.Rank, size: c.Size, node: c.Node, endpoint: c.Endpoint, waiter: c.Waiter,
		fatal: c.Fatal, multi: c.Multi, threads: c.Multi,
		ops: &e.Ops, cancels: &e.cancels, progressThread: &e.progressThread}
	e.AM.e, e.Ops.e, e.cancels.e, e.reports.e = e, e, e, e
	e.Pool.Numbers = numbers{e.endpoint}
	e.signatures = newSignatures(c.Check)
	e.transports = newTransports(&e.core, c.Net, c.Far, c.Copy.Crowded)
	e.peers = newPeers(c.Size, c.Node, e.links, e.endpoint, c.IsFar)
	e.setEager(int64(cmp.Or(c.Eager, tool.DefaultEager)))
	e.protocols = newProtocols(&e.core, c.Copy, c.Eager == 0)
	e.budget = budgetOf(c.Size)
	e.endpoint.MostKept = e.budget
	e.copyTimeout = cmp.Or(c.Copy.Timeout, tool.DefaultCopyTimeout*time.Microsecond)
	e.copyChunk = int64(cmp.Or(c.Copy.Chunk, tool.DefaultCopyChunk))
	e.connect()
	e.setArrivals()
	e.setProtocols()
	if e.multi {
		e.endpoint.Shared = 1
	}
	return e
}
