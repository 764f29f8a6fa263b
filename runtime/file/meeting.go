package file

import (
	"sync/atomic"

	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/sharedmem"
	"gompi/shm"
)

// Layout of the memory that the ranks of a file share, in bytes. Words of different writers stand
// shm.FalseShare apart.
const (
	pointerWord = 0 // int64 the shared file pointer, in etypes of the view. Added to by all ranks
	firstLane   = shm.FalseShare

	// Of a lane.
	laneArrivals = 0 // uint32 arrivals at meetings, modulo 2^32. Added to by all ranks
	// uint32 number of the last meeting that is over. Written by the last to arrive
	laneReleased = shm.FalseShare
	// resultSize words, its outcome. Written by the last to arrive ahead of laneReleased
	laneResult = laneReleased + 8
	// per rank, two slots of slotSize for alternate meetings. Written by the rank ahead of laneArrivals
	laneSlots = 2 * shm.FalseShare

	slotSize   = 64
	slotsEach  = 2 * slotSize
	slotWords  = slotSize / 8
	resultSize = 5
)

// sharedSize is the size of that memory for n ranks.
func sharedSize(n int) int64 { return firstLane + laneSlots + int64(n)*slotsEach }

// words is what a rank brings to a meeting.
type words [slotWords]int64

// outcome is what the last rank to arrive leaves for all.
type outcome [resultSize]int64

// lane is one rank's view of the row of meetings of a file's ranks. It is used by one thread at a time, as
// collective calls on one file are.
type lane struct {
	m      *sharedmem.Memory
	engine *p2p.Engine
	ctx    uint32 // of the collectives of the file's communicator
	base   uintptr
	me, n  int
	seq    uint32 // number of the present meeting
}

func newLane(m *sharedmem.Memory, e *p2p.Engine, ctx uint32, me, n int) *lane {
	return &lane{m: m, engine: e, ctx: ctx, base: m.Base + firstLane, me: me, n: n}
}

func (l *lane) slot(rank int) uintptr {
	return l.base + laneSlots + uintptr(rank)*slotsEach + uintptr(l.seq%2)*slotSize
}

// word is word i that a rank has brought to the present meeting. It may be read from the meeting's end to the
// end of the next one.
func (l *lane) word(rank, i int) int64 { return int64(*shm.Word64(l.slot(rank) + uintptr(i)*8)) }

// meet waits until all ranks have called it, each with its words. The last to arrive calls once, if not nil,
// and what that returns is everybody's outcome.
func (l *lane) meet(mine *words, once func(l *lane) outcome) (outcome, error) {
	if err := l.whole(); err != nil {
		return outcome{}, err
	}
	l.seq++
	for i, w := range mine {
		*shm.Word64(l.slot(l.me) + uintptr(i)*8) = uint64(w)
	}
	if atomic.AddUint32(shm.Word32(l.base+laneArrivals), 1) == l.seq*uint32(l.n) {
		var o outcome
		if once != nil {
			o = once(l)
		}
		for i, w := range o {
			*shm.Word64(l.base + laneResult + uintptr(i)*8) = uint64(w)
		}
		shm.StoreRel32(shm.Word32(l.base+laneReleased), l.seq) // pairs with Ready
		l.m.Wake()
		return o, nil
	}
	if err := l.engine.WaitIn(l.ctx, l); err != nil {
		return outcome{}, err
	}
	var o outcome
	for i := range o {
		o[i] = int64(*shm.Word64(l.base + laneResult + uintptr(i)*8))
	}
	return o, nil
}

// whole is why not all ranks can meet any more, nil as long as they can.
func (l *lane) whole() error { return l.engine.BrokenIn(l.ctx) }

// Ready reports whether the present meeting is over. Pairs with meet. The results of a meeting stay until all
// have come to the next one.
func (l *lane) Ready() bool { return atomic.LoadUint32(shm.Word32(l.base+laneReleased)) == l.seq }

// Absent is for reports of waits. The meeting counts its ranks and does not know who they are.
func (l *lane) Absent() (ctx uint32, ranks []int32) { return l.ctx, nil }

// agree is a meeting at which failures are told: it returns the rank's own error, or says that another rank
// has failed.
func (l *lane) agree(err error) error {
	if l.n == 1 {
		return err
	}
	var mine words
	mine[0] = int64(mpierr.CodeOf(err))
	o, e := l.meet(&mine, firstFailure)
	return l.verdict(err, o, e)
}

// firstFailure finds the first rank whose word 0 is an error code.
func firstFailure(l *lane) outcome {
	for r := range l.n {
		if code := l.word(r, 0); code != 0 {
			return outcome{code, int64(r)}
		}
	}
	return outcome{}
}

// verdict is the error of this rank, or that of the meeting, or what another rank has failed with.
func (l *lane) verdict(own error, o outcome, meeting error) error {
	switch {
	case own != nil:
		return own
	case meeting != nil:
		return meeting
	case o[0] != 0:
		class := mpierr.Class(o[0])
		if !class.Predefined() {
			class = mpierr.ErrOther // a code of the program's, which this rank need not know
		}
		return mpierr.New(class, "rank %d of the file's group has failed: %s", o[1], class.Text())
	}
	return nil
}
