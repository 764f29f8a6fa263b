package rma

import (
	"maps"
	"sync/atomic"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Ranks of a window on other nodes, and those of other jobs, have no memory in common with this one: they are
// far. What a rank wants of a far one it says in active messages by packets (package p2p), and the far rank's
// progress engine does it:
//
//	put, get, accumulate, swap  the operations; runs of memory are listed in front of the data
//	check                       whether memory is attached to a dynamic window
//	flush                       to be answered when everything that came before is done
//	lock, unlock                a ticket of the far rank's own lock, behind those of the ranks near to
//	                            it; it answers when the ticket is named
//	fence, posted, completed    how often the sender has come to a fence, exposed its memory to the
//	                            receiver, ended accesses to it
//	answer                      what was asked for
//
// Packets of two ranks arrive in the order in which they were sent, and are carried out in it: so a fence or
// a completion says that all operations before it are done, and one flush settles any number of operations.
// What has to wait, because somebody holds the guard, is queued, and everything behind it of the same
// origin (late). An origin that has sent settleEach bytes waits until they are done, which bounds that. The
// answer to a lock is waited for, although what comes behind it could do that at the target: a rank that
// takes the next lock before it has this one can deadlock with others that take them in the same order.
//
// Programs flush in a rhythm. The operation that was the last one before the last flush of its target asks
// what a flush would, with its own packet; when a flush comes next, it finds the question under way, and when
// not, nothing is lost but an answer.
//
// The counters that far ranks tell stand where those of near ones are read: instead of a far rank's block
// there is a small one of this process's own. So fences, exposures and locks are waited for in the same
// way, whoever it is.

// What a packet is about, in p2p.AMHeader.What.
const (
	sayNothing int32 = iota // the origin could not read its data
	sayPut
	sayGet
	sayAccumulate
	saySwap
	sayCheck
	sayFlush
	sayLock
	sayUnlock
	sayFence
	sayPosted
	sayCompleted
	sayAnswer
)

// settleEach is how many bytes of puts and accumulates an origin sends to one target before it waits until
// they are done; each packet counts as packetCost bytes more, which is what one that has to wait takes beside
// its body.
const (
	settleEach = 2 << 20
	packetCost = 128
)

// far is the side of a window that has far ranks.
type far struct {
	w         *Window
	comm      *comm.Comm // a duplicate, for its context and so that its connections stay
	ctx       uint32
	ranks     []remote
	blocks    []uint64 // instead of the blocks of far ranks
	near      int      // ranks that share the allocation
	first     int      // the lowest of them
	attending bool
	base      uint64 // what displacements of others count from here: 0 in dynamic windows

	asked []*call // questions that flushAll waits for

	mu    shm.Mutex // guards the two below
	calls []*call
	idle  []uint32

	// Under the engine's lock:
	list    []shm.Piece // room for runs
	waiting []waiter    // for this rank's lock, in the order of their tickets
	late    []late      // what has to wait for the guard
	notes   []*note
	answers []*answer
}

// remote is what this rank knows of one that may be far.
type remote struct {
	away  bool
	peer  int          // of the engine
	dirty atomic.Bool  // operations of this rank have gone there since it was last settled
	sent  atomic.Int64 // bytes of them

	// Where one thread at a time calls, of epochs of locks:
	issued int   // operations that have gone there since the last flush
	usual  int   // as many, between the two flushes before
	asked  *call // whether they are done, by the operation of that number

	// Under the engine's lock:
	late    int // packets of the rank that have to wait here
	failure mpierr.Class
}

// Words of the block of a far rank, which this process alone writes; WinFence is the first one.
const (
	blockZero = 64  // stays 0, for what is asked of near ranks alone
	blockOwn  = 128 // this rank's line at the far one
	blockSize = 256
)

// separate finds the far ranks of a window's communicator; nil when there are none.
func separate(w *Window, c *comm.Comm) *far {
	f := &far{w: w, first: -1, ranks: make([]remote, w.n)}
	for r := range f.ranks {
		f.ranks[r].away, f.ranks[r].peer = !c.Near(r), c.Coll.Peers.Of(r)
		if !f.ranks[r].away {
			f.near++
			if f.first < 0 {
				f.first = r
			}
		}
	}
	if f.near == w.n {
		return nil
	}
	return f
}

// open prepares a window for far ranks, before any of them can send something.
func (f *far) open(s *Space, c *comm.Comm) error {
	d, err := s.comms.DupBare(c, f.w.Origin)
	if err != nil {
		return err
	}
	f.comm, f.ctx = d, d.P2P.ID
	f.list = make([]shm.Piece, 0, maxRuns)
	f.blocks = make([]uint64, f.w.n*blockSize/8)
	return nil
}

// close ends that. No active message for the window is under way any more.
func (f *far) close() {
	s := f.w.space
	if f.comm == nil {
		return
	}
	if f.attending {
		s.mu.Lock()
		all := maps.Clone(*s.fars.Load())
		delete(all, f.ctx)
		s.fars.Store(&all)
		s.mu.Unlock()
		s.engine.AM.Expect(-1)
	}
	s.comms.Free(f.comm)
}

// attend has the active messages of far ranks taken from now on.
func (f *far) attend() {
	s := f.w.space
	s.mu.Lock()
	all := map[uint32]*far{f.ctx: f}
	if old := s.fars.Load(); old != nil {
		maps.Copy(all, *old)
	}
	s.fars.Store(&all)
	s.mu.Unlock()
	s.engine.AM.Expect(1)
	f.attending = true
}

// block is where the words of a far rank stand.
func (f *far) block(rank int) uintptr { return shm.AddressOf(&f.blocks[rank*blockSize/8]) }

// fill fills in what the window's description says of a far rank.
func (f *far) fill(rank int, t *fast.Target, o *offer) {
	p, at := &f.w.peers[rank], f.block(rank)
	zero := shm.Word32(at + blockZero)
	p.bell = shm.BellAt(zero)
	t.Unit, t.Size = o.unit, uint64(o.size)
	t.Limit, t.Bell, t.Inside = uint64(o.size/o.unit), zero, zero
	t.Block, t.Own, t.Line = at, shm.Word32(at+blockOwn), f.w.line(f.w.me, rank)
}

// call is something that far ranks are asked for, as long as it is not answered.
type call struct {
	number uint32
	window *Window
	rank   int          // that was asked, -1 for several
	what   int32        // for a report; 0 for the end of operations
	open   atomic.Int32 // answers that are missing
	result datatype.Buffer
	err    error
}

// Ready implements p2p.Condition.
func (c *call) Ready() bool { return c.open.Load() == 0 }

// room is how many bytes the answers can bring.
func (c *call) room() uint64 {
	if c.result.Type == nil {
		return 0
	}
	return uint64(c.result.Bytes())
}

// begin makes a call of a rank whose answers bring the data of a buffer, if any.
func (f *far) begin(rank int, result datatype.Buffer) *call {
	f.mu.Lock()
	var c *call
	if n := len(f.idle); n > 0 {
		c = f.calls[f.idle[n-1]-1]
		f.idle = f.idle[:n-1]
	} else {
		c = &call{number: uint32(len(f.calls) + 1), window: f.w}
		f.calls = append(f.calls, c)
	}
	f.mu.Unlock()
	c.rank, c.what, c.result, c.err = rank, 0, result, nil
	return c
}

// end gives it back, with its error. A call that has answers missing, because the window is broken, is never
// used again.
func (f *far) end(c *call, err error) error {
	if err == nil {
		err = c.err
	}
	if c.open.Load() == 0 {
		c.result = datatype.Buffer{}
		f.mu.Lock()
		f.idle = append(f.idle, c.number)
		f.mu.Unlock()
	}
	return err
}

func (f *far) call(number uint32) *call {
	f.mu.Lock()
	defer f.mu.Unlock()
	if number-1 >= uint32(len(f.calls)) {
		return nil
	}
	return f.calls[number-1]
}

// wait waits for the answers to a call.
func (f *far) wait(c *call) error { return f.w.space.engine.WaitIn(f.ctx, c) }
