package mpi

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"gompi/runtime/check"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/rma"
	"gompi/runtime/tool"
)

// GOMPI_CHECK: what each call of the program notes, and who looks at it (docs/checks.md). Nothing of this is
// done unless the setting asks for it; the C stubs leave all calls to Go then.

// checks is what is looked for, and the memory that it needs.
type checks struct {
	kinds tool.Check
	check.Reporter
	buffers check.Buffers

	mu       sync.Mutex
	inside   map[int]*noted          // calls under way, by thread
	requests map[uintptr]*tracked    // operations that outlast their call, by handle
	made     map[uintptr]check.Place // calls that have made objects, by handle
	windows  map[*rma.Window]*watched
	memory   map[uintptr]int64 // of MPI_Alloc_mem: its size in bytes, by address
	guards   map[*check.Operation]guarded
	hits     atomic.Uint32 // guards hit that have been told
}

// checking is that of this process; nil when nothing is looked for.
var checking atomic.Pointer[checks]

// openChecks begins to look for what the settings say. The calling thread is in MPI_Init.
func openChecks(kinds tool.Check) {
	if kinds == 0 || checking.Load() != nil {
		return
	}
	k := &checks{kinds: kinds, inside: map[int]*noted{}, requests: map[uintptr]*tracked{},
		made: map[uintptr]check.Place{}, memory: map[uintptr]int64{},
		windows: map[*rma.Window]*watched{}, guards: map[*check.Operation]guarded{}}
	k.Say = func(kind, line string) {
		host.Say(fmt.Sprintf("gompi: %s: %s (GOMPI_CHECK=%s)\n", whoami(), line, kind))
	}
	checking.Store(k)
}

// messageChecks is what the engine is to look for.
func messageChecks() (c p2p.Check) {
	k := checking.Load()
	if k == nil {
		return c
	}
	c.Where = func() string { return k.Spell(k.here()) }
	if k.kinds.Has(tool.CheckBuffers) {
		c.Matched = k.matched
	}
	return c
}

// noted is what a call under way has told of itself.
type noted struct {
	*checks
	place    check.Place
	thread   int
	outer    *noted // the call of the same thread whose function of the program's makes this one
	reducing bool   // it runs a reduction function of the program's

	comm       *comm.Comm
	peers      []string // "to rank 1", "from MPI_ANY_SOURCE"
	tags       []int64
	noDest     bool   // the destination is MPI_PROC_NULL
	noSource   bool   // the source is
	receives   bool   // point-to-point
	data       string // "100 MPI_INT"
	buffered   []check.Use
	parts      *partitionedSend
	operation  *check.Operation
	inPlace    bool // MPI_IN_PLACE was passed
	root       int  // of a collective operation, if rooted
	rooted     bool
	reduction  *op.Op                     // of a collective operation; nil if there is none
	blocksOf   map[string]datatype.Buffer // buffers by name: of collective operations, the block of one rank
	held       bool                       // the operation lasts until its target is synchronized
	window     bool                       // the call has one
	accessing  *accessing                 // of a request-based operation of one; nil otherwise
	within     func()                     // tells of an overlap within the operation; nil when there is none
	request    uintptr                    // address of the handle that the call returns; 0 for none
	persistent bool                       // the operation is started by other calls
}

// Enter begins a call. What asks in vain takes its Act back.
func (a *Args) Enter() {
	if l := library.Load(); l != nil {
		l.process.Endpoint.Act()
		if e := l.process.Engine; e.FarDue() {
			e.Attend()
		}
	}
	if e := records.Load(); e != nil && e.HasRetired() {
		e.EndRetired(retire)
	}
	if k := checking.Load(); k != nil {
		a.noted = k.enter(a.called())
	}
}

func (k *checks) enter(name string) *noted {
	n := &noted{checks: k, place: check.Place{Function: name, PC: host.CalledFrom()}, thread: threadID()}
	k.unguardHit()
	k.mu.Lock()
	n.outer = k.inside[n.thread]
	k.inside[n.thread] = n
	k.mu.Unlock()
	if l := library.Load(); l != nil && k.kinds.Has(tool.CheckThreads) {
		n.allowed(l)
	}
	return n
}

// leave ends the call with the code that it returns.
func (n *noted) leave(rc int32) {
	if n.operation != nil {
		n.settle(rc)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.outer != nil {
		n.inside[n.thread] = n.outer
	} else {
		delete(n.inside, n.thread)
	}
}

// call is what the calling thread is in; nil when nothing is looked for.
func call() *noted {
	k := checking.Load()
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.inside[threadID()]
}

// here is the place of the call that the calling thread is in.
func (k *checks) here() check.Place {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n := k.inside[threadID()]; n != nil {
		return n.place
	}
	return check.Place{}
}

// peer notes the other side of a message.
func (n *noted) peer(way string, rank int64) {
	switch {
	case rank == p2p.ProcNull:
		n.noDest, n.noSource = n.noDest || way == "to", n.noSource || way == "from"
		n.peers = append(n.peers, way+" MPI_PROC_NULL")
	case rank == p2p.AnySource:
		n.peers = append(n.peers, way+" MPI_ANY_SOURCE")
	default:
		n.peers = append(n.peers, fmt.Sprintf("%s rank %d", way, rank))
	}
	n.receives = n.receives || way == "from"
}

// text spells the arguments of the call.
func (n *noted) text(data string) string {
	parts := []string{}
	if data != "" {
		parts = append(parts, data)
	}
	for i, p := range n.peers {
		if i < len(n.tags) && n.tags[i] == p2p.AnyTag {
			p += " with MPI_ANY_TAG"
		} else if i < len(n.tags) {
			p += fmt.Sprintf(" with tag %d", n.tags[i])
		}
		parts = append(parts, p)
	}
	if n.comm != nil {
		parts = append(parts, "on "+n.comm.Label())
	}
	return strings.Join(parts, " ")
}
