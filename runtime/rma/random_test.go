package rma_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"

	"gompi/runtime/coll/node"

	stdruntime "runtime"
	"strconv"
	"testing"

	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/op"
	"gompi/runtime/rma"
	"gompi/shm"
)

// Random operations by all ranks on all ranks' memory, against a reference that does them one after
// the other in private memory. Each rank has a stripe of its own in everybody's memory, where it
// does what it likes; in a common part all ranks add to the same integers, whose sum does not
// depend on the order.

const (
	stripe  = 512 // bytes
	common  = 256
	phases  = 6
	actions = 12 // per phase and rank
)

// action is one operation, drawn from a generator that every rank can run as well.
type action struct {
	// put, get, accumulate, get_accumulate, fetch_and_op, compare_and_swap, or a sum in the common part
	kind   int
	target int
	disp   int64
	count  int64
	t      *datatype.Type
	basic  *datatype.Type
	f      *op.Op
	data   []byte // origin's, 256 bytes
}

var kinds = []struct {
	handle uint32
	ops    []uint32
}{
	{tByte, []uint32{opReplace, opNoOp, opBxor}},
	{tShort, []uint32{opReplace, opNoOp, opSum, opBxor}},
	{tInt, []uint32{opReplace, opNoOp, opSum, opMax, opBxor}},
	{tLong, []uint32{opReplace, opNoOp, opSum, opMax, opBxor}},
	{tDouble, []uint32{opReplace, opNoOp, opSum, opMax}},
	{tComplex, []uint32{opReplace, opNoOp, opSum}},
	{tDoubleInt, []uint32{opReplace, opNoOp, opMaxloc}},
	{tShortInt, []uint32{opReplace, opNoOp, opMaxloc}},
}

func draw(r *rand.Rand, me, n int) action {
	a := action{kind: r.IntN(7), target: r.IntN(n), data: make([]byte, 256)}
	k := kinds[r.IntN(len(kinds))]
	switch a.kind {
	case 5:
		k = kinds[2+r.IntN(2)]
	case 6:
		k = kinds[2]
		a.basic, a.t, a.f = typ(tInt), typ(tInt), op.ByHandle(opSum)
	}
	a.basic, a.t = typ(k.handle), typ(k.handle)
	if a.f == nil {
		a.f = op.ByHandle(k.ops[r.IntN(len(k.ops))])
	}
	a.count = 1
	if a.kind < 4 {
		a.count = 1 + r.Int64N(5)
		if r.IntN(3) == 0 {
			a.t, _ = datatype.Vector(2, 1, 2, a.t, false)
			a.t.Commit()
		}
		if a.kind >= 2 && a.basic == typ(tInt) && r.IntN(4) == 0 {
			a.t, a.count = a.basic, 64 // all of the data
		}
	}
	// Small whole numbers, so that sums of floating-point numbers are exact and comparisons
	// sometimes succeed.
	for i := int64(0); i < 8; i++ {
		v := r.Uint64N(4)
		at := a.data[i*a.basic.Extent():]
		switch {
		case a.basic.Basic() == datatype.Float64 || a.basic.Basic() == datatype.Complex128:
			binary.NativeEndian.PutUint64(at, uint64(0x3ff)<<52|v<<51) // 1, 1.5
			if a.basic.Size() == 16 {
				binary.NativeEndian.PutUint64(at[8:], uint64(0x400)<<52)
			}
		case a.basic.Basic() == datatype.Float64Int:
			binary.NativeEndian.PutUint64(at, uint64(0x3ff)<<52|v<<51)
			at[8] = byte(r.IntN(5))
		default:
			at[0] = byte(v)
		}
	}
	_, span := datatype.Buffer{Count: a.count, Type: a.t}.Span()
	a.disp = int64(me*stripe) + r.Int64N(stripe-span)
	if r.IntN(2) == 0 {
		a.disp &^= 15 // aligned
	}
	if a.kind == 6 {
		a.disp = int64(n*stripe) + 4*r.Int64N(common/4)
	}
	return a
}

// apply does an action in the reference's memory and returns what a rank gets.
func (a *action) apply(mem []byte) []byte {
	to := datatype.Buffer{Addr: shm.Address(mem[a.disp:]), Count: a.count, Type: a.t}
	old := make([]byte, to.Bytes())
	to.Pack(0, old)
	elements := to.Bytes() / a.basic.Size()
	cells := make([]byte, elements*a.basic.Extent())
	defer keep(cells, mem) // known by their addresses alone
	cell := datatype.Buffer{Addr: shm.Address(cells), Count: elements, Type: a.basic}
	switch a.kind {
	case 0: // put: the data as it lies at the origin, element by element
		a.origin(elements).Pack(0, old)
		to.Unpack(0, old)
	case 1:
	case 5:
		if n := a.basic.Size(); bytes.Equal(old, a.data[a.basic.Extent():][:n]) {
			to.Unpack(0, a.data[:n])
		}
	default:
		cell.Unpack(0, old)
		if a.f.Handle() == opReplace {
			stream := make([]byte, to.Bytes())
			a.origin(elements).Pack(0, stream)
			cell.Unpack(0, stream)
		} else {
			a.f.Apply(shm.Address(a.data), cell.Addr, elements, a.basic)
		}
		stream := make([]byte, to.Bytes())
		cell.Pack(0, stream)
		to.Unpack(0, stream)
	}
	return old
}

