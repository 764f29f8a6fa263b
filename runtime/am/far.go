package am

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
	"gompi/wire/state"
)

// far is what a window has for ranks that only packets reach.
type far struct {
	w           *Window
	ctx         uint32
	ranks       []remote
	blocks      []uint64 // instead of the blocks of far ranks
	near, first int      // ranks that share the allocation, and the lowest of them
	expected    bool     // messages may come
	base        uint64   // what displacements of others count from here: 0 in dynamic windows

	early []*call // questions that flushAll waits for

	mu    shm.Mutex // guards the two below
	calls []*call
	idle  []uint32

	// Under the engine's lock:
	message Message
	late    []late // messages that have to wait
	answers []*answer
}

// remote is what this rank knows of one that may be far.
type remote struct {
	away  bool
	peer  int          // of the engine
	dirty atomic.Bool  // operations of this rank have gone there since it was last flushed
	sent  atomic.Int64 // bytes of them

	// Where one thread at a time calls, of epochs of locks:
	issued int   // operations that have gone there since the last flush
	usual  int   // as many, between the two flushes before
	early  *call // whether they are done, asked by the operation of that number

	// Under the engine's lock:
	late    int // messages of the rank that have to wait here
	failure mpierr.Class
}

// Words of the block of a far rank, which this process alone writes; fast.BlockFence is the first one.
const (
	blockZero = 64  // stays 0, for what is asked of near ranks alone
	blockOwn  = 128 // this rank's line at the far one
	blockSize = 256
)

// separate finds the far ranks of a window; nil when there are none.
func separate(w *Window, peer func(rank int) (number int, near bool)) *far {
	f := &far{w: w, first: -1, ranks: make([]remote, w.Size())}
	for r := range f.ranks {
		number, near := peer(r)
		f.ranks[r].away, f.ranks[r].peer = !near, number
		if near {
			f.near++
			if f.first < 0 {
				f.first = r
			}
		}
	}
	if f.near == w.Size() {
		return nil
	}
	f.blocks = make([]uint64, w.Size()*blockSize/8)
	f.message.window, f.message.Memory = w, make([]shm.Piece, 0, maxRuns)
	return f
}

// Far reports whether the window has ranks that only packets reach: the C stubs, which know nothing of
// packets, are not to know it.
func (w *Window) Far() bool { return w.far != nil }

// Away reports whether a rank is far.
func (w *Window) Away(rank int) bool { return w.far != nil && w.far.ranks[rank].away }

// Sharers is the number of ranks that share the allocation, and the lowest of them.
func (w *Window) Sharers() (n, first int) {
	if w.far == nil {
		return w.Size(), 0
	}
	return w.far.near, w.far.first
}

// SetContext says in which context the messages of far ranks go, before any of them can send one.
func (w *Window) SetContext(ctx uint32) { w.far.ctx = ctx }

// Broken is why no epoch of the window can be ended, as its far ranks cannot be reached; nil when it can.
func (w *Window) Broken() error {
	if w.far == nil {
		return nil
	}
	return w.Engine.BrokenIn(w.far.ctx)
}

// FillFar fills in where the words of a far rank stand.
func (w *Window) FillFar(rank int) {
	t, at := &w.Targets[rank], shm.AddressOf(&w.far.blocks[rank*blockSize/8])
	zero := shm.Word32(at + blockZero)
	t.Bell, t.Inside = zero, zero
	t.Block, t.Own, t.Line = at, shm.Word32(at+blockOwn), w.Line(w.me, rank)
}

// Expect has the messages of far ranks taken from now on. What they say of memory counts from base.
func (w *Window) Expect(base uintptr) {
	w.far.base = uint64(base)
	w.worker.expect(w.far)
}

// call is something that far ranks are asked for, as long as it is not answered.
type call struct {
	number uint32
	window *Window
	rank   int          // that was asked, -1 for several
	kind   uint32       // of the message, for a report; 0 for operations
	open   atomic.Int32 // answers that are missing
	result datatype.Buffer
	err    error
}

// Ready implements p2p.Condition.
func (c *call) Ready() bool { return c.open.Load() == 0 }

// Group implements p2p.Grouped.
func (c *call) Group() (name string, g *group.Group) { return c.window.Identity() }

// Describe implements p2p.Describer.
func (c *call) Describe(n *state.Need) {
	n.Kind, n.Text = state.Window, "the end of operations at"
	if c.kind == Lock {
		n.Kind, n.Text = state.WindowLock, "the lock of"
	}
	if c.rank >= 0 {
		n.Absent = []int32{int32(c.rank)}
	}
}

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
	c.rank, c.kind, c.result, c.err = rank, 0, result, nil
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
func (f *far) wait(c *call) error { return f.w.Engine.WaitIn(f.ctx, c) }

// ask tells a rank something that is answered, and waits for that.
func (f *far) ask(rank int, kind uint32, word, bytes uint64) error {
	c := f.begin(rank, datatype.Buffer{})
	c.kind = kind
	c.open.Add(1)
	err := f.tell(rank, kind, word, bytes, c.number)
	if err == nil {
		err = f.wait(c)
	}
	return f.end(c, err)
}

// Ask sends a far rank a message about a word, or about so many bytes at an address, and waits for the
// answer.
func (w *Window) Ask(rank int, kind uint32, word, bytes uint64) error {
	return w.far.ask(rank, kind, word, bytes)
}

// Tell sends a far rank a message about a word and returns when it is on its way.
func (w *Window) Tell(rank int, kind uint32, word uint64) error {
	err := w.far.tell(rank, kind, word, 0, 0)
	if err == nil && (kind == Fence || kind == Completed) { // the rank comes to it when all before is done
		w.far.flushed(rank)
	}
	return err
}

// TellAll tells all far ranks.
func (w *Window) TellAll(kind uint32, word uint64) {
	for r := 0; w.far != nil && r < len(w.Peers); r++ {
		if w.far.ranks[r].away {
			_ = w.Tell(r, kind, word) // who cannot be told is not waited for either
		}
	}
}

// Answer answers a call of a rank that brings no data. The engine's lock is held.
func (w *Window) Answer(to int, call uint32, class mpierr.Class) {
	w.Engine.AM.PostNotice(w.far.ranks[to].peer, w.far.replyHeader(call, 0, class, true))
}
