package coll

import (
	"math"
	"slices"

	"gompi/runtime/coll/node"
	"gompi/runtime/collseg"
	"gompi/runtime/tool"
)

// Row is a line of the table of algorithms, as people read it.
type Row struct {
	Operation string
	Place     string
	From, To  int64 // bytes; To is math.MaxInt64 where there is no bound
	Algorithm string
	Why       string
}

// Host is where the operations go that a table tells of.
type Host struct {
	Ranks int
	Cores int // of each node
	Pins  tool.Pins
}

// Places of a table.
var places = []struct {
	name string
	at   place
}{
	{"node", onNode | messages}, {"node, nonblocking", onNodeNbc | messages}, {"nodes", onNodes | messages},
	{"messages", messages}, {"groups", across},
}

// forms are those of the operations that have several.
var forms = []struct {
	suffix string
	uneven bool
}{{"", false}, {"v", true}}

// Table is the algorithms of all operations on a host, by operation, place and size. The data has no gaps,
// the operations of reductions commute, and where there are several nodes, these are two with half of the
// ranks each.
func Table(h Host) []Row {
	var table []Row
	for o := range tool.Operations {
		for _, f := range forms {
			if f.uneven && !slices.ContainsFunc(rules[o], func(r rule) bool { return r.form == unevenForm }) {
				continue
			}
			for _, p := range places {
				if o == tool.Neighbor && p.at&onNode != 0 {
					p.at = onNodeNbc | messages // blocking operations are begun and waited for
				}
				q := h.question(o, p.at)
				q.uneven = f.uneven
				table = append(table, h.rows(q, o.String()+f.suffix, p.name)...)
			}
		}
	}
	return table
}

// question is that of an operation on the host.
func (h *Host) question(o tool.Operation, at place) question {
	q := question{op: o, at: at, ranks: h.Ranks,
		contiguous: true, dense: true, element: 1, elements: math.MaxInt64, oneNode: at&onNodes == 0,
		perCore: 1, single: true, evenNodes: h.Ranks%2 == 0, nodeSize: h.Ranks / 2}
	if h.Cores > 0 {
		q.perCore = (h.Ranks + h.Cores - 1) / h.Cores
	}
	q.roomy = q.perCore == 1
	if at&onNodes != 0 && h.Ranks&(h.Ranks-1) != 0 && reduces(o) {
		q.at &^= messages
	}
	return q
}

// reduces reports whether an operation combines in the tree of the package.
func reduces(o tool.Operation) bool {
	return o == tool.Reduce || o == tool.Allreduce || o == tool.ReduceScatter
}

// rows is the rows of one operation in one place.
func (h *Host) rows(q question, name, place string) []Row {
	var list []Row
	for _, from := range q.borders() {
		q.bytes = from
		r := q.rule(h.Pins[q.op])
		if r.at&q.at == 0 {
			continue // there is no such operation
		}
		row := Row{name, place, from, math.MaxInt64, r.by.String(), r.why}
		switch c := q.choose(h.Pins[q.op]); {
		case c.Single == node.Quicker:
			row.Algorithm += " or single_copy"
			row.Why += "; whichever is found to be quicker"
		case c.Single == node.Always:
			row.Algorithm = tool.SingleCopy.String()
			row.Why = "data is read out of its owner's memory"
		}
		if h.Pins[q.op] != tool.Alone {
			if row.Why += "; no choice of the user's"; r.pinned(h.Pins[q.op]) {
				row.Why = "chosen by the user"
			}
		}
		if n := len(list); n > 0 {
			last := &list[n-1]
			if last.Algorithm == row.Algorithm && last.Why == row.Why {
				continue
			}
			last.To = from - 1
		}
		list = append(list, row)
	}
	return list
}

// borders are the sizes at which something may change, in order.
func (q *question) borders() []int64 {
	at := []int64{0, collseg.LeastSingle + 1}
	for i := range rules[q.op] {
		r := &rules[q.op][i]
		at = append(at, r.least)
		if most := r.bound(q); most < math.MaxInt64 {
			at = append(at, most+1)
		}
	}
	if q.perCore > 1 { // measures, combinedAtRoot
		at = append(at, leastCrowded+1, int64(q.perCore)*atRootMost/int64(q.ranks)+1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}
