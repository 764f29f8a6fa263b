package p2p_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"gompi/runtime"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// relay passes what each rank brings around the ring, a step at a time, until everybody has seen everything.
type relay struct {
	e        *p2p.Engine
	x        *p2p.Context
	data     [][]byte // by rank of origin
	short    int      // bytes that this rank's first message lacks
	step     int
	released atomic.Bool
}

func newRelay(p *runtime.Process, n int) *relay {
	x := &p.World.P2P
	l := &relay{e: p.Engine, x: x, data: make([][]byte, x.Size)}
	for i := range l.data {
		l.data[i] = make([]byte, n)
	}
	copy(l.data[x.Rank], pattern(n, uint64(x.Rank)))
	return l
}

func (l *relay) Start(*request.Request) error { l.step = 0; return nil }

func (l *relay) Release() { l.released.Store(true) }

func (l *relay) Advance(r *request.Request) (bool, error) {
	n := l.x.Size
	if l.step == n-1 {
		return true, nil
	}
	out, in := (l.x.Rank-l.step+n)%n, (l.x.Rank-l.step-1+n)%n
	sent := l.data[out]
	if l.step == 0 {
		sent = sent[l.short:]
	}
	l.step++
	l.e.Ops.PartRecv(r, l.x, buffer(l.data[in]), (l.x.Rank+n-1)%n, 9, nil)
	l.e.Ops.PartSend(r, l.x, buffer(sent), (l.x.Rank+1)%n, 9)
	return false, nil
}

func (l *relay) check() error {
	for i, d := range l.data {
		if !bytes.Equal(d, pattern(len(d), uint64(i))) {
			return fmt.Errorf("wrong data from rank %d", i)
		}
	}
	return nil
}

func TestCompositeSteps(t *testing.T) {
	everywhere(t, []int{1, 2, 3, 4}, func(p *runtime.Process) error {
		for _, n := range []int{0, 8, 5000, 100_000} {
			l := newRelay(p, n)
			r, err := p.Engine.Ops.Begin(l, p.World.P2P.ID)
			if err != nil {
				return err
			}
			st := request.Status{Source: 7}
			if err := errors.Join(p.Engine.Wait(r, &st), l.check()); err != nil {
				return err
			}
			if st != request.Empty || !l.released.Load() {
				return fmt.Errorf("status %+v, released %v", st, l.released.Load())
			}
		}
		return nil
	})
}

func TestCompositePersistent(t *testing.T) {
	everywhere(t, []int{1, 2, 3}, func(p *runtime.Process) error {
		l := newRelay(p, 100)
		r, err := p.Engine.Ops.Prepare(l, p.World.P2P.ID)
		if err != nil {
			return err
		}
		for range 3 {
			for i := range l.data {
				if i != p.Rank {
					clear(l.data[i])
				}
			}
			if err := errors.Join(p.Engine.Wait(r, nil), p.Engine.Start(r), p.Engine.Wait(r, nil),
				l.check()); err != nil {
				return err
			}
		}
		if l.released.Load() {
			return errors.New("released before it was freed")
		}
		if err := p.Engine.Free(r); err != nil || !l.released.Load() {
			return fmt.Errorf("free: %v, released %v", err, l.released.Load())
		}
		return nil
	})
}

// A request that its user has freed goes on to its end.
func TestCompositeFreed(t *testing.T) {
	everywhere(t, []int{2, 3}, func(p *runtime.Process) error {
		l := newRelay(p, 5000)
		r, err := p.Engine.Ops.Begin(l, p.World.P2P.ID)
		if err != nil {
			return err
		}
		if err := p.Engine.Free(r); err != nil {
			return err
		}
		for deadline := time.Now().Add(2 * time.Minute); !l.released.Load(); p.Engine.Progress() {
			if time.Now().After(deadline) {
				return errors.New("it does not end")
			}
		}
		return l.check()
	})
}

// A part of another length than its receiver expects fails the request, which goes on to its end all the
// same.
func TestCompositeTruncated(t *testing.T) {
	everywhere(t, []int{2, 3}, func(p *runtime.Process) error {
		l := newRelay(p, 64)
		if p.Rank == 0 {
			l.short = 8
		}
		r, err := p.Engine.Ops.Begin(l, p.World.P2P.ID)
		if err != nil {
			return err
		}
		err = p.Engine.Wait(r, nil)
		if p.Rank == 1 {
			return expect(err, mpierr.ErrTruncate)
		}
		return err
	})
}

// elsewhere is an operation that another goroutine carries out.
type elsewhere struct {
	e    *p2p.Engine
	err  error
	seen int // how often its end was reported
}

