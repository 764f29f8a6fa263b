package target

import (
	"gompi/runtime/datatype"
	"gompi/shm"
)

// Update is an operation that combines data with memory that is mapped here, element by element.
type Update struct {
	Combination
	Memory []shm.Piece
	Addr   uintptr // of the memory, if that is one run and no list
	N      int64   // bytes of it
}

// Update carries out an update of elements without gaps in memory of a rank. alone says that nobody else may
// access the memory. done is false when others are about the same elements and wait is false.
func (g *Guards) Update(rank int, u *Update, alone, wait bool) (done bool, err error) {
	t, size := &g.Targets[rank], u.Basic.Size()
	switch aligned := u.aligned(); {
	case alone:
		return true, u.plainly()
	case aligned && !g.Desc.Bulk(u.N/size) && g.Desc.Changing(t):
		err = u.combine(true)
		g.Desc.Settled(t)
		return true, err
	case wait:
		if err = g.Acquire(rank); err != nil {
			return true, err
		}
	case !g.acquireSoon(rank):
		return false, nil
	}
	if u.Fast() {
		if err = g.keepAway(rank); err != nil {
			return true, err
		}
	}
	if err = u.plainly(); u.Fast() {
		g.letIn(rank)
	}
	g.Release(rank)
	return true, err
}

// aligned reports whether the elements are such as atomic instructions change.
func (u *Update) aligned() bool {
	aligned := u.Fast()
	for i := range u.Memory {
		aligned = aligned && uint64(u.Memory[i].Addr)%uint64(u.Basic.Size()) == 0
	}
	return aligned && uint64(u.Addr)%uint64(u.Basic.Size()) == 0
}

// plainly combines without atomic instructions: nobody else may touch the elements meanwhile.
func (u *Update) plainly() error { return u.combine(false) }

// combine goes through the runs, by atomic instructions or without. The error is for memory that is not
// there.
func (u *Update) combine(atomics bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = datatype.Fault(p)
		}
	}()
	if u.Addr != 0 {
		u.run(u.Addr, u.N, atomics)
	}
	for i := range u.Memory {
		n := uintptr(u.Memory[i].Size)
		u.run(u.Memory[i].Addr, int64(n), atomics)
		u.In += n
		if u.Old != 0 {
			u.Old += n
		}
	}
	return nil
}

func (u *Update) run(addr uintptr, n int64, atomics bool) {
	if atomics {
		u.atomically(addr, n)
	} else {
		u.Plainly(addr, n)
	}
}
