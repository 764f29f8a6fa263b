package partitioned

import (
	"fmt"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/shm"
	"gompi/wire/state"
)

// receive is a partitioned receive.
type receive struct {
	space    *Space
	r        *request.Request
	key      match.Key // of the offers that it takes
	to       p2p.Context
	from     *offer // nil as long as there is none
	null     bool   // from MPI_PROC_NULL
	buf      datatype.Buffer
	each     int64 // size of a partition in bytes
	sections []section
	left     []int64 // by partition: bytes still to come
	// by partition: messages still to come of those that have no data for it, if it gets none at all
	awaited []int32
	started bool
	// in this round:
	begun bool  // something was posted
	took  int64 // size of the message that may hold all; negative as long as it has not come
	apart bool  // each partition of the sender is a message of its own
}

// RecvInit makes a partitioned receive into b (MPI_Precv_init, MPI 5.0, 4.2.1). It is inactive until it is
// started.
func (q *Space) RecvInit(x *p2p.Context, b datatype.Buffer, partitions,
	src, tag int) (*request.Request, error) {
	if err := shm.Afford(8 * int64(partitions)); err != nil {
		return nil, mpierr.Memory(err)
	}
	s := &receive{space: q, to: partitionsOf(x), null: src == p2p.ProcNull, buf: b,
		key:  match.Key{Ctx: x.ID, Src: int32(src), Tag: int32(tag)},
		each: b.Bytes() / int64(partitions), left: make([]int64, partitions)}
	r, err := q.engine.Ops.Prepare(s, x.ID)
	if err != nil || s.null {
		return r, err
	}
	q.engine.Lock()
	defer q.engine.Unlock()
	s.r = r
	q.want(s)
	return r, nil
}

// Start implements request.Starter.
func (s *receive) Start(*request.Request) error {
	s.started, s.begun, s.took, s.apart = true, false, -1, false
	return nil
}

// Partner implements p2p.Pairwise.
func (s *receive) Partner() (kind request.Kind, k match.Key, peer int) {
	if s.null {
		return request.Send, s.key, -1
	}
	return request.Recv, s.key, -1
}

// Describe implements p2p.Describer.
func (s *receive) Describe(n *state.Need) {
	n.Kind, n.Comm, n.Peer, n.Tag = state.Receive, s.key.Ctx, s.key.Src, s.key.Tag
	n.Bytes, n.Count, n.Type = s.buf.Bytes(), s.buf.Count, s.buf.Type.Name()
}

// Advance implements request.Operation: it begins all receives once it is known from which operation.
func (s *receive) Advance(r *request.Request) (bool, error) {
	switch {
	case s.null:
		r.Status = request.Status{Source: p2p.ProcNull, Tag: p2p.AnyTag}
		return true, nil
	case s.begun && s.took < 0:
		return false, nil
	case s.begun && (s.took > 0 || r.Err != nil):
		return true, nil
	case s.begun:
		return true, s.divideAndPost(r)
	case s.from == nil || !s.from.valid:
		return false, nil
	}
	s.begun = true
	all := min(s.from.bytes, s.buf.Bytes())
	r.Status = request.Status{Source: s.key.Src, Tag: s.key.Tag, Bytes: all}
	if !s.from.whole() {
		return true, s.divideAndPost(r)
	}
	if !s.buf.Contiguous() {
		if err := shm.Afford(all); err != nil {
			return true, mpierr.Memory(err)
		}
	}
	m := &message{s.section(0, 0, all)}
	s.space.engine.Ops.PartRecv(r, &s.to, m.buffer(), int(s.key.Src), int(s.from.base), m)
	return false, nil
}

// divideAndPost begins the receives of all partitions.
func (s *receive) divideAndPost(r *request.Request) error {
	s.apart = true
	if s.from.parts > request.MaxRequests { // each needs a request
		return request.TooMany()
	}
	if s.sections == nil {
		if err := s.divide(); err != nil {
			return err
		}
	}
	for k := range s.left {
		s.left[k] = max(min(r.Status.Bytes-int64(k)*s.each, s.each), 0)
	}
	s.await()
	for i := range s.sections {
		x := &s.sections[i]
		tag := (s.from.base + uint32(i)) % tags
		s.space.engine.Ops.PartRecv(r, &s.to, x.buffer(), int(s.key.Src), int(tag), x)
	}
	return nil
}

