package rma_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// Long operations go in pieces, several under way at once, on some paths: every byte and element
// arrives once, also where the data has gaps at the origin, and what comes later finds what came
// before.
func TestLongOperations(t *testing.T) {
	each(t, []int{2, 3}, func(p *runtime.Process, m memory) error {
		const n = 12_345 // longs per rank
		var k kept
		w, own, base, err := window(p, m, 8*n*int64(p.Size))
		if err != nil {
			return err
		}
		next := (p.Rank + 1) % p.Size
		at := base[next] + 8*n*int64(p.Rank)
		gaps, err := datatype.Vector(n, 1, 2, typ(tLong), false)
		if err != nil {
			return err
		}
		gaps.Commit()
		out, in := k.bytes(16*n), k.bytes(16*n)
		for i := range n {
			binary.NativeEndian.PutUint64(out[16*i:], uint64(p.Rank+3*i))
			binary.NativeEndian.PutUint64(out[16*i+8:], 1<<40)
		}
		o := datatype.Buffer{Addr: shm.Address(out), Count: 1, Type: gaps}
		got := datatype.Buffer{Addr: shm.Address(in), Count: 1, Type: gaps}
		if err := w.LockAll(0); err != nil {
			return err
		}
		want := func(what string, times int) error {
			for i := range n {
				if v := binary.NativeEndian.Uint64(in[16*i:]); v != uint64(times*(p.Rank+3*i)) ||
					binary.NativeEndian.Uint64(in[16*i+8:]) != 0 {
					return fmt.Errorf("element %d %s is %d, want %d", i, what, v, times*(p.Rank+3*i))
				}
			}
			return nil
		}
		if err := w.Put(o, next, at, n, typ(tLong)); err != nil {
			return err
		}
		if err := w.Get(got, next, at, n, typ(tLong)); err != nil {
			return err
		}
		if err := want("after the put", 1); err != nil {
			return err
		}
		sum := op.ByHandle(opSum)
		if err := w.Accumulate(o, next, at, n, typ(tLong), sum); err != nil {
			return err
		}
		if err := w.GetAccumulate(o, got, next, at, n, typ(tLong), sum); err != nil {
			return err
		}
		if err := want("before the second sum", 2); err != nil {
			return err
		}
		if err := w.GetAccumulate(datatype.Buffer{}, got, next, at, n, typ(tLong),
			op.ByHandle(opNoOp)); err != nil {
			return err
		}
		if err := want("after the second sum", 3); err != nil {
			return err
		}
		for i := range 100 { // more than are under way at once
			if err := w.Put(raw(out[16*i:16*i+8]), next, at+8*int64(i), 8, typ(tByte)); err != nil {
				return err
			}
		}
		if err := w.UnlockAll(); err != nil {
			return err
		}
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		before := (p.Rank + p.Size - 1) % p.Size
		for i := range n {
			times := 3
			if i < 100 {
				times = 1
			}
			if v := binary.NativeEndian.Uint64(own[8*(n*before+i):]); v != uint64(times*(before+3*i)) {
				return fmt.Errorf("element %d is %d in the end, want %d", i, v, times*(before+3*i))
			}
		}
		return w.Free()
	})
}
