package file

import (
	"sync/atomic"

	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/sharedmem"
	"gompi/shm"
)

// Layout of the memory that the ranks of a file share, in bytes. Words of different writers stand
// shm.FalseShare apart. The last is the rank that is the last to arrive at a barrier.
const (
	pointerWord = 0                  // int64 the shared file pointer, in etypes. Added to by all ranks
	arrivals    = shm.FalseShare     // uint32 arrivals at barriers, modulo 2^32. Added to by all ranks
	released    = 2 * shm.FalseShare // uint32 number of the last barrier that is over. Written by the last
	outcomes    = released + 8       // resultSize words, its outcome. Written by the last ahead of released
	// per rank, two slots of slotSize for alternate barriers. Written by the rank ahead of arrivals
	slots = 3 * shm.FalseShare

	slotSize   = 64
	slotsEach  = 2 * slotSize
	slotWords  = slotSize / 8
	resultSize = 5
)

// sharedSize is the size of that memory for n ranks.
func sharedSize(n int) int64 { return slots + int64(n)*slotsEach }

// words is what a rank brings to a barrier.
type words [slotWords]int64

// outcome is what the last rank to arrive leaves for all.
type outcome [resultSize]int64

// fileBarrier is one rank's view of the barriers of a file's ranks, which come one after the other. It is
// used by one thread at a time, as collective calls on one file are.
type fileBarrier struct {
	memory   *sharedmem.Memory
	engine   *p2p.Engine
	ctx      uint32 // of the collectives of the file's communicator
	rank, n  int
	sequence uint32 // number of the present barrier
}

func (b *fileBarrier) slot(rank int) uintptr {
	return b.memory.Base + slots + uintptr(rank)*slotsEach + uintptr(b.sequence%2)*slotSize
}

// word is word i that a rank has brought to the present barrier. It may be read from the barrier's end to the
// end of the next one.
func (b *fileBarrier) word(rank, i int) int64 {
	return int64(*shm.Word64(b.slot(rank) + uintptr(i)*8))
}

// wait returns when all ranks have called it, each with its words. The last to arrive calls once, if not nil,
// and what that returns is everybody's outcome.
func (b *fileBarrier) wait(mine *words, once func(b *fileBarrier) outcome) (o outcome, err error) {
	if err := b.whole(); err != nil {
		return o, err
	}
	b.sequence++
	for i, w := range mine {
		*shm.Word64(b.slot(b.rank) + uintptr(i)*8) = uint64(w)
	}
	base := b.memory.Base
	if atomic.AddUint32(shm.Word32(base+arrivals), 1) == b.sequence*uint32(b.n) {
		if once != nil {
			o = once(b)
		}
		for i, w := range o {
			*shm.Word64(base + outcomes + uintptr(i)*8) = uint64(w)
		}
		shm.StoreRel32(shm.Word32(base+released), b.sequence) // pairs with Ready
		b.memory.Wake()
		return o, nil
	}
	if err := b.engine.WaitIn(b.ctx, b); err != nil {
		return o, err
	}
	for i := range o {
		o[i] = int64(*shm.Word64(base + outcomes + uintptr(i)*8))
	}
	return o, nil
}

// whole is why not all ranks can come any more, nil as long as they can.
func (b *fileBarrier) whole() error { return b.engine.BrokenIn(b.ctx) }

// Ready reports whether the present barrier is over. Pairs with wait. The outcome stays until all have come
// to the next one.
func (b *fileBarrier) Ready() bool {
	return atomic.LoadUint32(shm.Word32(b.memory.Base+released)) == b.sequence
}

// Absent is for reports of waits. The barrier counts its ranks and does not know who they are.
func (b *fileBarrier) Absent() (ctx uint32, ranks []int32) { return b.ctx, nil }

// agree is a barrier at which failures are told: it returns the rank's own error, or says that another rank
// has failed.
func (b *fileBarrier) agree(err error) error {
	if b.n == 1 {
		return err
	}
	var mine words
	mine[0] = int64(mpierr.CodeOf(err))
	o, e := b.wait(&mine, firstFailure)
	return b.verdict(err, o, e)
}

// firstFailure finds the first rank whose word 0 is an error code.
func firstFailure(b *fileBarrier) outcome {
	for r := range b.n {
		if code := b.word(r, 0); code != 0 {
			return outcome{code, int64(r)}
		}
	}
	return outcome{}
}

// verdict is the error of this rank, or that of the barrier, or what another rank has failed with.
func (b *fileBarrier) verdict(own error, o outcome, barrier error) error {
	switch {
	case own != nil:
		return own
	case barrier != nil:
		return barrier
	case o[0] != 0:
		class := mpierr.Class(o[0])
		if !class.Predefined() {
			class = mpierr.ErrOther // a code of the program's, which this rank need not know
		}
		return mpierr.New(class, "rank %d of the file's group has failed: %s", o[1], class.Text())
	}
	return nil
}

// same refuses an argument of a collective call that differs among the ranks. It is a barrier. own is what
// this rank finds wrong with the call.
func (b *fileBarrier) same(name string, v int64, own error) error {
	if b.n == 1 {
		return own
	}
	var mine words
	mine[0], mine[1] = int64(mpierr.CodeOf(own)), v
	o, err := b.wait(&mine, func(b *fileBarrier) outcome {
		if o := firstFailure(b); o[0] != 0 {
			return o
		}
		for r := 1; r < b.n; r++ {
			if b.word(r, 1) != b.word(0, 1) {
				return outcome{int64(mpierr.ErrNotSame), int64(r)}
			}
		}
		return outcome{}
	})
	if own == nil && err == nil && mpierr.Class(o[0]) == mpierr.ErrNotSame {
		return mpierr.New(mpierr.ErrNotSame, "%s is %d on this rank; rank %d of the file's group has another value than rank 0", name, v, o[1])
	}
	return b.verdict(own, o, err)
}

// byFirst has rank 0 do something once that is for all, after all have said with the same value that it
// should be done. check is what this rank finds wrong with the call.
func (b *fileBarrier) byFirst(name string, v int64, check error, do func() error) error {
	if err := b.same(name, v, check); err != nil {
		return err
	}
	var err error
	if b.rank == 0 {
		err = do()
	}
	return b.agree(err)
}
