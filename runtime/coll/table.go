package coll

import (
	"math"

	"gompi/runtime/coll/node"
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// The table that chooses the algorithm of an operation (rules.go). The choice depends on what is the same on
// all ranks of a correct program, so that nothing has to be agreed on: the number of ranks, where they are,
// and how many bytes each contributes.

// place is where the ranks of an operation are, and how their data can go. An operation may have several.
type place uint8

const (
	onNode    place = 1 << iota // they share memory, and the operation blocks
	onNodeNbc                   // they share memory, and the operation does not block
	onNodes                     // they are on several nodes, whose ranks do their part together
	messages                    // from rank to rank, wherever they are
	across                      // in the two groups of an intercommunicator
)

// question is what the choice depends on.
type question struct {
	op    tool.Operation
	at    place
	bytes int64 // of a broadcast, a block, or a rank's contribution to a reduction; of uneven blocks the mean
	ranks int

	uneven     bool  // v or w form: a rank knows the sizes of its own blocks alone
	elements   int64 // of a contribution to a reduction
	contiguous bool  // that has no gaps,
	dense      bool  // or at least its elements have none
	element    int64 // bytes of one of these

	oneNode    bool // the ranks share a node, with shared memory or without
	perCore    int  // ranks of the node on a core
	single     bool // long data may be read out of its owner's memory
	copyPinned bool // and is so wherever it can
	persistent bool
	roomy      bool // each rank has a core for sure
	evenNodes  bool // nodes have as many ranks each:
	nodeSize   int  // so many
}

// rule is one line of the table: the algorithm for operations up to some size.
type rule struct {
	by   tool.Algorithm
	at   place
	form form
	// long data may be read out of its owner's memory instead
	orSingle bool

	can   func(q *question) bool  // it can only then
	least int64                   // it is right from so many bytes on,
	most  func(q *question) int64 // up to so many,
	when  func(q *question) bool  // and then; nil says nothing
	why   string
}

// form is which forms of an operation a rule is for.
type form uint8

const (
	anyForm form = iota
	evenForm
	unevenForm
)

// fits reports whether an operation could go by the rule.
func (r *rule) fits(q *question) bool {
	return r.at&q.at != 0 && (r.form == anyForm || (r.form == unevenForm) == q.uneven) &&
		(r.can == nil || r.can(q))
}

// suits reports whether it should, if it could.
func (r *rule) suits(q *question) bool {
	return q.bytes >= r.least && (r.most == nil || q.bytes <= r.most(q)) && (r.when == nil || r.when(q))
}

// bound is the largest size for which it may be right.
func (r *rule) bound(q *question) int64 {
	if r.most == nil {
		return math.MaxInt64
	}
	return r.most(q)
}

// choose is the algorithm for an operation, which a user has pinned unless pin is tool.Alone. Where the
// pinned algorithm cannot do it, it goes as if none were.
func (q *question) choose(pin tool.Algorithm) node.Choice {
	r := q.rule(pin)
	c := node.Choice{By: r.by}
	switch {
	case !r.orSingle || !q.single:
	case pin == tool.SingleCopy:
		c.Single = node.Always
	case pin == tool.Alone && q.measures(r):
		c.Single = node.Quicker
	}
	return c
}

// rule is the line of the table for an operation. The last one of each place is for all operations.
func (q *question) rule(pin tool.Algorithm) *rule {
	list := rules[q.op]
	for i := 0; i < len(list) && pin != tool.Alone; i++ {
		if r := &list[i]; r.pinned(pin) && r.fits(q) && (pin != tool.SingleCopy || r.suits(q)) {
			return r
		}
	}
	for i := range list {
		if r := &list[i]; r.at&q.at != 0 && r.suits(q) && r.fits(q) {
			return r
		}
	}
	return &list[len(list)-1]
}

// pinned reports whether a pin is for the rule.
func (r *rule) pinned(pin tool.Algorithm) bool {
	switch pin {
	case tool.Alone:
		return false
	case tool.Cells:
		return r.by == tool.Cells || r.by == tool.NbcCells
	case tool.SingleCopy:
		return r.orSingle
	}
	return r.by == pin
}

// leastCrowded is the size in bytes up to which nothing is measured in operations with a root where ranks
// share cores: one rank waits for its turn or lets others wait, and a measurement costs another turn.
const leastCrowded = 64 << 10

// measures reports whether the quicker route of the data is taken, the one of the rule or single copies.
func (q *question) measures(r *rule) bool {
	if q.bytes <= collseg.LeastSingle {
		return false
	}
	if q.perCore <= 1 || q.copyPinned {
		return true
	}
	if rooted(q.op) {
		return q.bytes > leastCrowded
	}
	return r.by != tool.Cells
}

// rooted reports whether one rank of an operation has all data, or gets it.
func rooted(o tool.Operation) bool {
	switch o {
	case tool.Bcast, tool.Gather, tool.Scatter, tool.Reduce:
		return true
	}
	return false
}

// atOnce is the largest size of an operation that goes through cells at once and in no other way; 0 for none.
func (q *question) atOnce(pin tool.Algorithm) int64 {
	if pin != tool.Alone && pin != tool.Cells {
		return 0
	}
	q.bytes = 0
	for _, r := range rules[q.op] {
		if !r.fits(q) || !r.pinned(tool.Cells) {
			continue
		}
		most := r.bound(q)
		if q.bytes = most; r.orSingle && q.single && pin == tool.Alone && q.measures(&r) {
			most = min(most, collseg.LeastSingle)
		}
		return most
	}
	return 0
}

// asked is a question that belongs to the operation.
func (t *Team) asked(q question) *question {
	t.question = q
	return &t.question
}

// ask is the question how an operation goes within the group, with the places that there are for it. It lasts
// until the next one.
func (t *Team) ask(o tool.Operation, bytes int64) *question {
	q := t.asked(question{op: o, bytes: bytes, ranks: t.Size, at: messages, perCore: 1})
	if a := t.segment(); a != nil {
		q.within(a)
		return q
	}
	if p := t.nbcComm(); p != nil {
		q.at |= onNodeNbc
		q.persistent, q.roomy = t.operation.Persistent, p.Roomy()
	}
	q.over(t.Comm.Layout())
	q.oneNode = t.Comm.OnOneNode()
	return q
}

// askUneven is ask for a v or w form.
func (t *Team) askUneven(o tool.Operation, bytes int64) *question {
	q := t.ask(o, bytes)
	q.uneven = true
	return q
}

// asking is ask for a reduction of what b is like. Where an operation does not commute, the ranks of nodes
// may only combine theirs first if no other rank comes between them. Where the tree of all ranks is another
// one than that over nodes, a reduction goes over nodes.
func (t *Team) asking(kind tool.Operation, b datatype.Buffer, o *op.Op) *question {
	q := t.ask(kind, b.Bytes())
	q.elements, q.element, q.dense, q.contiguous = b.Count, b.Type.Size(), b.Type.Dense(), b.Contiguous()
	scan := kind == tool.Scan || kind == tool.Exscan
	if scan {
		q.contiguous = q.dense
	}
	switch l := t.Comm.Layout(); {
	case l == nil:
	case !l.Straight && (scan || !o.Commutative()):
		q.at &^= onNodes
	case !scan && !oneTree(l):
		q.at &^= messages
	}
	return q
}

// oneTree reports whether the tree over nodes is that of all ranks.
func oneTree(l *comm.Layout) bool {
	return l.Straight && l.Even && l.Count()&(l.Count()-1) == 0 && l.Size(0)&(l.Size(0)-1) == 0
}

// within has the operation go through a coll segment.
func (q *question) within(a *collseg.Segment) {
	q.at |= onNode
	q.oneNode, q.perCore, q.single, q.copyPinned = true, a.PerCore(), a.Chooses(), a.Pinned()
}

// over has it go over the nodes of a layout, if there is one.
func (q *question) over(l *comm.Layout) {
	if l != nil {
		q.at |= onNodes
		q.evenNodes, q.nodeSize = l.Even, l.Size(0)
	}
}

// choose is how an operation goes, or a part of it.
func (t *Team) choose(q *question) node.Choice {
	t.how = q.choose(t.Comm.Pins()[q.op])
	if t.how.By == tool.NbcCells && !t.operation.Reserve(t.nbcComm()) {
		q.at &^= onNodeNbc
		t.how = q.choose(t.Comm.Pins()[q.op])
	}
	return t.how
}
