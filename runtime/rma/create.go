package rma

import (
	"encoding/binary"
	"runtime"

	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/shm"
)

// Windows are made collectively. Every rank says what it brings, in one allgather; all draw the
// same conclusions from that; rank 0 makes the allocation and tells the others where it is; everybody
// maps what it needs, and a second allgather says whether all of them could. A rank that was called
// with bad arguments says so in the first, so nobody waits for it.

// Kinds of the memory that a rank brings.
const (
	noMemoryYet = iota // the window has it allocated, or there is none
	inAllocation
	private
)

// offer is what a rank brings to a new window.
type offer struct {
	class int64 // of the error with which the rank was called; 0 if there was none
	size  int64
	unit  int64
	kind  int64
	addr  int64 // where the memory begins in the rank's address space
	// inAllocation: the allocation that it lies in, that one's size and the memory's distance from its begin
	off        int64
	allocation int64
	delta      int64
	deaf       int64 // 1: there is a rank whose private memory this rank cannot reach by single copy
	apart      int64 // 1: parts of allocated shared memory may lie apart (hint alloc_shared_noncontig)
	align      int64 // of allocated memory
}

const offerWords = 11

func (o *offer) words() [offerWords]*int64 {
	return [...]*int64{&o.class, &o.size, &o.unit, &o.kind, &o.addr, &o.off, &o.allocation, &o.delta, &o.deaf,
		&o.apart, &o.align}
}

// plan is a window in the making.
type plan struct {
	comm   *comm.Comm
	flavor Flavor
	origin string
	offer  offer
	failed error // with which this rank was called
	given  *info.Info
}

// Create makes a window of memory that each rank has: size bytes at base (MPI_Win_create, MPI 5.0, 12.2.1).
func (s *Space) Create(c *comm.Comm, base uintptr, size, unit int64, given *info.Info) (*Window, error) {
	p := &plan{comm: c, flavor: Create, origin: "MPI_Win_create", given: given}
	p.size(size, unit)
	p.offer.addr = int64(base)
	if size > 0 {
		switch r, ok := s.Find(base, size); {
		case ok:
			p.offer.kind, p.offer.off, p.offer.allocation, p.offer.delta = inAllocation, r.Off, r.Size,
				int64(base-r.Base)
		case base == 0:
			p.refuse(mpierr.ErrBase, "base is NULL, but size is %d", size)
		default:
			p.offer.kind = private
		}
	}
	return s.make(p)
}

// Allocate makes a window of new memory, size bytes of this rank (MPI_Win_allocate, MPI 5.0, 12.2.2).
func (s *Space) Allocate(c *comm.Comm, size, unit int64, given *info.Info) (*Window, error) {
	p := &plan{comm: c, flavor: Allocate, origin: "MPI_Win_allocate", given: given}
	p.size(size, unit)
	return s.make(p)
}

// AllocateShared makes a window of new memory that all ranks have mapped (MPI_Win_allocate_shared,
// MPI 5.0, 12.2.3).
func (s *Space) AllocateShared(c *comm.Comm, size, unit int64, given *info.Info) (*Window, error) {
	p := &plan{comm: c, flavor: Shared, origin: "MPI_Win_allocate_shared", given: given}
	p.size(size, unit)
	return s.make(p)
}

// CreateDynamic makes a window without memory, to which ranks attach some (MPI_Win_create_dynamic,
// MPI 5.0, 12.2.4).
func (s *Space) CreateDynamic(c *comm.Comm, given *info.Info) (*Window, error) {
	return s.make(&plan{comm: c, flavor: Dynamic, origin: "MPI_Win_create_dynamic", given: given, offer: offer{unit: 1}})
}

func (p *plan) refuse(class mpierr.Class, format string, args ...any) {
	if p.failed == nil {
		p.failed = mpierr.New(class, format, args...)
		p.offer.class = int64(class)
	}
}

func (p *plan) size(size, unit int64) {
	p.offer.size, p.offer.unit = size, unit
	if size < 0 {
		p.refuse(mpierr.ErrSize, "size is %d, must not be negative", size)
	}
	if unit <= 0 {
		p.refuse(mpierr.ErrDisp, "disp_unit is %d, must be positive", unit)
	}
}

