package node

import (
	"sync"

	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/runtime/tool"
)

// Operation is a collective operation written down: steps, and behind them what goes over the nonblocking
// segment. The engine goes on with it whenever its messages have come, and at every poll where it waits for
// what others publish (request.Operation).
type Operation struct {
	schedule.Schedule
	Exchange   schedule.Exchange // that writes it down
	Owner      any               // what those who write it down keep with it
	Persistent bool
	spare      *sync.Pool // where it goes when it is done with

	nbc     Nonblocking
	onNbc   *Comm   // where a row is reserved for it
	numbers []int64 // of blocks
	types   []*datatype.Type
}

// Start goes back to the first step (request.Starter).
func (s *Operation) Start(*request.Request) error {
	s.Rewind()
	s.Exchange.Comm.Count(s.Exchange.Operation, s.algorithm())
	return nil
}

// algorithm is how the operation goes.
func (s *Operation) algorithm() tool.Algorithm {
	if s.nbc.pattern != fast.PatternNone {
		return tool.NbcCells
	}
	return s.Exchange.Algorithm
}

// Begin begins the operation, which is not persistent, and counts it.
func (s *Operation) Begin() (*request.Request, error) {
	c, kind, algorithm := s.Exchange.Comm, s.Exchange.Operation, s.algorithm() // s may be gone soon
	r, err := s.Engine.Ops.Begin(s, c.Coll.ID)
	if err == nil {
		c.Count(kind, algorithm)
	}
	return r, err
}

// Prepare makes a persistent request for the operation, which is inactive until it is started.
func (s *Operation) Prepare() (*request.Request, error) {
	return s.Engine.Ops.Prepare(s, s.Exchange.Comm.Coll.ID)
}

// Advance goes on with the operation up to where it has to wait (request.Operation).
func (s *Operation) Advance(r *request.Request) (done bool, err error) {
	return s.Run(r) && (s.nbc.pattern == fast.PatternNone || s.advanceNbc(r)), nil
}

// Release gives back the memory of the operation (request.Releaser).
func (s *Operation) Release() {
	if s.Persistent && s.onNbc != nil {
		s.onNbc.segment.GiveBack(s.nbc.row)
	}
	s.Clear()
	spare := s.spare
	*s = Operation{Schedule: s.Schedule, Owner: s.Owner, numbers: s.numbers[:0], types: s.types[:0]}
	spare.Put(s)
}

// Write has plan write down an operation on c, under a tag that all ranks know.
func Write(c *comm.Comm, tag int, persistent bool, plan func(s *Operation) error) (*Operation, error) {
	s := blank(c, tag, persistent)
	err := plan(s)
	if err == nil && s.onNbc != nil {
		err = s.onNbc.open(c)
	}
	if err != nil {
		s.Release()
		return nil, err
	}
	s.Fault, s.PartFailed = s.Exchange.Err, s.Exchange.PartFailed
	return s, nil
}

// blank is an operation on c in which nothing is to be done.
func blank(c *comm.Comm, tag int, persistent bool) *Operation {
	s, ok := c.Spare.Get().(*Operation)
	if !ok {
		s = new(Operation)
	}
	s.Engine, s.spare, s.Persistent = c.Engine(), &c.Spare, persistent
	s.Exchange = schedule.NewExchange(c, tag)
	s.Exchange.Plan = &s.Schedule
	return s
}

// Reserve finds the row of the nonblocking segment for the operation; false when no row is left for one that
// is persistent.
func (s *Operation) Reserve(p *Comm) bool {
	s.nbc.row = p.segment.Nonblocking()
	if s.Persistent {
		s.Exchange.Note(p.reuse(p.c))
		row, err := p.segment.Reserve()
		s.Exchange.Note(err)
		s.nbc.row = row
	}
	if s.nbc.row == nil {
		return false
	}
	s.onNbc = p
	return true
}

// Over has the operation go over the nonblocking segment, of which a row is reserved.
func (s *Operation) Over(p fast.Pattern, root int) *Nonblocking {
	s.nbc.pattern, s.nbc.root = p, root
	s.nbc.tag, s.nbc.rank, s.nbc.size = s.Exchange.Tag, s.Exchange.Rank, s.Exchange.Size
	return &s.nbc
}

// Nothing reports whether there is nothing to be done.
func (s *Operation) Nothing() bool { return s.onNbc == nil && s.Empty() }
