package p2p_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"gompi/runtime"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// expect is an error unless err is of the class.
func expect(err error, class mpierr.Class) error {
	if mpierr.CodeOf(err) != int(class) {
		return fmt.Errorf("error %v, want class %d", err, class)
	}
	return nil
}

// A persistent request sends and receives the same buffers again and again, and is passed over while it is
// inactive.
func TestPersistent(t *testing.T) {
	everywhere(t, []int{1, 2, 3}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		to, from := (x.Rank+1)%x.Size, (x.Rank+x.Size-1)%x.Size
		for _, sync := range []bool{false, true} {
			for _, n := range []int{0, 8, 5000, 100_000} {
				out, in := make([]byte, n), make([]byte, n)
				s, err := e.SendInit(x, buffer(out), to, 5, sync)
				if err != nil {
					return err
				}
				r, err := e.RecvInit(x, buffer(in), from, 5)
				if err != nil {
					return err
				}
				st := request.Status{Source: 7, Tag: 7, Bytes: 7}
				if err := e.Wait(r, &st); err != nil || st != request.Empty {
					return fmt.Errorf("wait of an inactive request: %v %+v", err, st)
				}
				if i, err := e.WaitAny([]*request.Request{nil, r, s}, nil); i != -1 || err != nil {
					return fmt.Errorf("WaitAny of inactive requests: %d %v", i, err)
				}
				for round := range 4 {
					copy(out, pattern(n, uint64(round*100+x.Rank)))
					if err := errors.Join(e.Start(r), e.Start(s)); err != nil {
						return err
					}
					if err := expect(e.Start(r), mpierr.ErrRequest); err != nil {
						return err
					}
					sts := make([]request.Status, 3)
					if err := e.WaitAll([]*request.Request{s, nil, r}, sts); err != nil {
						return err
					}
					if sts[2].Bytes != int64(n) || int(sts[2].Source) != from {
						return fmt.Errorf("status %+v", sts[2])
					}
					if !bytes.Equal(in, pattern(n, uint64(round*100+from))) {
						return fmt.Errorf("round %d: wrong bytes", round)
					}
				}
				if err := errors.Join(e.Free(r), e.Free(s)); err != nil {
					return err
				}
			}
		}
		if live := e.Pool.Live(); live != 0 {
			return fmt.Errorf("%d requests are left", live)
		}
		return nil
	})
}

// Requests that the user frees while they are active do their work all the same.
func TestFreeActive(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		other := 1 - x.Rank
		for _, n := range []int{8, 5000, 100_000} {
			out, in := pattern(n, 3), make([]byte, n)
			r, err := e.Irecv(x, buffer(in), other, 1)
			if err != nil {
				return err
			}
			s, err := e.Issend(x, buffer(out), other, 1)
			if err != nil {
				return err
			}
			if err := errors.Join(e.Free(r), e.Free(s)); err != nil {
				return err
			}
			if err := e.WaitFor(ready(func() bool { return e.Pool.Live() == 0 })); err != nil {
				return err
			}
			if !bytes.Equal(in, out) {
				return errors.New("wrong bytes")
			}
		}
		return nil
	})
}

// ready is a condition given by a function.
type ready func() bool

func (r ready) Ready() bool { return r() }

// Isendrecv and its kin in a ring, with themselves, and with nobody.
func TestPairs(t *testing.T) {
	everywhere(t, []int{1, 2, 3}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		to, from := (x.Rank+1)%x.Size, (x.Rank+x.Size-1)%x.Size
		for _, n := range []int{0, 8, 5000, 100_000} {
			out, in := pattern(n, uint64(x.Rank)), make([]byte, n)
			r, err := e.Isendrecv(x, buffer(out), to, 4, buffer(in), from, p2p.AnyTag)
			if err != nil {
				return err
			}
			var st request.Status
			if err := e.Wait(r, &st); err != nil {
				return err
			}
			if !bytes.Equal(in, pattern(n, uint64(from))) || st.Bytes != int64(n) || int(st.Source) != from ||
				st.Tag != 4 {
				return fmt.Errorf("size %d: wrong, status %+v", n, st)
			}
			both := pattern(n, uint64(x.Rank))
			if r, err = e.IsendrecvReplace(x, buffer(both), to, 4, from, 4); err == nil {
				err = e.Wait(r, &st)
			}
			if err != nil || !bytes.Equal(both, pattern(n, uint64(from))) {
				return fmt.Errorf("size %d in place: %v", n, err)
			}
			if err := e.SendrecvReplace(x, buffer(both), from, 4, to, 4, &st); err != nil ||
				!bytes.Equal(both, pattern(n, uint64(x.Rank))) {
				return fmt.Errorf("size %d back in place: %v", n, err)
			}
			if r, err = e.Isendrecv(x, buffer(out), p2p.ProcNull, 4, buffer(in), p2p.ProcNull,
				4); err == nil {
				err = e.Wait(r, &st)
			}
			if err != nil || st.Source != p2p.ProcNull {
				return fmt.Errorf("with nobody: %v %+v", err, st)
			}
		}
		if live := e.Pool.Live(); live != 0 {
			return fmt.Errorf("%d requests are left", live)
		}
		return nil
	})
}

