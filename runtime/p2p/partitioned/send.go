package partitioned

import (
	"fmt"
	"slices"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/shm"
	"gompi/wire/state"
)

// send is a partitioned send.
type send struct {
	space *Space
	to    p2p.Context
	offer *offer // nil with MPI_PROC_NULL
	buf   datatype.Buffer
	// the packed data, each partition from the time it is ready, where partitions begin within an element;
	// nil in all other cases
	staged []byte
	dst    int
	ready  []bool
	left   int     // partitions that are not ready
	apart  bool    // in this round each partition is a message of its own
	parts  uintptr // fast.Parts; 0 as long as the fast engine has not needed them
}

// SendInit makes a partitioned send of b, whose elements are dealt out evenly (MPI_Psend_init, MPI 5.0,
// 4.2.1). It is inactive until it is started.
func (q *Space) SendInit(x *p2p.Context, b datatype.Buffer, partitions,
	dst, tag int) (*request.Request, error) {
	if err := shm.Afford(int64(partitions)); err != nil {
		return nil, mpierr.Memory(err)
	}
	s := &send{space: q, to: partitionsOf(x), buf: b, dst: dst, ready: make([]bool, partitions)}
	r, err := q.engine.Ops.Prepare(s, x.ID)
	if err != nil || dst == p2p.ProcNull {
		return r, err
	}
	q.engine.Lock()
	defer q.engine.Unlock()
	o := &offer{key: match.Key{Ctx: x.ID, Src: int32(x.Rank), Tag: int32(tag)}, peer: x.Peers.Of(dst),
		bytes: b.Bytes(), parts: uint32(partitions)}
	var ok bool
	if o.base, ok = q.reserve(s, o.parts); !ok {
		q.engine.Pool.Put(r)
		return nil, mpierr.New(mpierr.ErrNoMem, "there are not %d numbers for partitions left: a rank has %d", partitions, tags)
	}
	s.offer = o
	q.notify(offered, o)
	return r, nil
}

// Start implements request.Starter.
func (s *send) Start(*request.Request) error {
	clear(s.ready)
	s.left = len(s.ready)
	s.apart = s.offer != nil && !s.offer.whole()
	if s.offer != nil && !s.offer.valid {
		s.offer.valid = true
		s.space.notify(validated, s.offer)
	}
	return nil
}

// Advance implements request.Operation: there is nothing to begin but what Ready begins, unless somebody
// polls while some partitions are ready and others are not. The first message says then that they come one
// by one.
func (s *send) Advance(r *request.Request) (bool, error) {
	if s.offer != nil && !s.apart && s.left > 0 && s.left < len(s.ready) {
		s.apart = true
		s.space.engine.Ops.Unwatch(r)
		s.space.engine.Ops.PartSend(r, &s.to, datatype.Raw(0, 0), s.dst, int(s.offer.base))
		for i, ready := range s.ready {
			if ready {
				s.sendPartition(r, i)
			}
		}
	}
	return s.left == 0, nil
}

// Settle implements p2p.Resident.
func (s *send) Settle(t *fast.Request) bool {
	node := fast.Nobody
	if o := s.offer; o != nil {
		node = s.space.engine.NodeRank(o.peer)
		if node == fast.NoRequest || o.peer == s.space.me || !o.small() || !s.buf.Contiguous() {
			return false
		}
		t.Tag, t.Size, t.Buf = int32(o.base), uint64(o.bytes), s.buf.Start()
	}
	if s.parts == 0 {
		if s.parts = fast.NewParts(uint32(len(s.ready))); s.parts == 0 {
			return false
		}
	}
	t.Flags |= fast.Partitioned | fast.Sends
	t.Ctx, t.Src, t.Self, t.Peer, t.Order = s.to.ID, int32(s.to.Rank), int32(s.to.Rank), node, uint64(s.parts)
	return true
}

// TakeUp implements p2p.Resident.
func (s *send) TakeUp(r *request.Request, state uint32, _ *fast.CollRequest) {
	p := fast.PartsAt(s.parts)
	s.apart, s.left = false, int(p.Left)
	for i := range s.ready {
		s.ready[i] = p.IsReady(uint32(i))
	}
	if r.Done = state == fast.Sent; !r.Done && s.offer != nil && s.left < len(s.ready) {
		s.space.engine.Ops.Watch(r)
	}
}

// Partner implements p2p.Pairwise.
func (s *send) Partner() (kind request.Kind, k match.Key, peer int) {
	if s.offer == nil {
		return request.Send, match.Key{Ctx: s.to.ID}, -1
	}
	return request.Send, s.offer.key, s.offer.peer
}

