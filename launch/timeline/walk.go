package timeline

import "strings"

// walker goes through the records of one process.
type walker struct {
	*builder
	index   int
	defs    map[uint32][]definition
	pending map[uint32]*operation // by request
	inits   map[uint32]operation  // what the start of a persistent request begins
	taken   map[uint32]*operation // messages that a probe has matched, by their handles
	parent  map[int]int           // the last event of each thread
	counts  map[int]int           // collective operations of each object so far
}

var groups = [kinds]Group{kindCall: Other, kindSend: Send, kindRecv: Receive, kindSendInit: persistent,
	kindRecvInit: persistent, kindMatched: Receive, kindTake: Receive, kindCollective: Collective,
	kindAccess: OneSided, kindData: Data, kindPoll: Polling}

// record takes one record in.
func (w *walker) record(r *record) {
	if r.isCall() {
		w.call(r)
		return
	}
	event, ok := w.parent[r.thread]
	if !ok {
		return
	}
	switch r.kind {
	case kindAlsoRecv:
		o := w.operation(r, event)
		o.send = false
		w.begin(o, r.request)
	case kindDone:
		for _, q := range r.list() {
			if o := w.pending[q]; o != nil {
				o.done = event
			}
		}
	case kindStarted:
		for _, q := range r.list() {
			if o, ok := w.inits[q]; ok {
				o.event, o.done = event, -1
				w.begin(&o, q)
			}
		}
	case kindStatus:
		if o := w.pending[r.request]; o != nil && !o.send && o.collective == 0 {
			o.peer, o.tag = r.peer, r.tag
			o.failed = o.failed || r.flags&flagFailed != 0
		}
	}
}

// countBack has collective operations be counted from the end: the last one of an object that a process has
// come out of is number -1.
func (w *walker) countBack() {
	for i := range w.files[w.index].records {
		r := &w.files[w.index].records[i]
		if r.kind != kindCollective || r.flags&(flagFailed|flagEnded) != flagEnded {
			continue
		}
		if o, known := w.object(r); known {
			w.counts[o.id]--
		}
	}
}

// call adds the event of a call, and what the call begins.
func (w *walker) call(r *record) {
	if r.thread == kept {
		w.inits[r.request] = *w.operation(r, -1)
		return
	}
	e := Event{Name: calls[r.call], Group: groups[r.kind], Process: w.index, Thread: r.thread,
		Begin: r.beginTime,
		End:   max(r.endTime, r.beginTime), Peer: unknownRank, For: unknownRank, Tag: -1, Calls: 1,
		Unfinished: r.flags&flagEnded == 0, Failed: r.flags&flagFailed != 0}
	e.Inside = e.End - e.Begin
	event := len(w.run.Events)
	w.parent[r.thread] = event
	o := w.operation(r, event)
	switch r.kind {
	case kindSend, kindRecv:
		w.begin(o, r.request)
	case kindSendInit, kindRecvInit:
		w.inits[r.request] = *o
	case kindMatched:
		w.taken[r.request] = o
		w.all = append(w.all, o)
	case kindTake:
		if m := w.taken[r.object]; m != nil { // its place in the order is that of the probe
			m.event, m.done, m.failed = event, event, o.failed
			if r.request != 0 {
				m.done = -1
				w.pending[r.request] = m
			}
			o = m
		}
	case kindCollective:
		if o.known && !o.failed {
			key := instanceKey{o.object.id, w.counts[o.object.id]}
			w.counts[o.object.id]++
			if w.instances[key] == 0 {
				w.instances[key] = len(w.instances) + 1
			}
			o.collective = w.instances[key]
			e.Instance = o.collective
			w.begin(o, r.request)
		}
	case kindPoll:
		e.Calls, e.Inside, r.bytes = int(r.extra), int64(r.bytes), 0
	}
	if r.kind != kindCall && r.kind != kindPoll && r.kind != kindMatched {
		e.Bytes = int64(r.bytes)
		e.Peer = w.member(w.index, o.object, o.peer)
	}
	if e.Peer >= 0 && (e.Group == Send || e.Group == Receive || e.Group == persistent) {
		e.Tag = int(o.tag)
	}
	w.run.Events = append(w.run.Events, e)
}

// operation is what a record says of an operation.
func (w *walker) operation(r *record, event int) *operation {
	o := &operation{send: r.kind == kindSend || r.kind == kindSendInit, process: w.index,
		event: event, done: event,
		peer: r.peer, tag: r.tag, bytes: int64(r.bytes), parts: r.flags&flagPartitioned != 0,
		failed: r.flags&flagFailed != 0}
	o.object, o.known = w.object(r)
	return o
}

// begin adds an operation, which a request completes later if there is one.
func (w *walker) begin(o *operation, request uint32) {
	if request != 0 {
		w.pending[request] = o
		o.done = -1
	}
	w.all = append(w.all, o)
}

// object is what the handle of a record means at its time.
func (w *walker) object(r *record) (object, bool) {
	list := w.defs[r.object]
	if r.object == 0 || len(list) == 0 {
		return object{}, false
	}
	best := list[0]
	for _, d := range list[1:] {
		if d.begin <= r.begin {
			best = d
		}
	}
	return best.object, true
}

// Who waits in a collective operation, and for whom.
const (
	forAll  = iota // everybody for the last one
	forRoot        // everybody for the root
	atRoot         // the root for the last one
	forNone
)

// waiting is how data flow in a collective operation.
func waiting(name string) int {
	name = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "MPI_"), "_c"))
	switch strings.TrimPrefix(name, "i") {
	case "bcast", "scatter", "scatterv":
		return forRoot
	case "reduce", "gather", "gatherv":
		return atRoot
	case "scan", "exscan":
		return forNone
	}
	return forAll
}

// waits finds who was late in collective operations.
func (b *builder) waits() {
	parts := make([][]*operation, len(b.instances)+1)
	for _, o := range b.all {
		parts[o.collective] = append(parts[o.collective], o)
	}
	for _, part := range parts[1:] {
		b.late(part)
	}
}

func (b *builder) late(part []*operation) {
	events := b.run.Events
	last, root := part[0], unknownRank
	rootBegin := int64(0)
	for _, o := range part {
		if events[o.event].Begin > events[last.event].Begin {
			last = o
		}
		if events[o.event].Name != events[part[0].event].Name {
			return // they do not fit together
		}
		if r := b.member(o.process, o.object, o.peer); r >= 0 {
			root = r
		}
	}
	for _, o := range part {
		if o.process == root {
			rootBegin = events[o.event].Begin
		}
	}
	for _, o := range part {
		if o.done < 0 {
			continue
		}
		switch waiting(events[o.event].Name) {
		case forAll:
			events[o.done].wait(events[last.event].Begin, last.process, LateCollective)
		case atRoot:
			if o.process == root {
				events[o.done].wait(events[last.event].Begin, last.process, LateCollective)
			}
		case forRoot:
			events[o.done].wait(rootBegin, root, LateCollective)
		}
	}
}
