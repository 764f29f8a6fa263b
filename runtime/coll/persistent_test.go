package coll_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/fast"
)

// repeated is a persistent operation, with what stands in its receive buffer ahead of each round.
type repeated struct {
	fastCall
	before []byte
	handle uintptr
}

func newRepeated(p *runtime.Process, seed uint64, step int) (*repeated, error) {
	f := newFastCall(p, rand.New(rand.NewPCG(seed, uint64(step))), step)
	r, err := coll.Prepare(p.World, f.plan)
	if err != nil {
		return nil, err
	}
	return &repeated{f, bytes.Clone(f.out), p.Engine.Handle(r)}, nil
}

func (r *repeated) start(p *runtime.Process, quick bool) (inFast bool, err error) {
	copy(r.out, r.before)
	if quick && fast.Start(p.Endpoint, &r.handle) == fast.Done {
		return true, nil
	}
	return false, p.Engine.Start(p.Engine.Named(r.handle))
}

func (r *repeated) end(p *runtime.Process, quick bool) error {
	if !quick || fast.Wait(p.Endpoint, &r.handle, nil) != fast.Done {
		if err := p.Engine.Wait(p.Engine.Named(r.handle), nil); err != nil {
			return err
		}
	}
	return r.check()
}

// TestPersistentFastOrNot has ranks go through rounds of persistent operations, each of which each rank
// starts and completes by package fast or by this one, in its own order. More of them than have a row go by
// messages.
func TestPersistentFastOrNot(t *testing.T) {
	var inFast atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		np := rapid.IntRange(1, 5).Draw(rt, "np")
		seed := rapid.Uint64().Draw(rt, "seed")
		seldom := rapid.SampledFrom([]int{2, 10, 200}).Draw(rt, "seldom")
		o := testjob.Options{Multiple: rapid.Bool().Draw(rt, "threads")}
		testjob.Run(t, np, o, func(p *runtime.Process) error {
			if err := openFast(p); err != nil {
				return err
			}
			p.Engine.ByHandle, p.Endpoint.Open = true, fast.Opened
			mine := rand.New(rand.NewPCG(seed, uint64(p.Rank)))
			all := make([]*repeated, 10)
			for i := range all {
				var err error
				if all[i], err = newRepeated(p, seed, i); err != nil {
					return err
				}
			}
			for round := range 20 {
				for _, i := range mine.Perm(len(all)) {
					quick, err := all[i].start(p, mine.IntN(seldom) > 0)
					if err != nil {
						return err
					}
					if quick {
						inFast.Add(1)
					}
				}
				for _, i := range mine.Perm(len(all)) {
					if err := all[i].end(p, mine.IntN(seldom) > 0); err != nil {
						return fmt.Errorf("np %d seed %d round %d operation %d: %w", np, seed, round, i, err)
					}
				}
			}
			for _, r := range all {
				if err := p.Engine.Free(p.Engine.Named(r.handle)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if inFast.Load() == 0 {
		t.Error("package fast has carried out nothing")
	}
}
