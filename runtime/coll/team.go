package coll

import (
	"gompi/runtime/coll/node"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/tool"
)

// Team is one rank's part in one collective operation: an operation is a method, which chooses how it goes.
type Team struct {
	*schedule.Exchange
	operation *node.Operation // that is written down, if it is
	question  question        // the last one
	how       node.Choice     // how the part that is carried out goes
}

// join begins a blocking operation. The communicator keeps its Team from one to the next.
func join(c *comm.Comm, tag int) *Team {
	t, ok := c.Team.(*Team)
	if !ok {
		x := schedule.NewExchange(c, tag)
		t = &Team{Exchange: &x}
		t.Note(c.SamePins())
		return t
	}
	c.Team, t.Tag = nil, tag
	return t
}

// segment is the coll segment through which the operation goes; nil when it goes by messages. The answer is
// the same on all ranks.
func (t *Team) segment() *collseg.Segment {
	if t.Plan != nil || t.Dead || t.Comm.Inter() {
		return nil
	}
	return segmentOf(t.Comm)
}

// group is the ranks of the node, as has been chosen.
func (t *Team) group() node.Group {
	return node.NewGroup(t.Exchange, t.segment(), t.how, allreduceGoesToRoot)
}

// cross has further messages go to the other group of an intercommunicator, until home.
func (t *Team) cross() {
	t.CountAlgorithm(tool.Across)
	t.Exchange.Cross()
}

// finish ends a blocking operation: it gives back the memory that it used, and returns its first failure.
func (t *Team) finish() error {
	t.Release()
	err := t.Err
	t.Failure, t.Plan, t.Algorithm = schedule.Failure{}, nil, tool.Alone
	t.Comm.Team = t
	return err
}

// close ends and counts a blocking operation, which was refused if err is not nil.
func (t *Team) close(err error) error {
	if err != nil {
		t.finish()
		return err
	}
	t.Comm.Count(t.Operation, t.Algorithm)
	return t.finish()
}
