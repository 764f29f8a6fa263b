package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/tool"
)

// The tags of blocking operations. One each, so that ranks that do not call the same operation never take
// each other's data for their own. Between the groups of an intercommunicator the tag behind is used.
const (
	tagBarrier = 2 * (iota + 1)
	tagBcast
	tagReduce
	tagAllreduce
	tagGather
	tagScatter
	tagAllgather
	tagAlltoall
	tagReduceScatter
	tagScan
	tagExscan
	tagNeighbor
	tagOpen
	tagOpenBoard
	tagReuse
	tagAgree
	firstSerialTag // of the operations whose messages may be under way together with those of others
)

// Team is one rank's part in one collective operation: an operation is a method, which chooses how it goes,
// and so is each algorithm by messages that is an operation's alone.
type Team struct {
	exchange
	op        tool.Operation
	question  question       // the last one
	how       choice         // how the part that is carried out goes
	algorithm tool.Algorithm // of the whole operation; tool.Alone as long as nothing was communicated
}

func newTeam(c *comm.Comm, tag int) Team {
	x := &c.Coll
	return Team{exchange: exchange{c: c, e: c.Engine(), context: x, rank: x.Rank, size: x.Size, tag: tag}}
}

// join begins a blocking operation. The communicator keeps its Team from one to the next.
func join(c *comm.Comm, tag int) *Team {
	t, ok := c.Team.(*Team)
	if !ok {
		t = new(Team)
		*t = newTeam(c, tag)
		t.note(c.SamePins())
		return t
	}
	c.Team, t.tag = nil, tag
	return t
}

// segment is the coll segment through which the operation goes; nil when it goes by messages. The answer is
// the same on all ranks.
func (t *Team) segment() *collseg.Segment {
	if t.plan != nil || t.dead || t.c.Inter() {
		return nil
	}
	return segmentOf(t.c)
}

// cross has further messages go to the other group of an intercommunicator, until home.
func (t *Team) cross() {
	t.countAlgorithm(tool.Across)
	t.exchange.cross()
}

// finish ends a blocking operation: it gives back the memory that it used, and returns its first failure.
func (t *Team) finish() error {
	t.release()
	err := t.err
	t.failure, t.plan, t.algorithm = failure{}, nil, tool.Alone
	t.c.Team = t
	return err
}

// close ends and counts a blocking operation, which was refused if err is not nil.
func (t *Team) close(err error) error {
	if err != nil {
		t.finish()
		return err
	}
	t.c.Count(t.op, t.algorithm)
	return t.finish()
}

// countAlgorithm notes by which algorithm the operation is to be counted. Of one that is made of others, that
// came first which is made of them. A single rank needs none.
func (t *Team) countAlgorithm(a tool.Algorithm) {
	if t.algorithm == tool.Alone && (t.size > 1 || t.c.Inter()) {
		t.algorithm = a
	}
}
