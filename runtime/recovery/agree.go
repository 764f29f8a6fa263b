package recovery

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/wire/state"
)

// Operation is an operation that takes agreements of the living members of a communicator, one after the
// other. All members begin their operations in the same order, also on a communicator that is revoked. It is
// used under the engine's lock.
type Operation struct {
	s *State
	round
	present *agreement
}

// NewOperation makes one, which begins with its first agreement.
func (s *State) NewOperation() Operation { return Operation{s: s} }

// Begun reports whether there has been an agreement.
func (o *Operation) Begun() bool { return o.present != nil }

// Agree begins the next agreement, on words that are combined bit by bit.
func (o *Operation) Agree(words []uint64) {
	l := &o.s.agreements
	if o.Begun() {
		o.turn++
	} else {
		l.begun++
		o.op = l.begun
	}
	o.present = l.find(o.round)
	o.present.begin(o.s, words, o.s.acknowledged())
}

// Outcome is what all have agreed on. As long as they have not it is nil, and the request q will be asked to
// go on. An error says that they never will.
func (o *Operation) Outcome(q *request.Request) (*Ballot, error) {
	a, e := o.present, o.s.handler.Engine
	if a.stage != decided {
		if err := e.Broken(o.s.context); err != nil {
			return nil, err
		}
		e.Ops.Watch(q)
		return nil, nil
	}
	if a.value.losses() {
		o.s.MarkAbandoned()
	}
	return a.value, nil
}

// End ends the operation here.
func (o *Operation) End() { o.s.agreements.end(o.op) }

// Describe implements p2p.Describer. Ranks of an intercommunicator have no names there.
func (o *Operation) Describe(n *state.Need) {
	n.Kind = state.Collective
	if o.present == nil || o.s.inter() {
		return
	}
	for _, m := range o.present.awaited(o.s) {
		n.Absent = append(n.Absent, int32(m))
	}
}

// agreeRequest is MPIX_Comm_iagree.
type agreeRequest struct {
	Operation
	flag  uint64
	store func(flag int)
}

// Iagree begins to agree on the bitwise and of the flags that all living members give, with which store is
// called, under the engine's lock. The request fails with MPIX_ERR_PROC_FAILED, at all members, if some
// member has failed and not all have acknowledged that.
func (s *State) Iagree(flag int, store func(flag int)) (*request.Request, error) {
	o := &agreeRequest{Operation: s.NewOperation(), flag: uint64(uint32(flag)), store: store}
	return s.handler.Engine.Ops.Begin(o, s.context)
}

// MeetLiving waits until all living members have called it.
func (s *State) MeetLiving() error {
	q, err := s.Iagree(0, func(int) {})
	if err == nil {
		err = s.handler.Engine.Wait(q, nil)
	}
	if mpierr.CodeOf(err) == int(mpierr.ErrProcFailed) {
		return nil // who has failed will not come
	}
	return err
}

// Advance implements request.Operation.
func (o *agreeRequest) Advance(q *request.Request) (done bool, err error) {
	if !o.Begun() {
		o.Agree([]uint64{o.flag})
	}
	b, err := o.Outcome(q)
	if b == nil {
		return err != nil, err
	}
	o.End()
	o.store(int(int32(uint32(b.Words[0]))))
	if m := b.unacknowledged(o.s.size()); m >= 0 {
		return true, mpierr.New(mpierr.ErrProcFailed, "%s has failed, and not all ranks have acknowledged that", o.s.title(m))
	}
	return true, nil
}