// message is the message that holds all of the data, or has none where partitions come one by one.
type message struct{ section }

// Took implements request.Sized.
func (m *message) Took(bytes int64) { m.of.took = bytes }

// Release implements request.Storage.
func (m *message) Release() {
	if m.of.took > 0 {
		m.unpack()
	}
}

// Settle implements p2p.Resident.
func (s *receive) Settle(t *fast.Request) bool {
	o := s.from
	if o == nil || !o.valid || !o.small() || o.bytes > s.buf.Bytes() || !s.buf.Contiguous() ||
		o.peer == s.space.me || s.space.engine.NodeRank(o.peer) == fast.NoRequest {
		return false
	}
	t.Flags |= fast.Partitioned
	t.Ctx, t.Src, t.Tag, t.Self = s.to.ID, s.key.Src, int32(o.base), s.key.Tag
	t.Peer, t.Buf, t.Size = uint32(len(s.left)), s.buf.Start(), uint64(o.bytes)
	return true
}

// TakeUp implements p2p.Resident.
func (s *receive) TakeUp(r *request.Request, state uint32, _ *fast.CollRequest) {
	s.Start(r)
	if r.Done = state == fast.Received; r.Done {
		r.Status = request.Status{Source: s.key.Src, Tag: s.key.Tag, Bytes: s.from.bytes}
	} else {
		s.space.engine.Ops.Resume(r)
	}
}

// await counts what partitions without data wait for: the same share of the sender's partitions as theirs is
// of all, so that equally many on both sides wait for one each.
func (s *receive) await() {
	s.awaited = append(s.awaited[:0], make([]int32, len(s.left))...)
	for i := range s.sections {
		for k := range s.shares(i) {
			if s.left[k] == 0 {
				s.awaited[k]++
			}
		}
	}
}

// shares are the partitions of the receiver that have a share in partition i of the sender, by number.
func (s *receive) shares(i int) func(func(int) bool) {
	parts, own := len(s.sections), len(s.left)
	return func(yield func(int) bool) {
		for k := i * own / parts; k*parts < (i+1)*own && yield(k); k++ {
		}
	}
}

// Release implements request.Storage: the section's data has come.
func (x *section) Release() {
	s := x.of
	for k := range s.shares(x.index) {
		if s.awaited[k] > 0 {
			s.awaited[k]--
		}
	}
	if x.n == 0 {
		return
	}
	x.unpack()
	for at := x.at; at < x.at+x.n; {
		k := at / s.each
		n := min((k+1)*s.each, x.at+x.n) - at
		s.left[k] -= n
		at += n
	}
}

// Release implements request.Releaser.
func (s *receive) Release() {
	if !s.null {
		s.space.leave(s)
	}
	s.r = nil
}

// Arrived reports whether partition i of a partitioned receive has come (MPI_Parrived, MPI 5.0, 4.2.2); of
// one that is inactive all have.
func (q *Space) Arrived(r *request.Request, i int) (bool, error) {
	s, ok := request.Behind(r.Op).(*receive)
	if !ok {
		return false, mpierr.New(mpierr.ErrRequest, "the request is not a partitioned receive")
	}
	if i < 0 || i >= len(s.left) {
		return false, noPartition(i, len(s.left))
	}
	return q.engine.Ask(partition{s, r, i}), nil
}

// partition is the condition that a partition of a receive has come.
type partition struct {
	s *receive
	r *request.Request
	i int
}

// Ready implements p2p.Condition.
func (p partition) Ready() bool {
	return !p.r.Active || p.r.Done || p.s.apart && p.s.left[p.i] == 0 && p.s.awaited[p.i] == 0
}

// Describe implements p2p.Describer.
func (p partition) Describe(n *state.Need) {
	p.s.Describe(n)
	n.Text = fmt.Sprintf("partition %d of ", p.i)
}
