package coll

import (
	"gompi/runtime/coll/node"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/request"
)

// Operations that do not block, and persistent ones, are written down as they would be carried out.

// Begin starts a nonblocking operation on c: what plan does to a Team, such as calling Team.Allreduce.
func Begin(c *comm.Comm, plan func(t *Team) error) (*request.Request, error) {
	s, err := written(c, false, plan)
	if err != nil {
		return nil, err
	}
	return s.Begin()
}

// Prepare makes a persistent request for an operation on c (MPI 5.0, 6.13). It is inactive until it is
// started.
func Prepare(c *comm.Comm, plan func(t *Team) error) (*request.Request, error) {
	s, err := written(c, true, plan)
	if err != nil {
		return nil, err
	}
	return s.Prepare()
}

// written is an operation on c that is written down. plan calls one method of Team that is an operation.
func written(c *comm.Comm, persistent bool, plan func(t *Team) error) (*node.Operation, error) {
	n := c.Serial()
	s, err := writtenUnder(c, schedule.TagOf(n), persistent, plan)
	if err != nil {
		c.Unserial(n)
	}
	return s, err
}

// writtenUnder is written for an operation with a tag that all ranks know.
func writtenUnder(c *comm.Comm, tag int, persistent bool, plan func(t *Team) error) (*node.Operation, error) {
	s, err := node.Write(c, tag, persistent, func(s *node.Operation) error {
		t, ok := s.Owner.(*Team)
		if !ok {
			t = new(Team)
			s.Owner = t
		}
		*t = Team{Exchange: &s.Exchange, operation: s}
		return plan(t)
	})
	if err == nil && s.Nothing() {
		offerEmpty(c)
	}
	return s, err
}