// A matched message is out of everybody's reach but that of the receive that names it.
func TestMatchedProbe(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		for tag, n := range []int{0, 8, 5000, 100_000} {
			if x.Rank == 0 {
				a, err := e.Isend(x, buffer(pattern(n, 1)), 1, tag)
				if err != nil {
					return err
				}
				b, err := e.Isend(x, buffer(pattern(n, 2)), 1, tag)
				if err != nil {
					return err
				}
				if err := e.WaitAll([]*request.Request{a, b}, nil); err != nil {
					return err
				}
				continue
			}
			var st request.Status
			first, err := e.Mprobe(x, p2p.AnySource, tag, &st)
			if err != nil || st.Bytes != int64(n) {
				return fmt.Errorf("Mprobe: %v %+v", err, st)
			}
			in := make([]byte, n)
			if err := e.Recv(x, buffer(in), 0, tag, nil); err != nil || !bytes.Equal(in, pattern(n, 2)) {
				return fmt.Errorf("the receive after Mprobe: %v", err)
			}
			if m, ok, err := e.Improbe(x, 0, tag, &st); m != (p2p.Message{}) || ok || err != nil {
				return fmt.Errorf("Improbe found something: %v", err)
			}
			if err := first.Recv(buffer(in), &st); err != nil || !bytes.Equal(in, pattern(n, 1)) {
				return fmt.Errorf("Mrecv: %v", err)
			}
		}
		return nil
	})
}

// Receives and sends are cancelled in every state; what was not cancelled arrives, and the order stays.
func TestCancel(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		for round, n := range []int{0, 8, 5000, 100_000} {
			in := bytes.Repeat([]byte{0xee}, n)
			r, err := e.Irecv(x, buffer(in), 1-x.Rank, 60)
			if err != nil {
				return err
			}
			var st request.Status
			if err := errors.Join(e.Cancel(r), e.Wait(r, &st)); err != nil || !st.Cancelled {
				return fmt.Errorf("receive: %v %+v", err, st)
			}
			sync := func() error {
				return e.Sendrecv(x, buffer(nil), 1-x.Rank, 9, buffer(nil), 1-x.Rank, 9,
					nil)
			}
			if x.Rank == 0 {
				var rs []*request.Request
				for i := range 4 { // 0 and 2 are cancelled, 1 and 3 arrive
					start := e.Isend
					if round%2 == i/2 {
						start = e.Issend
					}
					r, err := start(x, buffer(pattern(n, uint64(i))), 1, 5)
					if err != nil {
						return err
					}
					rs = append(rs, r)
				}
				if err := errors.Join(e.Cancel(rs[0]), e.Cancel(rs[2])); err != nil {
					return err
				}
				sts := make([]request.Status, 2)
				if err := e.WaitAll([]*request.Request{rs[0], rs[2]}, sts); err != nil {
					return err
				}
				if !sts[0].Cancelled || !sts[1].Cancelled {
					return fmt.Errorf("size %d: sends were not cancelled: %+v", n, sts)
				}
				if err := sync(); err != nil {
					return err
				}
				if err := e.WaitAll([]*request.Request{rs[1], rs[3]}, nil); err != nil {
					return err
				}
				// One that has been matched cannot be cancelled.
				r, err := e.Issend(x, buffer(pattern(n, 7)), 1, 6)
				if err == nil {
					err = errors.Join(e.Recv(x, buffer(nil), 1, 8, nil), e.Cancel(r), e.Wait(r, &st))
				}
				if err != nil || st.Cancelled {
					return fmt.Errorf("a matched send was cancelled: %v", err)
				}
				continue
			}
			r, err = e.Irecv(x, buffer(in), 0, 6)
			if err != nil {
				return err
			}
			if err := sync(); err != nil {
				return err
			}
			for _, i := range []int{1, 3} {
				if err := e.Recv(x, buffer(in), 0, 5, nil); err != nil ||
					!bytes.Equal(in, pattern(n, uint64(i))) {
					return fmt.Errorf("size %d message %d: %v", n, i, err)
				}
			}
			var st2 request.Status
			if ok, err := e.Iprobe(x, 0, 5, &st2); ok || err != nil {
				return fmt.Errorf("a cancelled message is still there: %v", err)
			}
			if err := errors.Join(e.Wait(r, nil), e.Send(x, buffer(nil), 0, 8)); err != nil ||
				!bytes.Equal(in, pattern(n, 7)) {
				return fmt.Errorf("the matched send: %v", err)
			}
		}
		return nil
	})
}

// A rank cancels what it has sent to itself.
func TestCancelSelf(t *testing.T) {
	everywhere(t, []int{1}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		for _, n := range []int{8, 100_000} {
			for _, start := range []func(*p2p.Context, []byte) (*request.Request, error){
				func(x *p2p.Context, b []byte) (*request.Request,
					error) {
					return e.Isend(x, buffer(b), 0, 1)
				},
				func(x *p2p.Context, b []byte) (*request.Request,
					error) {
					return e.Issend(x, buffer(b), 0, 1)
				},
			} {
				r, err := start(x, make([]byte, n))
				if err != nil {
					return err
				}
				var st request.Status
				if err := errors.Join(e.Cancel(r), e.Wait(r, &st)); err != nil || !st.Cancelled {
					return fmt.Errorf("size %d: %v %+v", n, err, st)
				}
				if ok, _ := e.Iprobe(x, 0, 1, &st); ok {
					return errors.New("the message is still there")
				}
			}
		}
		return nil
	})
}

// A request belongs to its context wherever it stands among those that were in use before.
func TestPending(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		other := 1 - x.Rank
		in, out := make([]byte, 8), pattern(8, 1)
		var all []*request.Request
		for range 200 {
			r, err := e.Irecv(x, buffer(in), other, 1)
			if err != nil {
				return err
			}
			all = append(all, r)
		}
		for i, r := range all {
			if !e.Pending(x.ID, 1) || e.Pending(x.ID+1, 1) {
				return fmt.Errorf("with %d receives in use the wrong contexts are pending", len(all)-i)
			}
			if err := e.Send(x, buffer(out), other, 1); err != nil {
				return err
			}
			if err := e.Wait(r, nil); err != nil {
				return err
			}
		}
		if e.Pending(x.ID, 1) {
			return errors.New("a context is pending without a request")
		}
		return nil
	})
}