// keep keeps memory up to the end of the function that defers it.
func keep(memory ...[]byte) { stdruntime.KeepAlive(memory) }

func (a *action) origin(n int64) datatype.Buffer {
	return datatype.Buffer{Addr: shm.Address(a.data), Count: n, Type: a.basic}
}

// way draws whether package fast is tried first, as the C stubs do.
type way struct {
	*rand.Rand
	w *rma.Window
}

// windowHandle and groupHandle are how package fast knows a test's window and group.
const (
	windowHandle = 0x41
	groupHandle  = 0x42
)

// ways begins to draw for a window, which package fast knows from now on.
func ways(seed uint64, rank int, w *rma.Window) way {
	if !w.Far() {
		e := w.Desc.Endpoint
		for h := range e.Sizes {
			if t := datatype.ByHandle(uint32(fast.FirstType) + uint32(h)); t != nil &&
				t.Size() == t.Extent() && t.Size() <= 0xff {
				e.Sizes[h] = uint8(t.Size())
			}
		}
		w.Desc.Handle = windowHandle
		if err := e.AddWindow(fast.Win{Handle: windowHandle, Window: w.Desc}); err != nil {
			panic(err)
		}
	}
	return way{rand.New(rand.NewPCG(seed, uint64(1000+rank))), w}
}

// first makes a call by package fast, or by package rma where that leaves it to it.
func (y way) first(try func(e *fast.Endpoint) fast.Reason, call func() error) error {
	if y.IntN(2) == 0 && try(y.w.Desc.Endpoint) == fast.Done {
		return nil
	}
	return call()
}

// try does an action by package fast, if that deals with it.
func (a *action) try(e *fast.Endpoint, result uintptr, n, at int64) fast.Reason {
	origin, target := shm.Address(a.data), int32(a.target)
	basic, t, op := uintptr(a.basic.Handle()), uintptr(a.t.Handle()), uintptr(a.f.Handle())
	switch a.kind {
	case 0:
		return fast.Put(e, origin, n, basic, target, at, a.count, t, windowHandle)
	case 1:
		return fast.Get(e, result, n, basic, target, at, a.count, t, windowHandle)
	case 2, 6:
		return fast.Accumulate(e, origin, n, basic, target, at, a.count, t, op, windowHandle)
	case 3:
		return fast.GetAccumulate(e, origin, n, basic, result, n, basic, target, at, a.count, t, op,
			windowHandle)
	case 4:
		return fast.FetchAndOp(e, origin, result, basic, target, at, op, windowHandle)
	case 5:
		return fast.CompareAndSwap(e, origin, shm.Address(a.data[a.basic.Extent():]), result, basic, target,
			at, windowHandle)
	}
	return fast.NotPlain
}

// do does an action in a window and returns what the rank gets, nil if nothing.
func (a *action) do(y way, base int64) ([]byte, error) {
	w := y.w
	n := a.count * a.t.Size() / a.basic.Size()
	got := make([]byte, n*a.basic.Size())
	cells := make([]byte, n*a.basic.Extent())
	defer keep(cells) // known by its address alone
	result := datatype.Buffer{Addr: shm.Address(cells), Count: n, Type: a.basic}
	at := base + a.disp
	var err error
	if y.IntN(2) == 0 && a.try(w.Desc.Endpoint, result.Addr, n, at) == fast.Done {
		result.Pack(0, got)
		if a.kind == 0 || a.kind == 2 || a.kind == 6 {
			return nil, nil
		}
		return got, nil
	}
	switch a.kind {
	case 0:
		return nil, w.Put(a.origin(n), a.target, at, a.count, a.t)
	case 1:
		err = w.Get(result, a.target, at, a.count, a.t)
	case 2, 6:
		return nil, w.Accumulate(a.origin(n), a.target, at, a.count, a.t, a.f)
	case 3:
		err = w.GetAccumulate(a.origin(n), result, a.target, at, a.count, a.t, a.f)
	case 4:
		err = w.FetchAndOp(shm.Address(a.data), result.Addr, a.basic, a.target, at, a.f)
	default:
		err = w.CompareAndSwap(shm.Address(a.data), shm.Address(a.data[a.basic.Extent():]), result.Addr,
			a.basic, a.target, at)
	}
	result.Pack(0, got)
	return got, err
}