func (o *elsewhere) Advance(r *request.Request) (bool, error) {
	go func() {
		time.Sleep(2 * time.Millisecond)
		o.e.Ops.Deliver(r, request.Status{Source: 3, Tag: 4, Bytes: 5}, o.err)
	}()
	return false, nil
}

func (o *elsewhere) Report(r *request.Request, st *request.Status) error {
	o.seen++
	st.Tag++
	return r.Err
}

func TestCompositeDelivered(t *testing.T) {
	everywhere(t, []int{1, 2}, func(p *runtime.Process) error {
		for i := range 20 {
			o := &elsewhere{e: p.Engine}
			if i%2 == 1 {
				o.err = mpierr.New(mpierr.ErrIO, "the disk is gone")
			}
			r, err := p.Engine.Ops.Begin(o, p.World.P2P.ID)
			if err != nil {
				return err
			}
			var st request.Status
			if err := p.Engine.Wait(r, &st); mpierr.CodeOf(err) != mpierr.CodeOf(o.err) {
				return fmt.Errorf("got %v, want %v", err, o.err)
			}
			if want := (request.Status{Source: 3, Tag: 5, Bytes: 5}); st != want || o.seen != 1 {
				return fmt.Errorf("status %+v, reported %d times", st, o.seen)
			}
		}
		return nil
	})
}

// countdown is watched until a number of polls have gone by.
type countdown struct {
	e    *p2p.Engine
	left int
}

func (c *countdown) Advance(r *request.Request) (bool, error) {
	c.e.Ops.Watch(r)
	c.left--
	return c.left < 0, nil
}

func TestCompositeWatched(t *testing.T) {
	everywhere(t, []int{1, 2}, func(p *runtime.Process) error {
		e := p.Engine
		var rs []*request.Request
		for i := range 10 {
			r, err := e.Ops.Begin(&countdown{e: e, left: i * 3 % 7}, p.World.P2P.ID)
			if err != nil {
				return err
			}
			rs = append(rs, r)
		}
		if err := e.WaitAll(rs, nil); err != nil {
			return err
		}
		if p.Endpoint.Watched != 0 {
			return fmt.Errorf("%d operations seem to be watched still", p.Endpoint.Watched)
		}
		return nil
	})
}

func TestCompositeCancel(t *testing.T) {
	everywhere(t, []int{1}, func(p *runtime.Process) error {
		r, err := p.Engine.Ops.Begin(&elsewhere{e: p.Engine}, p.World.P2P.ID)
		if err != nil {
			return err
		}
		return errors.Join(expect(p.Engine.Cancel(r), mpierr.ErrRequest), p.Engine.Wait(r, nil))
	})
}

// witness is a follower that notes what it is called for, and whether the operation had its data by then.
type witness struct {
	l                      *relay
	begun, ended, released int
	early                  error
}

func (w *witness) Begin() { w.begun++ }
func (w *witness) End() {
	w.ended++
	w.early = errors.Join(w.early, w.l.check())
}
func (w *witness) Release() { w.released++ }

// Followers come to their ends when the operation has, and before its user learns that.
func TestCompositeFollowed(t *testing.T) {
	everywhere(t, []int{1, 2, 3, 4}, func(p *runtime.Process) error {
		for _, n := range []int{0, 8, 5000, 100_000} {
			l := newRelay(p, n)
			r, err := p.Engine.Ops.Begin(l, p.World.P2P.ID)
			if err != nil {
				return err
			}
			one, two := &witness{l: l}, &witness{l: l}
			p.Engine.Ops.Follow(r, one)
			p.Engine.Ops.Follow(r, two)
			if err := errors.Join(p.Engine.Wait(r, nil), one.early, two.early); err != nil {
				return err
			}
			if one.begun+two.begun != 0 || one.ended*two.ended != 1 || one.released*two.released != 1 {
				return fmt.Errorf("%d bytes: %+v %+v", n, one, two)
			}
		}
		l := newRelay(p, 100)
		r, err := p.Engine.Ops.Prepare(l, p.World.P2P.ID)
		if err != nil {
			return err
		}
		w := &witness{l: l}
		p.Engine.Ops.Follow(r, w)
		for round := range 3 {
			if err := errors.Join(p.Engine.Start(r), p.Engine.Wait(r, nil), w.early); err != nil {
				return err
			}
			if w.begun != round+1 || w.ended != round+1 || w.released != 0 {
				return fmt.Errorf("round %d: %+v", round, w)
			}
		}
		if err := p.Engine.Free(r); err != nil || w.released != 1 {
			return fmt.Errorf("free: %v, %+v", err, w)
		}
		return nil
	})
}
