package p2p

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Engine carries out all point-to-point communication of one rank.
type Engine struct {
	me    int   // job rank
	size  int   // ranks in the job
	eager int64 // largest message that is sent with its header, in bytes

	peers   []*peer // by number: the job's ranks first
	links   []link  // the node's first
	turn    int     // the link that is asked for a packet next
	farVain uint32  // looks at other nodes in a row that have found nothing
	node    []int   // job rank of each rank of the node
	waiter  transport.Waiter
	bridger transport.Bridger // to other jobs; nil where no link leads there
	bridge  uint8             // the number of its link
	touched byte              // by readable
	lender  transport.Lender  // nil where no link sends from the program's memory
	flusher transport.Flusher // nil where no link keeps packets back
	sleeper transport.Sleeper // nil where no link has a place to sleep
	network transport.Network // nil where no link may lose a peer that lives

	Pool request.Pool

	Scratch scratch.Pool // memory of operations on their way

	small int // unexpected messages that were announced, and might have been eager

	waiters int // threads that wait with sends in flight

	attached map[Owner]*Attached // buffers for messages in buffered mode

	pairs pairing // partitioned operations that look for each other

	flow flow // flow control

	busy    []int // job ranks whose queue is not empty
	wasBusy []int // memory for the next busy

	filling   int                // receives whose data comes in pieces
	copies    []*request.Request // receives of copies that both sides carry out
	stalled   bool               // no piece of one has come since
	flushSoon bool               // a message was read, which took long; what waits for room goes first now
	since     time.Time

	protocols protocols // what is known of the protocols of long messages
	wishes    bool      // which messages are eager is found out; otherwise a setting says it

	copyTimeout time.Duration // for how long this side waits for pieces of one
	copyChunk   int64         // bytes of one that this side copies then before it looks for pieces again

	watched    []*request.Request       // composite requests that every poll goes on with
	deliveries atomic.Pointer[delivery] // composite requests that other threads have done

	server Server // nil as long as others can ask for nothing

	born          time.Time                     // when the engine was made
	count         tool.Counters                 // what the tool interface shows
	events        atomic.Pointer[tool.Recorder] // nil as long as nobody wants events
	eventsPending bool                          // events have been recorded
	delivering    bool                          // somebody is being told of them

	signatures *signatures // nil unless messages are checked

	bridged int // bridges to other jobs

	amHandlers [amRooms]AMHandler // of active messages
	amObjects  int                // objects for which active messages may come at any time

	// Broken is why nothing can be completed in a context any more after a bridge was cut, nil when it can.
	// It is called under the engine's lock, and may be nil as long as there is no bridge.
	Broken func(ctx uint32) error

	// TypeOf is the datatype of the program with a handle, nil when there is none.
	TypeOf func(handle uintptr) *datatype.Type

	endpoint *fast.Endpoint // where posted receives, unexpected messages and full queues are counted

	resumers sync.Map // CollResumer by context

	reporter Report // nil when nobody asks
	asking   asking // what the program polls for
	rankIn   func(ctx uint32, peer int) int32

	fatal func(error) // as in Config

	threads        bool       // MPI_THREAD_MULTIPLE, or GOMPI_PROGRESS_THREAD
	multi          bool       // several threads use the engine
	mu             *shm.Mutex // of the endpoint, because the stubs take it as well
	completed      bool       // under this lock, something that another thread may be asleep for
	progressThread assistant

	mourning
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
	e := &Engine{
		me: c.Rank, size: c.Size, node: c.Node, fatal: c.Fatal,
		links: []link{newLink(c.Net)}, waiter: c.Waiter,
		endpoint: c.Endpoint, multi: c.Multi, threads: c.Multi,
		protocols:   newProtocols(c.Copy.Protocol, c.Copy.Crowded),
		wishes:      c.Eager == 0 && c.Copy.Protocol == 0,
		born:        time.Now(),
		copyTimeout: cmp.Or(c.Copy.Timeout, tool.DefaultCopyTimeout*time.Microsecond),
		copyChunk:   int64(cmp.Or(c.Copy.Chunk, tool.DefaultCopyChunk)),
	}
	e.flow = newFlow(c.Size)
	e.endpoint.MostKept = e.flow.budget
	if c.Check != nil {
		e.signatures = &signatures{Check: *c.Check, of: map[uint32]*signed{}}
	}
	if c.Far != nil {
		e.links = append(e.links, newLink(c.Far))
		e.lender = e.links[1].lender
		e.flusher, _ = c.Far.(transport.Flusher)
		e.sleeper, _ = c.Far.(transport.Sleeper)
		e.network, _ = c.Far.(transport.Network)
	}
	e.peers = newPeers(c.Size, c.Node, e.links, e.endpoint, c.IsFar)
	e.bridger, e.bridge = bridgerOf(e.links)
	e.setEager(int64(cmp.Or(c.Eager, tool.DefaultEager)))
	e.mu = &e.endpoint.Lock
	if e.multi {
		e.endpoint.Shared = 1
	}
	e.Pool.Numbers = numbers{e.endpoint}
	return e
}

// lock and unlock guard the engine at MPI_THREAD_MULTIPLE and are a test of a bool below.
func (e *Engine) lock() {
	if e.multi {
		e.mu.Lock()
	}
}

func (e *Engine) unlock() {
	if e.multi {
		if e.completed {
			e.completed = false
			e.waiter.Wake()
		}
		if atomic.LoadUint32(&e.endpoint.Rest.Word) != 0 {
			e.endRest()
		}
		e.mu.Unlock()
	}
}

// finish completes r. Another thread may be asleep waiting for it.
func (e *Engine) finish(r *request.Request, err error) {
	r.Finish(err)
	switch {
	case r.Kind == request.Send:
		e.endpoint.Sending--
	case r.State == request.Filling:
		e.filling--
	}
	e.completed = true
	if r.Then {
		e.follow(r)
	}
}

// follow does what the end of r brings about: memory of an attached buffer is free again, the request that r
// is a part of may be done, a request that nobody waits for is given back. r is not to be used afterwards.
func (e *Engine) follow(r *request.Request) {
	if r.Storage != nil {
		r.Storage.Release()
	}
	p := r.Parent
	switch {
	case p == nil:
		if r.Orphan {
			e.put(r)
		}
	case p.Kind == request.Composite:
		e.partDone(p, r)
	default:
		if r.Kind == request.Recv || r.Status.Cancelled {
			p.Status = r.Status
		}
		if p.Err == nil {
			p.Err = r.Err
		}
		e.Pool.Put(r)
		if p.Left--; p.Left == 0 {
			e.finish(p, p.Err)
		}
	}
}

// put gives back a request that the user may have been told of.
func (e *Engine) put(r *request.Request) {
	if r.Op != nil {
		if op, ok := r.Op.(request.Releaser); ok {
			op.Release()
		}
	}
	e.Pool.Put(r)
}

// get takes a request from the pool, or says that there is none left.
func (e *Engine) get(kind request.Kind) (*request.Request, error) {
	r := e.Pool.Get(kind)
	if r == nil {
		return e.tooMany()
	}
	return r, nil
}

func (e *Engine) tooMany() (*request.Request, error) {
	return nil, mpierr.New(mpierr.ErrNoMem, "more than %d requests in flight", request.MaxRequests)
}