// epoch opens and closes all ranks' memory in one of the ways that there are.
func epoch(p *runtime.Process, y way, mode int, body func(lock func(target int) error,
	unlock func(target int) error) error) error {
	w := y.w
	nothing := func(int) error { return nil }
	all := group.Range(0, 1, p.Size)
	steps := func(begin, end func() error, l, u func(int) error) error {
		if err := begin(); err != nil {
			return err
		}
		if err := body(l, u); err != nil {
			return err
		}
		return end()
	}
	barrier := func() error { return coll.Barrier(p.World) }
	fence := func(assert int) func() error {
		return func() error {
			return y.first(func(e *fast.Endpoint) fast.Reason {
				return fast.WinFence(e, int32(assert),
					windowHandle)
			},
				func() error { return w.Fence(assert) })
		}
	}
	switch mode {
	case 0:
		return steps(fence(0), fence(0), nothing, nothing)
	case 1:
		return steps(fence(fast.NoPrecede), fence(fast.NoSucceed), nothing, nothing)
	case 2:
		return steps(func() error {
			if err := y.first(func(e *fast.Endpoint) fast.Reason {
				return fast.WinPost(e, groupHandle, 0,
					windowHandle)
			},
				func() error { return w.Post(all, 0) }); err != nil {
				return err
			}
			return y.first(func(e *fast.Endpoint) fast.Reason {
				return fast.WinStart(e, groupHandle, 0,
					windowHandle)
			},
				func() error { return w.Start(all, 0) })
		}, func() error {
			if err := y.first(func(e *fast.Endpoint) fast.Reason { return fast.WinComplete(e, windowHandle) },
				w.Complete); err != nil {
				return err
			}
			return y.first(func(e *fast.Endpoint) fast.Reason { return fast.WinWait(e, windowHandle) },
				w.Wait)
		}, nothing, nothing)
	case 3:
		return steps(func() error {
			return y.first(func(e *fast.Endpoint) fast.Reason { return fast.WinLockAll(e, 0, windowHandle) },
				func() error { return w.LockAll(0) })
		}, func() error {
			if err := y.first(func(e *fast.Endpoint) fast.Reason {
				return fast.WinUnlockAll(e,
					windowHandle)
			}, w.UnlockAll); err != nil {
				return err
			}
			return barrier()
		}, nothing, func(t int) error {
			return y.first(func(e *fast.Endpoint) fast.Reason {
				return fast.WinFlush(e, int32(t),
					windowHandle)
			},
				func() error { return w.Flush(t) })
		})
	default:
		return steps(func() error { return nil }, barrier,
			func(t int) error {
				kind := int32(fast.LockShared)
				if mode == 4 {
					kind = fast.LockExclusive
				}
				return y.first(func(e *fast.Endpoint) fast.Reason {
					return fast.WinLock(e, kind, int32(t), 0,
						windowHandle)
				},
					func() error { return w.Lock(mode == 4, t, 0) })
			}, func(t int) error {
				return y.first(func(e *fast.Endpoint) fast.Reason {
					return fast.WinUnlock(e, int32(t),
						windowHandle)
				},
					func() error { return w.Unlock(t) })
			})
	}
}

func TestRandomOperations(t *testing.T) {
	seed := uint64(1)
	if s, err := strconv.ParseUint(os.Getenv("RMA_SEED"), 10, 64); err == nil {
		seed = s
	}
	each(t, []int{1, 3, 5}, func(p *runtime.Process, m memory) error {
		size := int64(p.Size*stripe + common)
		w, own, base, err := window(p, m, size)
		if err != nil {
			return err
		}
		node.OpenReductions(w.Desc.Endpoint) // as package mpi does; rows of elements need it
		y := ways(seed, p.Rank, w)
		ref := make([][]byte, p.Size)
		for r := range ref {
			ref[r] = make([]byte, size)
		}
		order := rand.New(rand.NewPCG(seed, 99))
		streams := make([]*rand.Rand, p.Size)
		for r := range streams {
			streams[r] = rand.New(rand.NewPCG(seed, uint64(r)))
		}
		for phase := range phases {
			mode := (phase + order.IntN(2)*3) % 6
			err := epoch(p, y, mode, func(lock, unlock func(int) error) error {
				for r := range p.Size {
					for range actions {
						a := draw(streams[r], r, p.Size)
						want := a.apply(ref[a.target])
						if r != p.Rank {
							continue
						}
						if err := lock(a.target); err != nil {
							return err
						}
						got, err := a.do(y, base[a.target])
						if err != nil {
							return err
						}
						if err := unlock(a.target); err != nil {
							return err
						}
						if got != nil && !bytes.Equal(got, want) {
							return fmt.Errorf("phase %d, mode %d: %+v got %v, want %v", phase, mode, a, got, want)
						}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			// In an epoch of this rank alone: what is here now.
			if err := w.Lock(false, p.Rank, 0); err != nil {
				return err
			}
			if !bytes.Equal(own, ref[p.Rank]) {
				return fmt.Errorf("phase %d, mode %d: memory differs from the reference", phase, mode)
			}
			if err := w.Unlock(p.Rank); err != nil {
				return err
			}
			if err := coll.Barrier(p.World); err != nil {
				return err
			}
		}
		return w.Free()
	})
}