// Describe implements p2p.Describer: it waits for its partitions to be ready or, when all are, for the
// receiver.
func (s *send) Describe(n *state.Need) {
	n.Kind, n.Peer = state.Send, int32(s.dst)
	n.Bytes, n.Count, n.Type = s.buf.Bytes(), s.buf.Count, s.buf.Type.Name()
	if s.offer != nil {
		n.Tag = s.offer.key.Tag
	}
	if s.left > 0 {
		n.Kind = state.Partition
		n.Text = fmt.Sprintf("MPI_Pready of partition %d", slices.Index(s.ready, false))
		if s.left > 1 {
			n.Text += fmt.Sprintf(" and %d more", s.left-1)
		}
	}
}

// Release implements request.Releaser.
func (s *send) Release() {
	if s.parts != 0 {
		fast.FreeParts(s.parts)
	}
	if s.offer == nil {
		return
	}
	delete(s.space.sends, s)
	if !s.offer.valid {
		s.space.notify(retracted, s.offer)
	}
}

// Ready says that partitions low to high of a partitioned send hold their data (MPI_Pready and
// MPI_Pready_range, MPI 5.0, 4.2.1). If one of them cannot be ready, none is taken to be so.
func (q *Space) Ready(r *request.Request, low, high int) error {
	q.engine.Enter() // small partitions go without a wait, in which a failure would be heard of
	defer q.engine.Unlock()
	s, err := sending(r)
	if err != nil {
		return err
	}
	for i := low; i <= high; i++ {
		if err := s.mayBeReady(i); err != nil {
			return err
		}
	}
	for i := low; i <= high; i++ {
		s.take(r, i)
	}
	s.settled(r)
	return nil
}

// ReadyList is Ready for a list of n partitions (MPI_Pready_list, MPI 5.0, 4.2.1).
func (q *Space) ReadyList(r *request.Request, n int, at func(int) int) error {
	q.engine.Enter()
	defer q.engine.Unlock()
	s, err := sending(r)
	if err != nil {
		return err
	}
	for i := range n {
		if err := s.mayBeReady(at(i)); err != nil {
			for j := range i {
				s.ready[at(j)] = false
			}
			return err
		}
		s.ready[at(i)] = true // so that one that comes twice is found
	}
	for i := range n {
		s.take(r, at(i))
	}
	if n > 0 {
		s.settled(r)
	}
	return nil
}

func sending(r *request.Request) (*send, error) {
	s, ok := request.Behind(r.Op).(*send)
	switch {
	case !ok:
		return nil, mpierr.New(mpierr.ErrRequest, "the request is not a partitioned send")
	case !r.Active:
		return nil, mpierr.New(mpierr.ErrRequest, "the partitioned send is not active: it has to be started first")
	}
	return s, nil
}

func (s *send) mayBeReady(i int) error {
	switch {
	case i < 0 || i >= len(s.ready):
		return noPartition(i, len(s.ready))
	case s.ready[i]:
		return mpierr.New(mpierr.ErrArg, "partition %d has been marked as ready already since the request was started", i)
	}
	return nil
}

func noPartition(i, n int) error {
	return mpierr.New(mpierr.ErrArg, "partition is %d, must be from 0 to %d", i, n-1)
}

// take takes note that partition i is ready. settled has to follow.
func (s *send) take(r *request.Request, i int) {
	s.ready[i] = true
	s.left--
	if s.apart && !r.Done { // unless a failure has ended it
		s.sendPartition(r, i)
	}
}

// sendPartition sends partition i, as a message of its own.
func (s *send) sendPartition(r *request.Request, i int) {
	r.Left++ // so that messages that go at once do not end r here
	tag := (s.offer.base + uint32(i)) % tags
	s.space.engine.Ops.PartSend(r, &s.to, s.partition(i), s.dst, int(tag))
	r.Left--
}

// settled follows when partitions have become ready. r ends with the last one.
func (s *send) settled(r *request.Request) {
	switch ops := &s.space.engine.Ops; {
	case r.Done:
	case s.left == 0:
		if s.offer != nil && !s.apart {
			r.Left++
			ops.PartSend(r, &s.to, s.buf, s.dst, int(s.offer.base))
			r.Left--
		}
		ops.Resume(r)
	case s.offer != nil && !s.apart && s.left < len(s.ready):
		ops.Watch(r) // the next poll has them go one by one
	}
}
