package rma_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	gort "runtime"
	"sync"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/rma"
	"gompi/runtime/tool"
	"gompi/shm"
)

// every does one operation of each kind to the zeros of a rank, and checks what has come of it: two
// longs, and 16 with a gap behind each from byte 64 on.
func every(w *rma.Window, rank int, base int64) error {
	var k kept
	long, sum := typ(tLong), op.ByHandle(opSum)
	gaps, err := datatype.Vector(16, 1, 2, long, false)
	if err != nil {
		return err
	}
	gaps.Commit()
	out, was, in := k.bytes(128), k.bytes(128), k.bytes(8)
	for i := range 16 {
		binary.NativeEndian.PutUint64(out[8*i:], uint64(i+1))
	}
	buffer := func(b []byte, n int64) datatype.Buffer {
		return datatype.Buffer{Addr: shm.Address(b), Count: n, Type: long}
	}
	one := func(b []byte) datatype.Buffer { return buffer(b, 1) }
	row := func(b []byte) datatype.Buffer { return buffer(b, 16) }
	for _, do := range []func() error{
		func() error { return w.Put(one(out), rank, base, 1, long) },
		func() error { return w.Accumulate(one(out), rank, base, 1, long, sum) },
		func() error { return w.FetchAndOp(shm.Address(out), shm.Address(in), long, rank, base, sum) },
		func() error {
			return w.CompareAndSwap(shm.Address(out[56:]), shm.Address(was), shm.Address(was[8:]), long,
				rank, base+8)
		},
		func() error { return w.Put(row(out), rank, base+64, 1, gaps) },
		func() error { return w.Accumulate(row(out), rank, base+64, 1, gaps, sum) },
		func() error { return w.GetAccumulate(row(out), row(was), rank, base+64, 1, gaps, sum) },
		func() error { return w.Flush(rank) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	if v := binary.NativeEndian.Uint64(in); v != 2 {
		return fmt.Errorf("fetch and op has brought %d", v)
	}
	for times := uint64(2); times <= 3; times++ {
		for i := range 16 {
			if v := binary.NativeEndian.Uint64(was[8*i:]); v != times*uint64(i+1) {
				return fmt.Errorf("long %d with gaps is %d, want %d", i, v, times*uint64(i+1))
			}
		}
		if err := w.Get(row(was), rank, base+64, 1, gaps); err != nil {
			return err
		}
	}
	if err := w.Get(row(was), rank, base, 16, long); err != nil {
		return err
	}
	if a, b := binary.NativeEndian.Uint64(was), binary.NativeEndian.Uint64(was[8:]); a != 3 || b != 8 {
		return fmt.Errorf("the first longs are %d and %d", a, b)
	}
	return nil
}

// All that a rank wants of another one is done while that one computes.
func TestComputingTarget(t *testing.T) {
	computed := make(chan struct{}, 1) // jobs run one after the other
	each(t, []int{2}, func(p *runtime.Process, m memory) error {
		w, _, base, err := window(p, m, 64+16*16)
		if err != nil {
			return err
		}
		if w.Far() {
			return w.Free() // needs the target, or its progress thread
		}
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		if p.Rank == 1 {
			err = w.Lock(true, 0, 0)
			if err == nil {
				err = every(w, 0, base[0])
			}
			if e := w.Unlock(0); err == nil {
				err = e
			}
			computed <- struct{}{}
		} else {
			select {
			case <-computed:
			case <-time.After(testjob.Limit / 2):
				err = errors.New("the operations wait for the target, which computes")
			}
		}
		if err != nil {
			return err
		}
		return w.Free()
	})
}

// Threads of a rank that use the same target's guard, its ring and its progress thread do not block each
// other, and every sum is right.
func TestThreadsAsk(t *testing.T) {
	for name, s := range settings {
		s.Multiple = true
		t.Run(name, func(t *testing.T) {
			testjob.Run(t, 2, s, func(p *runtime.Process) error {
				const times, threads = 60, 3
				w, own, base, err := window(p, "private", 512)
				if err != nil {
					return err
				}
				if err := w.LockAll(0); err != nil {
					return err
				}
				var all sync.WaitGroup
				failed := make([]error, threads)
				for i := range failed {
					all.Add(1)
					go func() {
						defer all.Done()
						gort.LockOSThread()
						failed[i] = add(w, 1-p.Rank, base[1-p.Rank], times)
					}()
				}
				all.Wait()
				if err := errors.Join(failed...); err != nil {
					return err
				}
				if err := w.UnlockAll(); err != nil {
					return err
				}
				if err := coll.Barrier(p.World); err != nil {
					return err
				}
				for _, at := range []int{0, 64, 96} {
					if v := binary.NativeEndian.Uint64(own[at:]); v != times*threads {
						return fmt.Errorf("the long at %d is %d, want %d", at, v, times*threads)
					}
				}
				return w.Free()
			})
		})
	}
}

// add adds 1 to a long and to two longs with a gap between them.
func add(w *rma.Window, rank int, base int64, times int) error {
	var k kept
	one := k.bytes(16)
	one[0], one[8] = 1, 1
	gaps, err := datatype.Vector(2, 1, 4, typ(tLong), false)
	if err != nil {
		return err
	}
	gaps.Commit()
	sum := op.ByHandle(opSum)
	for range times {
		o := datatype.Buffer{Addr: shm.Address(one), Count: 1, Type: typ(tLong)}
		if err := w.Accumulate(o, rank, base, 1, typ(tLong), sum); err != nil {
			return err
		}
		if o.Count = 2; w.Accumulate(o, rank, base+64, 1, gaps, sum) != nil {
			return errors.New("an accumulate with gaps has failed")
		}
	}
	return w.Flush(rank)
}

// Windows of more ranks than there are classes of callers work where the kernel makes no copies.
func TestManyRanks(t *testing.T) {
	const n = 67
	o := testjob.Options{Settings: tool.Settings{NoSingleCopy: true}}
	testjob.Run(t, n, o, func(p *runtime.Process) error {
		w, own, base, err := window(p, "private", 8*n+512)
		if err != nil {
			return err
		}
		var k kept
		b := k.bytes(8)
		binary.NativeEndian.PutUint64(b, uint64(p.Rank+1))
		long := typ(tLong)
		if err := w.Fence(0); err != nil {
			return err
		}
		for _, d := range []int{1, 2, 64, 65} {
			r := (p.Rank + d) % n
			o := datatype.Buffer{Addr: shm.Address(b), Count: 1, Type: long}
			if err := w.Accumulate(o, r, base[r]+int64(8*p.Rank), 1, long, op.ByHandle(opSum)); err != nil {
				return err
			}
		}
		if err := w.Fence(0); err != nil {
			return err
		}
		for r := range n {
			want := uint64(0)
			switch (p.Rank - r + n) % n {
			case 1, 2, 64, 65:
				want = uint64(r + 1)
			}
			if v := binary.NativeEndian.Uint64(own[8*r:]); v != want {
				return fmt.Errorf("the long of rank %d is %d, want %d", r, v, want)
			}
		}
		if err := w.Fence(fast.NoSucceed); err != nil {
			return err
		}
		r := (p.Rank + 64) % n
		if err := w.Lock(true, r, 0); err != nil {
			return err
		}
		if err := every(w, r, base[r]+8*n); err != nil {
			return err
		}
		if err := w.Unlock(r); err != nil {
			return err
		}
		return w.Free()
	})
}
