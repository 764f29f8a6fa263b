package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/shm"
)

// Partitioned communication (MPI 5.0, chapter 4). Each partition of the sender is a message of its own, in
// contexts that belong to partitioned operations alone, and goes as soon as it is ready. Its tag says to
// which operation and partition it belongs, so the receiver posts a receive for each of them, straight into
// the offset of its data, however it has partitioned its own buffer. Both rounds of an operation and
// operations that were started in another order on the two sides keep apart by themselves: messages with the
// same tag are received in the order sent.

// partitionContexts is added to the context of the user's messages for those of partitions.
const partitionContexts = 1 << 31

// partSend is a partitioned send.
type partSend struct {
	e     *Engine
	to    Context
	offer *offer // nil with MPI_PROC_NULL
	buf   datatype.Buffer
	// the packed data, each partition from the time it is ready, where partitions begin within an element;
	// nil in all other cases
	staged []byte
	dst    int
	ready  []bool
	left   int // partitions that are not ready
}

// PsendInit makes a partitioned send of b, whose elements are dealt out evenly (MPI_Psend_init, MPI 5.0,
// 4.2.1). It is inactive until Start.
func (e *Engine) PsendInit(x *Context, b datatype.Buffer, partitions int,
	dst, tag int) (*request.Request, error) {
	if err := shm.Afford(int64(partitions)); err != nil {
		return nil, mpierr.Memory(err)
	}
	e.lock()
	defer e.unlock()
	s := &partSend{e: e, buf: b, dst: dst, ready: make([]bool, partitions)}
	s.to = Context{ID: x.ID | partitionContexts, Rank: x.Rank, Size: x.Size, Peers: x.Peers}
	r, err := e.composite(s, x.ID)
	if err != nil {
		return nil, err
	}
	r.Plan = new(request.Plan)
	if dst != ProcNull {
		key := match.Key{Ctx: x.ID, Src: int32(x.Rank), Tag: int32(tag)}
		o := &offer{key: key, peer: x.Peers.Of(dst), bytes: b.Bytes(), parts: uint32(partitions)}
		var ok bool
		if o.base, ok = e.pairs.reserve(s, o.parts); !ok {
			e.Pool.Put(r)
			return nil, mpierr.New(mpierr.ErrNoMem, "there are not %d numbers for partitions left: a rank has %d", partitions, tags)
		}
		s.offer = o
		e.notify(offered, s.offer)
	}
	return r, nil
}

// Start implements request.Starter.
func (s *partSend) Start(*request.Request) error {
	clear(s.ready)
	s.left = len(s.ready)
	if s.offer != nil && !s.offer.valid {
		s.offer.valid = true
		s.e.notify(validated, s.offer)
	}
	return nil
}

// Advance implements request.Operation: there is nothing to begin but what Pready begins.
func (s *partSend) Advance(*request.Request) (bool, error) { return s.left == 0, nil }

// partner implements pairwise.
func (s *partSend) partner() (kind request.Kind, k match.Key, peer int) {
	if s.offer == nil {
		return request.Send, match.Key{Ctx: s.to.ID}, -1
	}
	return request.Send, s.offer.key, s.offer.peer
}

// Release implements request.Releaser. It is the engine's own operation and may call it.
func (s *partSend) Release() {
	if s.offer == nil {
		return
	}
	delete(s.e.pairs.sends, s)
	if !s.offer.valid {
		s.e.notify(retracted, s.offer)
	}
}

// Pready says that partitions low to high of a partitioned send hold their data (MPI_Pready and
// MPI_Pready_range, MPI 5.0, 4.2.1). If one of them cannot be ready, none is taken to be so.
func (e *Engine) Pready(r *request.Request, low, high int) error {
	e.lock()
	defer e.unlock()
	e.heed() // small partitions go without a wait, in which a failure would be heard of
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
		e.pready(r, s, i)
	}
	e.preadied(r, s)
	return nil
}

// PreadyList is Pready for a list of n partitions (MPI_Pready_list, MPI 5.0, 4.2.1).
func (e *Engine) PreadyList(r *request.Request, n int, at func(int) int) error {
	e.lock()
	defer e.unlock()
	e.heed() // small partitions go without a wait, in which a failure would be heard of
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
		e.pready(r, s, at(i))
	}
	e.preadied(r, s)
	return nil
}

func sending(r *request.Request) (*partSend, error) {
	s, ok := r.Op.(*partSend)
	switch {
	case !ok:
		return nil, mpierr.New(mpierr.ErrRequest, "the request is not a partitioned send")
	case !r.Active:
		return nil, mpierr.New(mpierr.ErrRequest, "the partitioned send is not active: it has to be started first")
	}
	return s, nil
}