// make carries a plan out, on all ranks of its communicator.
func (s *Space) make(p *plan) (*Window, error) {
	c := p.comm
	if c.Inter() {
		return nil, mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator", c.Label())
	}
	if err := c.Recovery.Whole(); err != nil {
		return nil, err
	}
	w := newWindow(s, c, p.flavor)
	w.Kind, w.Origin = object.Win, p.origin
	if w.Far() && p.flavor == Shared {
		return nil, mpierr.New(mpierr.ErrRMAShared, "the ranks of communicator %q are on several nodes or of several jobs; those that can share memory are in one that MPI_Comm_split_type with MPI_COMM_TYPE_SHARED gives", c.Label())
	}
	w.SetHints(p.given)
	p.offer.align = min(Alignment(p.given), shm.PageSize)
	if v, _ := w.Hint("alloc_shared_noncontig"); v == "true" {
		p.offer.apart = 1
	}
	if p.flavor == Create || p.flavor == Dynamic {
		// A rank can be reached once it is there.
		if err := coll.Barrier(c); err != nil {
			return nil, err
		}
		for r := range w.Size() {
			if w.Away(r) {
				continue
			}
			if s.written(w.Group().Of(r)) == nil {
				p.offer.deaf = 1
			}
		}
	}
	offers, err := p.exchange()
	if err != nil {
		return nil, err
	}
	layout := lay(w, offers)
	if w.Desc, err = fast.NewWindow(s.config.Engine.Endpoint(), w.Size()); err != nil {
		err = mpierr.Memory(err)
	} else {
		w.Targets = w.Desc.All()
	}
	if e := w.share(c, layout.total); err == nil {
		err = e
	}
	if w.Far() {
		if e := w.openFar(c); err == nil {
			err = e
		}
	}
	if err == nil {
		err = w.connect(offers, &layout)
	}
	if err = coll.FailTogether(c, err, "make its part of the window"); err != nil {
		w.abandon()
		return nil, err
	}
	if w.program.Size > 0 {
		s.Insert(w.program)
	}
	w.Enable()
	s.enroll(w)
	return w, nil
}

// exchange tells all ranks what each brings. It fails when some rank was called with bad arguments.
func (p *plan) exchange() ([]offer, error) {
	n := p.comm.Size()
	own, all := make([]byte, offerWords*8), make([]byte, n*offerWords*8)
	for i, word := range p.offer.words() {
		binary.NativeEndian.PutUint64(own[8*i:], uint64(*word))
	}
	err := coll.Allgather(p.comm, raw(own), raw(all[:len(own)]))
	runtime.KeepAlive(own)
	if err != nil {
		return nil, err
	}
	offers := make([]offer, n)
	for r := range offers {
		for i, word := range offers[r].words() {
			*word = int64(binary.NativeEndian.Uint64(all[8*(r*offerWords+i):]))
		}
	}
	if p.failed != nil {
		return nil, p.failed
	}
	for r := range offers {
		if offers[r].class != 0 {
			return nil, mpierr.New(mpierr.Class(offers[r].class), "rank %d has called %s with a wrong argument", r, p.origin)
		}
	}
	return offers, nil
}

// abandon gives back what a window has that could not be made.
func (w *Window) abandon() {
	w.close()
	w.memory.abandon()
	if w.Desc != nil {
		w.Desc.Free()
	}
}

// openFar makes the context of the messages of far ranks.
func (w *Window) openFar(c *comm.Comm) (err error) {
	if w.far, err = w.space.config.Comms.DupBare(c, w.Origin); err == nil {
		w.SetContext(w.far.P2P.ID)
	}
	return err
}

// written is the process of a rank by which the kernel copies from and to its memory; nil where it must not
// be written to.
func (s *Space) written(job int) *shm.Process {
	if p := s.config.Engine.Reach(job); p != nil && p.Kept {
		return p
	}
	return nil
}
