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

// goRound goes through rounds of persistent operations and frees them. It returns how many starts package
// fast has carried out.
func goRound(p *runtime.Process, mine *rand.Rand, all []*repeated, seldom int) (inFast int64, err error) {
	for round := range 8 {
		for _, i := range mine.Perm(len(all)) {
			quick, err := all[i].start(p, mine.IntN(seldom) > 0)
			if err != nil {
				return inFast, err
			}
			if quick {
				inFast++
			}
		}
		for _, i := range mine.Perm(len(all)) {
			if err := all[i].end(p, mine.IntN(seldom) > 0); err != nil {
				return inFast, fmt.Errorf("round %d operation %d: %w", round, i, err)
			}
		}
	}
	for _, i := range mine.Perm(len(all)) {
		if err := p.Engine.Free(p.Engine.Named(all[i].handle)); err != nil {
			return inFast, err
		}
	}
	return inFast, nil
}

// TestPersistentFastOrNot has ranks go through rounds of persistent operations, each of which each rank
// starts and completes by package fast or by this one, in its own order. More of them than have a row go by
// messages, and those that are made when these have been freed have rows again.
func TestPersistentFastOrNot(t *testing.T) {
	var inFast atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		np := rapid.IntRange(1, 5).Draw(rt, "np")
		seed := rapid.Uint64().Draw(rt, "seed")
		operations := rapid.SampledFrom([]int{10, 40}).Draw(rt, "operations")
		seldom := rapid.SampledFrom([]int{2, 10, 200}).Draw(rt, "seldom")
		o := testjob.Options{Multiple: rapid.Bool().Draw(rt, "threads")}
		testjob.Run(t, np, o, func(p *runtime.Process) error {
			if err := openFast(p); err != nil {
				return err
			}
			p.Engine.ByHandle, p.Endpoint.Open = true, fast.Opened
			mine := rand.New(rand.NewPCG(seed, uint64(p.Rank)))
			for generation := range 3 {
				all := make([]*repeated, operations)
				for i := range all {
					var err error
					if all[i], err = newRepeated(p, seed, generation*operations+i); err != nil {
						return err
					}
				}
				n, err := goRound(p, mine, all, seldom)
				inFast.Add(n)
				if err != nil {
					return fmt.Errorf("np %d seed %d generation %d %w", np, seed, generation, err)
				}
			}
			return nil
		})
	})
	if inFast.Load() == 0 {
		t.Error("package fast has carried out nothing")
	}
}