func (s *partSend) mayBeReady(i int) error {
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

// pready sends partition i. preadied has to follow.
func (e *Engine) pready(r *request.Request, s *partSend, i int) {
	s.ready[i] = true
	if s.left--; s.offer == nil || r.Done { // a failure has ended it
		return
	}
	r.Left++ // so that messages that go at once do not end r here
	tag := (s.offer.base + uint32(i)) % tags
	e.PartSend(r, &s.to, s.partition(i), s.dst, int(tag))
	r.Left--
}

// preadied ends r when its last partition is ready.
func (e *Engine) preadied(r *request.Request, s *partSend) {
	if s.left == 0 && !r.Done {
		e.advance(r)
	}
}

// partRecv is a partitioned receive.
type partRecv struct {
	e        *Engine
	r        *request.Request
	key      match.Key // of the offers that it takes
	self     int32
	from     *offer // nil as long as there is none
	null     bool   // from MPI_PROC_NULL
	buf      datatype.Buffer
	each     int64 // size of a partition in bytes
	sections []section
	left     []int64 // by partition: bytes still to come
	// by partition: messages still to come of those that have no data for it, if it gets none at all
	awaited []int32
	started bool
	begun   bool // in this round
}

// PrecvInit makes a partitioned receive into b (MPI_Precv_init, MPI 5.0, 4.2.1). It is inactive until Start.
func (e *Engine) PrecvInit(x *Context, b datatype.Buffer, partitions int,
	src, tag int) (*request.Request, error) {
	if err := shm.Afford(8 * int64(partitions)); err != nil {
		return nil, mpierr.Memory(err)
	}
	e.lock()
	defer e.unlock()
	s := &partRecv{e: e, self: int32(x.Rank), null: src == ProcNull, buf: b,
		each: b.Bytes() / int64(partitions), left: make([]int64, partitions)}
	r, err := e.composite(s, x.ID)
	if err != nil {
		return nil, err
	}
	r.Plan = new(request.Plan)
	s.r, s.key = r, pattern(x, src, tag)
	if !s.null {
		e.pairs.want(s)
	}
	return r, nil
}

// Start implements request.Starter.
func (s *partRecv) Start(*request.Request) error {
	s.started, s.begun = true, false
	return nil
}

// partner implements pairwise.
func (s *partRecv) partner() (kind request.Kind, k match.Key, peer int) {
	if s.null {
		return request.Send, s.key, -1
	}
	return request.Recv, s.key, -1
}

// Advance implements request.Operation: it begins all receives once it is known from which operation.
func (s *partRecv) Advance(r *request.Request) (bool, error) {
	switch {
	case s.null:
		r.Status = procNullStatus
		return true, nil
	case s.begun:
		return true, nil
	case s.from == nil || !s.from.valid:
		return false, nil
	}
	s.begun = true
	if s.from.parts > request.MaxRequests { // each needs a request
		_, err := s.e.tooMany()
		return true, err
	}
	if s.sections == nil {
		if err := s.divide(); err != nil {
			return true, err
		}
	}
	all := min(s.from.bytes, s.buf.Bytes())
	r.Status = request.Status{Source: s.key.Src, Tag: s.key.Tag, Bytes: all}
	for k := range s.left {
		s.left[k] = max(min(all-int64(k)*s.each, s.each), 0)
	}
	s.await()
	for i := range s.sections {
		s.e.receiveSection(r, &s.sections[i], int32((s.from.base+uint32(i))%tags))
	}
	return true, nil
}

// await counts what partitions without data wait for: the same share of the sender's partitions as theirs is
// of all, so that equally many on both sides wait for one each.
func (s *partRecv) await() {
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
func (s *partRecv) shares(i int) func(func(int) bool) {
	parts, own := len(s.sections), len(s.left)
	return func(yield func(int) bool) {
		for k := i * own / parts; k*parts < (i+1)*own && yield(k); k++ {
		}
	}
}

func (e *Engine) receiveSection(p *request.Request, x *section, tag int32) {
	p.Begun++
	if r := e.part(p, request.Recv); r != nil {
		s := x.of
		r.Storage = x
		r.Buf, r.Self, r.Peer = x.buffer(), s.self, -1
		r.Key = match.Key{Ctx: s.key.Ctx | partitionContexts, Src: s.key.Src, Tag: tag}
		e.seek(r)
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
	if x.staged != nil {
		if err := s.buf.UnpackAt(x.at, shm.Address(x.staged), x.n); err != nil && s.r.Err == nil {
			s.r.Err = err
		}
	}
	for at := x.at; at < x.at+x.n; {
		k := at / s.each
		n := min((k+1)*s.each, x.at+x.n) - at
		s.left[k] -= n
		at += n
	}
}

// Release implements request.Releaser. It is the engine's own operation and may call it.
func (s *partRecv) Release() {
	if !s.null {
		s.e.pairs.leave(s.e, s)
	}
	s.r = nil
}

// Parrived reports whether partition i of a partitioned receive has come (MPI_Parrived, MPI 5.0, 4.2.2); of
// one that is inactive all have.
func (e *Engine) Parrived(r *request.Request, i int) (bool, error) {
	e.lock()
	defer e.unlock()
	s, ok := r.Op.(*partRecv)
	if !ok {
		return false, mpierr.New(mpierr.ErrRequest, "the request is not a partitioned receive")
	}
	if i < 0 || i >= len(s.left) {
		return false, noPartition(i, len(s.left))
	}
	c := partition{s, r, i}
	look(e, c)
	if !c.Ready() {
		inVain(e, c)
	}
	return s.arrived(r, i), nil
}

// partition is the condition that a partition of a receive has come.
type partition struct {
	s *partRecv
	r *request.Request
	i int
}

// Ready implements Condition.
func (p partition) Ready() bool { return p.s.arrived(p.r, p.i) }

func (s *partRecv) arrived(r *request.Request, i int) bool {
	return !r.Active || r.Done || s.begun && s.left[i] == 0 && s.awaited[i] == 0
}

// partitioned reports whether r is one that may not be freed while it is under way (MPI 5.0, 4.2).
func partitioned(r *request.Request) bool {
	switch r.Op.(type) {
	case *partSend, *partRecv:
		return true
	}
	return false
}
