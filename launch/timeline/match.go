package timeline

import (
	"cmp"
	"slices"
)

// object is a communicator or window: what its ranks are in the world.
type object struct {
	id      int // the same on all its ranks
	members []int32
}

// objectKey is what ranks agree on.
type objectKey struct {
	world   int
	members uint64
	ordinal int32
}

// definition says what a handle means from some time on.
type definition struct {
	begin uint64
	object
}

// operation is a message or collective operation that one process takes part in.
type operation struct {
	send       bool
	collective int // instance, 0 for a message
	process    int
	event      int // that began it
	done       int // that ended it, -1 when none did
	peer, tag  int32
	object     object
	known      bool // object is
	bytes      int64
	parts      bool
	failed     bool
}

// channel is where messages keep their order.
type channel struct {
	object, from, to int
	tag              int32
	parts            bool
}

// instanceKey counts collective operations.
type instanceKey struct{ object, number int }

// builder makes a run of files.
type builder struct {
	run       Run
	files     []*file
	ids       map[objectKey]int
	at        map[[2]int]int // world and rank: process
	instances map[instanceKey]int
	all       []*operation
	cut       bool // some process has lost its first records
}

// read makes a run of the records. Calls that have not ended last until the time over. An error may come with
// a run of the processes whose records could be read.
func read(data []byte, over uint64) (*Run, error) {
	files, err := parse(data)
	b := &builder{files: files, ids: map[objectKey]int{}, at: map[[2]int]int{},
		instances: map[instanceKey]int{}}
	setTimes(files, int64(over))
	for i, f := range files {
		b.run.Processes = append(b.run.Processes, f.process)
		b.at[[2]int{f.process.World, f.process.Rank}] = i
		b.cut = b.cut || f.process.Lost > 0
	}
	for i := range files {
		b.process(i)
	}
	b.match()
	b.waits()
	return &b.run, err
}

// definitions are the objects of a process by their handles, each by time.
func (b *builder) definitions(f *file) map[uint32][]definition {
	defs := map[uint32][]definition{}
	last := map[int]uint32{} // of a thread
	for i := range f.records {
		r := &f.records[i]
		switch r.kind {
		case kindGroup:
			key := objectKey{f.process.World, r.end, r.tag}
			if b.ids[key] == 0 {
				b.ids[key] = len(b.ids) + 1
			}
			defs[r.object] = append(defs[r.object], definition{r.begin, object{id: b.ids[key]}})
			last[r.thread] = r.object
		case kindMembers:
			if list := defs[last[r.thread]]; len(list) > 0 {
				d := &list[len(list)-1]
				for _, w := range r.list() {
					d.members = append(d.members, int32(w))
				}
			}
		}
	}
	return defs
}

// process makes the events and operations of one process.
func (b *builder) process(index int) {
	f := b.files[index]
	w := &walker{builder: b, index: index, defs: b.definitions(f), pending: map[uint32]*operation{},
		inits: map[uint32]operation{}, taken: map[uint32]*operation{}, parent: map[int]int{},
		counts: map[int]int{}}
	if b.cut {
		w.countBack()
	}
	for i := range f.records {
		w.record(&f.records[i])
	}
}

// member is the process that a rank of an object is, or -1.
func (b *builder) member(process int, o object, rank int32) int {
	if rank < 0 || int(rank) >= len(o.members) {
		return unknownRank
	}
	if p, ok := b.at[[2]int{b.run.Processes[process].World, int(o.members[rank])}]; ok {
		return p
	}
	return unknownRank
}

// match joins sends and receives: between two ranks, messages of one communicator and tag are received in the
// order of their receives, and that is the order of their sends.
func (b *builder) match() {
	sends, receives := map[channel][]*operation{}, map[channel][]*operation{}
	for _, o := range b.all {
		if o.collective != 0 || o.failed || !o.known || o.tag < 0 {
			continue
		}
		peer := b.member(o.process, o.object, o.peer)
		if peer < 0 {
			continue
		}
		if o.send {
			c := channel{o.object.id, o.process, peer, o.tag, o.parts}
			sends[c] = append(sends[c], o)
		} else {
			c := channel{o.object.id, peer, o.process, o.tag, o.parts}
			receives[c] = append(receives[c], o)
		}
	}
	for c, list := range receives {
		first := 0 // the receive of the first send
		if b.lost(c.from) || b.lost(c.to) {
			first = b.fromEnd(sends[c], list)
		}
		for i, send := range sends[c] {
			if at := i + first; at >= 0 && at < len(list) {
				b.join(send, list[at])
			}
		}
	}
	slices.SortFunc(b.run.Messages, func(x, y Message) int {
		return cmp.Or(cmp.Compare(x.Begin, y.Begin), cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
	})
}

func (b *builder) lost(process int) bool { return b.run.Processes[process].Lost > 0 }

// fromEnd is the place, among the receives of a channel, of that of the first send, where the beginnings of
// both are not known: so that the last ones belong together and, as some messages may not have been received,
// no receive ends before its send begins.
func (b *builder) fromEnd(sends, receives []*operation) int {
	const tries = 256
	events := b.run.Events
	done := len(receives)
	for done > 0 && (receives[done-1].done < 0 || events[receives[done-1].done].Unfinished) {
		done--
	}
	first := done - len(sends)
	early := func() bool {
		for i, send := range sends {
			at := i + first
			if at >= 0 && at < done && events[receives[at].done].End < events[send.event].Begin {
				return true
			}
		}
		return false
	}
	for k := 0; k < tries && early(); k++ {
		first++
	}
	return first
}

// join makes a message, and finds which side waited for the other.
func (b *builder) join(send, receive *operation) {
	events := b.run.Events
	begun, posted := &events[send.event], &events[receive.event]
	at := receive.event
	if receive.done >= 0 {
		at = receive.done
	}
	end := &events[at]
	b.run.Messages = append(b.run.Messages, Message{From: send.event, To: at, Sender: send.process,
		Target: receive.process, Begin: begun.Begin, End: max(end.End-1, end.Begin), Bytes: send.bytes,
		Tag: int(send.tag)})
	posted.Peer, posted.Tag = send.process, int(send.tag)
	if posted.Group == Receive {
		posted.Bytes = send.bytes
	}
	end.wait(begun.Begin, send.process, LateSender)
	if send.done >= 0 {
		events[send.done].wait(posted.Begin, receive.process, LateReceiver)
	}
}

// wait notes that the call could not end before a time. Of several reasons the last one counts.
func (e *Event) wait(until int64, cause int, why string) {
	if until <= e.Begin || until > e.End || e.Calls != 1 || until-e.Begin <= e.Wait || cause == e.Process {
		return
	}
	e.Wait, e.For, e.Why = until-e.Begin, cause, why
}
